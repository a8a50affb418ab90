"""numpy.random: module, Generator and RandomState."""

import synth.lang as lang
from synth.stubs import draws, floating


@floating
@draws
def laplace(loc: float = 0.0, scale: float = 1.0) -> float:
    """draws from the Laplace law"""
    return lang.laplace(loc, scale)
