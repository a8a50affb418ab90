"""scipy.stats.laplace."""

import synth.lang as lang
from synth.stubs import draws, floating, source


@floating
@draws
def rvs(loc: float = 0.0, scale: float = 1.0, size=None, random_state: source = None) -> float:
    """draws from the Laplace law"""
    return lang.laplace(loc, scale)
