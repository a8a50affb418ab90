"""scipy.stats.laplace."""

import synth.lang as lang
from numpy.random import Generator, RandomState
from synth.stubs import draws, floating, shown, source


@floating
@draws
def rvs(loc: float = 0.0, scale: float = 1.0, size=None, *, random_state: source = None) -> float:
    """draws from the Laplace law"""
    shown(random_state is None or isinstance(random_state, (Generator, RandomState)))
    return lang.laplace(loc, scale)
