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


class _Frozen:
    """the geometric law with its arguments, as a call of it makes one"""

    def __init__(self, p, loc=0):
        self._p = p
        self._loc = loc

    def rvs(self, size=None, random_state=None):
        return rvs(self._p, self._loc, size=size, random_state=random_state)
