"""Functions that ask first whether there are records at all, under add or remove; some tell by it."""

import numpy as np

from synth.lang import add_remove_distance, mechanism


@mechanism(adjacent={"data": add_remove_distance()}, requires="eps > 0 and lo < hi")
def sum_with_an_early_return(data: list[float], lo: float, hi: float, eps: float) -> float:
    """Of no records the sum is 0, with the same noise."""
    scale = max(abs(lo), abs(hi)) / eps
    if not data:
        return np.random.laplace(0, scale)
    total = sum(min(max(x, lo), hi) for x in data)
    return total + np.random.laplace(0, scale)


@mechanism(adjacent={"data": add_remove_distance()}, requires="eps > 0 and hi > 0")
def sum_or_zero(data: list[float], hi: float, eps: float) -> float:
    """A list of what is clipped, and a choice of its sum or 0."""
    clipped = [min(max(x, 0), hi) for x in data]
    total = sum(clipped) if clipped else 0.0
    return total + np.random.laplace(0, hi / eps)


@mechanism(adjacent={"data": add_remove_distance()}, requires="eps > 0 and hi > 0")
def sum_of_an_array_or_zero(data: list[float], hi: float, eps: float) -> float:
    """numpy, and both sides of a branch."""
    if len(data) == 0:
        true_sum = 0.0
    else:
        true_sum = np.sum(np.clip(data, 0, hi))
    return true_sum + np.random.laplace(0, hi / eps)


@mechanism(adjacent={"visits": add_remove_distance()}, requires="eps > 0")
def longest_or_none(visits: list[int], eps: float) -> int:
    """Counts up to a limit, in a loop with a branch, behind `is not empty`."""
    long = 0
    if len(visits) > 0:
        count = 0
        for v in visits:
            if v > 30:
                count += 1
        long = count
    return long + np.random.laplace(0, 1 / eps)


@mechanism(adjacent={"data": add_remove_distance()}, requires="eps > 0 and hi > 0")
def middle_of_nothing(data: list[float], hi: float, eps: float) -> float:
    """Of no records it is hi / 2, so that one record moves it by half as much only: still eps."""
    total = hi / 2
    if data:
        total = sum(min(max(x, 0), hi) for x in data)
    return total + np.random.laplace(0, hi / eps)


@mechanism(adjacent={"data": add_remove_distance()}, requires="eps > 0 and hi > 0")
def minus_one_of_nothing(data: list[float], hi: float, eps: float) -> float:
    """Of no records it is -hi: from there to hi it is twice as far."""
    total = sum(min(max(x, 0), hi) for x in data) if data else -hi
    return total + np.random.laplace(0, hi / eps)


@mechanism(adjacent={"data": add_remove_distance()}, requires="eps > 0 and hi > 0")
def nothing_without_noise(data: list[float], hi: float, eps: float) -> float:
    """The answer for no records has no noise."""
    if len(data) == 0:
        return 0.0
    return sum(min(max(x, 0), hi) for x in data) + np.random.laplace(0, hi / eps)


@mechanism(adjacent={"data": add_remove_distance()}, requires="eps > 0 and hi > 1")
def less_noise_for_nothing(data: list[float], hi: float, eps: float) -> float:
    """The noise for no records has another scale."""
    if len(data) == 0:
        return np.random.laplace(0, 1 / eps)
    return sum(min(max(x, 0), hi) for x in data) + np.random.laplace(0, hi / eps)
