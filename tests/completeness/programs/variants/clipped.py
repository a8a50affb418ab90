"""Sums and means of values that are clipped; one value may change to any other."""

from synth.lang import *


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and lo < hi")
def sum_without_calibration(xs: list[float], lo: float, hi: float, eps: float) -> float:
    """The scale doesn't say what the width is."""
    total = 0.0
    for x in xs:
        total += min(max(x, lo), hi)
    return laplace(total, 1 / eps)


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and lo < hi and len(xs) >= 1")
def mean(xs: list[float], lo: float, hi: float, eps: float) -> float:
    """The width, divided by the length."""
    total = 0.0
    for x in xs:
        total += min(max(x, lo), hi)
    return laplace(total / len(xs), (hi - lo) / (eps * len(xs)))


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and top > 0 and n > 0")
def share_of_a_sum(xs: list[float], n: float, top: float, eps: float) -> float:
    """Divided by a parameter, with the factors of the scale in another order."""
    total = 0.0
    for x in xs:
        total += max(0, min(x, top))
    return laplace(total / n, top / n / eps)


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and top > 0")
def clipped_by_branches(xs: list[float], top: float, eps: float) -> float:
    """Without minima and maxima."""
    total = 0.0
    for x in xs:
        if x > top:
            total += top
        elif x > 0:
            total += x
    return laplace(total, top / eps)
