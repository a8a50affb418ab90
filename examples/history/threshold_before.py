"""google/differential-privacy, pull request 101: the threshold for a count is rounded down."""

from math import floor

from synth.lang import *


@mechanism(adjacent={"count": absolute_distance(1)}, requires="0 <= count and count <= 1", epsilon="1", delta="0.001")
def is_shown(count: int) -> bool:
    if count == 0:
        return False
    return laplace(count, 1) >= floor(7.3)
