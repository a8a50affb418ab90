"""Exponents: how time grows with size, by least squares on logarithms."""

from __future__ import annotations

import math
from collections.abc import Sequence

FLOOR = 0.1
"""Seconds beyond start-up below which a time says nothing about growth."""

Measurement = tuple[float, float]
"""A size, and the seconds beyond start-up."""


def exponent(measured: Sequence[Measurement], floor: float = FLOOR) -> float | None:
    """The slope over all sizes above the floor; None where fewer than three are."""
    points = _logarithms(measured, floor)
    if len(points) < 3:
        return None
    middle = sum(x for x, _ in points) / len(points)
    height = sum(y for _, y in points) / len(points)
    spread = sum((x - middle) ** 2 for x, _ in points)
    return sum((x - middle) * (y - height) for x, y in points) / spread


def last_exponent(measured: Sequence[Measurement], floor: float = FLOOR) -> float | None:
    """The slope between the two largest sizes above the floor; it shows growth that only begins."""
    points = _logarithms(measured, floor)
    if len(points) < 2:
        return None
    (x1, y1), (x2, y2) = points[-2:]
    return (y2 - y1) / (x2 - x1)


def _logarithms(measured: Sequence[Measurement], floor: float) -> list[Measurement]:
    best: dict[float, float] = {}
    for size, seconds in measured:
        best[size] = min(seconds, best.get(size, math.inf))
    return [(math.log(size), math.log(best[size])) for size in sorted(best) if best[size] >= floor]
