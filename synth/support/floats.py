"""Numbers as floats, where an estimate is enough and none may be too large."""

from __future__ import annotations

import math
from fractions import Fraction

MAX_ESTIMATE = 1e150
"""Beyond it, and below its inverse, estimates stay the same; the product of two is still a float."""


def estimate(number: Fraction | int | float) -> float:
    """About the number, of its sign; 0 only for 0."""
    try:
        size = abs(float(number))
    except OverflowError:
        size = MAX_ESTIMATE
    if size > MAX_ESTIMATE or (number and size < 1 / MAX_ESTIMATE):
        size = MAX_ESTIMATE if size > 1 else 1 / MAX_ESTIMATE
    return math.copysign(size, 1 if number >= 0 else -1)
