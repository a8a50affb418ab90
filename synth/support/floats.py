"""Numbers as floats, where an estimate is enough and none may be too large."""

from __future__ import annotations

import math
from fractions import Fraction

LARGEST = 1e150
"""Beyond it, and below its inverse, estimates stay the same; the product of two is still a float."""


def estimate(number: Fraction | int | float) -> float:
    """About the number, of its sign; 0 only for 0."""
    try:
        size = abs(float(number))
    except OverflowError:
        size = LARGEST
    if size > LARGEST or (number and size < 1 / LARGEST):
        size = LARGEST if size > 1 else 1 / LARGEST
    return math.copysign(size, 1 if number >= 0 else -1)
