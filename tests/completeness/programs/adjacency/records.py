"""One record of a list more or less, and one record of several components that is replaced by another."""

from synth.lang import *


@mechanism(adjacent={"minutes": add_remove_distance()}, requires="cap > 0 and eps > 0")
def mean_minutes(minutes: list[float], cap: float, eps: float) -> float:
    """A sum and a length, eps/2 each: eps."""
    total = 0.0
    for m in minutes:
        total += min(max(m, 0), cap)
    noisy = laplace(total, 2 * cap / eps)
    return noisy / max(laplace(len(minutes), 2 / eps), 1)


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0")
def sum_of_some(x: list[float], eps: float) -> float:
    """A record adds between -3 and 60: eps."""
    total = 0.0
    for v in x:
        if v > 100:
            continue
        total += min(max(v, -3), 60)
    return laplace(total, 60 / eps)


@mechanism(adjacent={"rows": add_remove_distance()}, requires="eps > 0")
def count_of_pairs(rows: list[tuple[int, bool]], eps: float) -> int:
    """The count moves by at most 1: eps."""
    count = 0
    for group, member in rows:
        if member and group == 4:
            count += 1
    return laplace(count, 1 / eps)


@mechanism(adjacent={"x, y": add_remove_distance()}, requires="eps > 0")
def length_of_two_lists(x: list[float], y: list[int], eps: float) -> int:
    """Both lengths move together, by at most 1: eps."""
    return laplace(len(x) + len(y), 2 / eps)


@mechanism(adjacent={"rows": change_one_distance()}, requires="eps > 0")
def sum_in_a_group(rows: list[tuple[int, float]], eps: float) -> float:
    """A row adds between 0 and 5, whatever its group: eps."""
    total = 0.0
    for group, amount in rows:
        if group == 2:
            total += min(max(amount, 0), 5)
    return laplace(total, 5 / eps)


@mechanism(adjacent={"x, y": change_one_distance()}, requires="eps > 0 and b > 0")
def differences(x: list[float], y: list[float], b: float, eps: float) -> float:
    """Each summand is in [-b, b], so the sum moves by at most 2*b: eps."""
    total = 0.0
    for i in range(len(x)):
        total += min(max(x[i] - y[i], -b), b)
    return laplace(total, 2 * b / eps)


@mechanism(adjacent={"x": add_remove_distance(2)}, requires="eps > 0")
def sum_of_two_contributions(x: list[float], eps: float) -> float:
    """Two records add between 0 and 120: eps."""
    total = 0.0
    for v in x:
        total += min(max(v, 0), 60)
    return laplace(total, 120 / eps)


@mechanism(adjacent={"x": add_remove_distance("k")}, requires="eps > 0 and k >= 1")
def length_under_contributions(x: list[float], k: int, eps: float) -> int:
    """The length moves by at most k: eps."""
    return laplace(len(x), k / eps)


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0", epsilon="eps/2")
def sum_with_too_little_noise(x: list[float], eps: float) -> float:
    """A record adds up to 60: false."""
    total = 0.0
    for v in x:
        total += min(max(v, -3), 60)
    return laplace(total, 60 / eps)


@mechanism(adjacent={"rows": change_one_distance()}, requires="eps > 0", epsilon="eps/2")
def group_with_too_little_noise(rows: list[tuple[int, float]], eps: float) -> float:
    """A row adds up to 5: false."""
    total = 0.0
    for group, amount in rows:
        if group == 2:
            total += min(max(amount, 0), 5)
    return laplace(total, 5 / eps)


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0", epsilon="eps")
def noise_for_each_record(x: list[float], eps: float) -> float:
    """Without a record nothing is drawn, and the sum is 0: no bound."""
    total = 0.0
    for v in x:
        total += laplace(0.0, 1 / eps)
    return total


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def raised_by_noise(x: float, eps: float) -> float:
    """What noise decides is seen, whether it is returned or raised: eps."""
    noisy = laplace(x, 1 / eps)
    if noisy < 0:
        raise ValueError("below 0")
    return noisy


@mechanism(adjacent={"waits": add_remove_distance()}, requires="eps > 0")
def raised_by_an_empty_list(waits: list[float], eps: float) -> float:
    """An empty list raises and a list of one doesn't, so no bound is true."""
    if not waits:
        raise ValueError("no data")
    return laplace(sum(min(max(w, 0), 60) for w in waits), 60 / eps)
