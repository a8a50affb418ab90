"""scipy.stats.norm."""

import synth.lang as lang
from numpy.random import Generator, RandomState
from synth.stubs import draws, floating, shown, source


@floating
@draws
def rvs(loc: float = 0.0, scale: float = 1.0, size=None, *, random_state: source = None) -> float:
    """draws from the normal law"""
    shown(random_state is None or isinstance(random_state, (Generator, RandomState)))
    return lang.gaussian(loc, scale)


class _Frozen:
    """the normal law with its arguments, as a call of it makes one"""

    def __init__(self, loc=0.0, scale=1.0):
        self._loc = loc
        self._scale = scale

    def rvs(self, size=None, random_state=None):
        return rvs(self._loc, self._scale, size=size, random_state=random_state)
