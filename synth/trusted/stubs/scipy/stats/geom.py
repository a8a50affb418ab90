"""scipy.stats.geom."""

import synth.lang as lang
from synth.stubs import draws, floating, source


@floating
@draws
def rvs(p: float, loc: int = 0, size=None, random_state: source = None) -> int:
    """draws from the geometric law on the positive integers"""
    return lang.exponential(loc + 1, -1 / lang.log(1 - p))
