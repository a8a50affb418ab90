"""A mean where the number of records is private, too: half of the budget for the sum, half for the count."""

from synth.lang import *


@mechanism(adjacent={"minutes": add_remove_distance()}, requires="eps > 0 and cap > 0", epsilon="eps")
def mean_minutes(minutes: list[float], cap: float, eps: float) -> float:
    total = 0.0
    for m in minutes:
        total += min(max(m, 0), cap)
    noisy_total = laplace(total, scale=2 * cap / eps)
    noisy_count = laplace(len(minutes), scale=2 / eps)
    return noisy_total / max(noisy_count, 1)
