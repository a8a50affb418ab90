"""Records that are added or removed, read by their positions."""

from synth.lang import *


@mechanism(adjacent={"xs": add_remove_distance()}, requires="eps > 0", epsilon="eps")
def sum_by_position(xs: list[float], eps: float) -> float:
    total = 0.0
    for i in range(len(xs)):
        total += min(1.0, max(0.0, xs[i]))
    return laplace(total, 1 / eps)


@mechanism(adjacent={"ages": add_remove_distance()}, requires="eps > 0", epsilon="2*eps")
def mean_by_position(ages: list[int], eps: float) -> float:
    n = len(ages)
    total = 0
    for i in range(n):
        age = ages[i]
        if age < 0:
            continue
        total += min(age, 100)
    noisy_total = laplace(total, 100 / eps)
    noisy_n = laplace(n, 1 / eps)
    return noisy_total / max(noisy_n, 1)


@mechanism(adjacent={"rows": add_remove_distance()}, requires="eps > 0", epsilon="eps")
def counts_in_a_while(rows: list[tuple[int, bool]], eps: float) -> tuple[int, int]:
    members = 0
    others = 0
    k = 0
    while k < len(rows):
        age, member = rows[k]
        if member:
            members += 1
        elif age > 17:
            others += 1
        k += 1
    return laplace(members, 1 / eps), laplace(others, 1 / eps)


@mechanism(adjacent={"xs": add_remove_distance()}, requires="eps > 0", epsilon="eps")
def sum_by_position_and_the_number(xs: list[float], eps: float) -> tuple[float, int]:
    total = 0.0
    last = 0
    for i in range(len(xs)):
        total += min(1.0, max(0.0, xs[i]))
        last = i + 1
    return laplace(total, 1 / eps), last
