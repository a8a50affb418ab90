"""scipy.stats.dlaplace."""

import synth.lang as lang
from numpy.random import Generator, RandomState
from synth.stubs import draws, floating, shown, source


@floating
@draws
def rvs(a: float, loc: int = 0, size=None, *, random_state: source = None) -> int:
    """draws from the discrete Laplace law"""
    shown(random_state is None or isinstance(random_state, (Generator, RandomState)))
    return lang.laplace(loc, 1 / a)


class _Frozen:
    """the discrete Laplace law with its arguments, as a call of it makes one"""

    def __init__(self, a, loc=0):
        self._a = a
        self._loc = loc

    def rvs(self, size=None, random_state=None):
        return rvs(self._a, self._loc, size=size, random_state=random_state)
