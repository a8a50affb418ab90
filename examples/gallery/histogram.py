"""A histogram: a record is in one cell at most, so all cells together cost what one costs."""

from synth.lang import *


@mechanism(adjacent={"ages": add_remove_distance()}, requires="eps > 0 and k >= 1", epsilon="eps")
def decades(ages: list[int], k: int, eps: float) -> list[int]:
    counts = [sum(1 for age in ages if age // 10 == decade) for decade in range(k)]
    return [laplace(count, scale=1 / eps) for count in counts]
