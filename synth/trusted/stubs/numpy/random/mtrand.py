"""numpy.random.mtrand: the source that the functions of numpy.random draw from."""

from numpy.random import RandomState

_rand = RandomState()
