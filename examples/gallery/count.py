"""How many records satisfy a condition: one record more or less moves the count by 1."""

from synth.lang import *


@mechanism(adjacent={"ages": add_remove_distance()}, requires="eps > 0", epsilon="eps")
def adults(ages: list[int], eps: float) -> int:
    count = sum(1 for age in ages if age >= 18)
    return laplace(count, scale=1 / eps)
