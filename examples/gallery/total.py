"""A sum of numbers, each clipped to 0..cap: one record more or less moves it by at most cap."""

from synth.lang import *


@mechanism(adjacent={"minutes": add_remove_distance()}, requires="eps > 0 and cap > 0", epsilon="eps")
def total_minutes(minutes: list[float], cap: float, eps: float) -> float:
    total = 0.0
    for m in minutes:
        total += min(max(m, 0), cap)
    return laplace(total, scale=cap / eps)
