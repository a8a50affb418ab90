"""numpy.linalg: lengths of vectors."""

import math

from numpy import abs, max, sum
from synth.stubs import as_array, shown


def norm(x, ord=None):
    """is the length of a vector: the root of the sum of squares, or the sum of the absolute values"""
    shown(ord is None or ord == 1 or ord == 2)
    entries = as_array(x)
    return sum(abs(entries)) if ord is not None and ord == 1 else _root(sum(entries * entries))


def _root(squares):
    # a sum of squares is not below 0
    return math.sqrt(squares if squares > 0 else 0)
