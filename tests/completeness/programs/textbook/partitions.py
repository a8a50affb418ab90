"""Which groups are shown: the bar for any delta below 1 (Korolova et al. 2009; Google's libraries)."""

from math import log

from synth.lang import *


@mechanism(
    adjacent={"rows": add_remove_distance()},
    requires="eps > 0 and 0 < delta < 1 and k >= 1",
    epsilon="eps",
    delta="delta",
)
def groups_with_members(rows: list[int], k: int, eps: float, delta: float) -> list[int]:
    kept = []
    bar = 1 + log(1 / (2 * delta)) / eps
    for key in range(k):
        n = sum(1 for r in rows if r == key)
        if n > 0 and laplace(float(n), 1 / eps) > bar:
            kept.append(key)
    return kept


@mechanism(
    adjacent={"size": absolute_distance(1)},
    requires="eps > 0 and 0 < delta < 1 and 0 <= size",
    epsilon="eps",
    delta="delta",
)
def size_if_it_is_large(size: int, eps: float, delta: float) -> float | None:
    if size == 0:
        return None
    seen = laplace(1.0 * size, 1 / eps)
    if seen < 1 - log(2 * delta) / eps:
        return None
    return seen


@mechanism(
    adjacent={"size": absolute_distance(1)},
    requires="eps > 0 and 0 < delta < 1 and 0 <= size",
    epsilon="eps",
    delta="delta",
)
def size_with_a_bar_without_one(size: int, eps: float, delta: float) -> float | None:
    """False: the bar forgets the one member."""
    seen = laplace(1.0 * size, 1 / eps)
    if size == 0 or seen < log(1 / (2 * delta)) / eps:
        return None
    return seen
