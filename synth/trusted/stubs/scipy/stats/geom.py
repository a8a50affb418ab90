"""scipy.stats.geom."""

import synth.lang as lang
from numpy.random import Generator, RandomState
from synth.stubs import draws, floating, shown, source


@floating
@draws
def rvs(p: float, loc: int = 0, size=None, *, random_state: source = None) -> int:
    """draws from the geometric law on the positive integers"""
    shown(random_state is None or isinstance(random_state, (Generator, RandomState)))
    return lang.exponential(loc + 1, -1 / lang.log(1 - p))
