"""scipy.stats.dlaplace."""

import synth.lang as lang
from synth.stubs import draws, floating, source


@floating
@draws
def rvs(a: float, loc: int = 0, size=None, random_state: source = None) -> int:
    """draws from the discrete Laplace law"""
    return lang.laplace(loc, 1 / a)
