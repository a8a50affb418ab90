"""Records that are cleaned or clipped into a list first, and then looked at per cell, candidate or moment."""

import math

import numpy as np

from synth.lang import add_remove_distance, change_one_distance, mechanism


@mechanism(adjacent={"ages": add_remove_distance()}, requires="eps > 0 and bins >= 1")
def histogram_of_valid_ages(ages: list[int], bins: int, eps: float) -> list[float]:
    """The cell that one record is in changes by 1."""
    valid = [age for age in ages if 0 <= age <= 120]
    released = []
    for cell in range(bins):
        count = sum(1 for age in valid if age == cell)
        released.append(count + np.random.laplace(0, 1 / eps))
    return released


@mechanism(adjacent={"readings": add_remove_distance()}, requires="eps > 0 and bins >= 1")
def histogram_of_clipped(readings: list[int], bins: int, eps: float) -> list[float]:
    """The same of readings that are clipped, counted with len and a list for each cell."""
    kept = []
    for r in readings:
        kept.append(min(max(r, 0), 9))
    return [len([r for r in kept if r == cell]) + np.random.laplace(scale=1 / eps) for cell in range(bins)]


@mechanism(adjacent={"readings": add_remove_distance()}, requires="eps > 0 and bins >= 1")
def histogram_that_counts_twice(readings: list[int], bins: int, eps: float) -> list[float]:
    """A record is in its own cell and in the next one."""
    kept = [min(max(r, 0), 9) for r in readings]
    released = []
    for cell in range(bins):
        count = sum(1 for r in kept if r == cell or r == cell + 1)
        released.append(count + np.random.laplace(0, 1 / eps))
    return released


def rank_error(values: list[int], candidate: int) -> int:
    below = sum(1 for v in values if v < candidate)
    above = sum(1 for v in values if v > candidate)
    return -abs(below - above)


@mechanism(adjacent={"data": add_remove_distance()}, requires="eps > 0 and top >= 3")
def median_of_clipped(data: list[int], top: int, eps: float) -> int:
    """The utility of a candidate moves by 1 when a record comes or goes."""
    data = [min(max(int(x), 1), top) for x in data]
    weights = [math.exp(eps * rank_error(data, y) / 2) for y in range(1, top + 1)]
    total = sum(weights)
    chances = [w / total for w in weights]
    return int(np.random.choice(range(1, top + 1), p=chances))


@mechanism(adjacent={"votes": add_remove_distance()}, requires="eps > 0 and options >= 2")
def winner_among_valid_votes(votes: list[int], options: int, eps: float) -> int:
    """Each count moves up or down by at most 1, all in one direction."""
    valid = [vote for vote in votes if vote >= 0]
    counts = [sum(1 for vote in valid if vote == option) for option in range(options)]
    noisy = [count + np.random.laplace(0, 1 / eps) for count in counts]
    return int(np.argmax(noisy))


def with_noise(value: float, sensitivity: float, eps: float) -> float:
    return value + np.random.laplace(0, sensitivity / eps)


@mechanism(adjacent={"values": change_one_distance()}, requires="eps > 0 and top > 0 and len(values) >= 1")
def variance_by_moments(values: list[float], top: float, eps: float) -> float:
    """The mean and the mean square of what is clipped once, each with half of the budget."""
    n = len(values)
    half = eps / 2
    clipped = [min(max(v, 0.0), top) for v in values]
    mean = with_noise(sum(clipped) / n, top / n, half)
    mean_square = with_noise(sum(v**2 for v in clipped) / n, top**2 / n, half)
    return max(mean_square - mean**2, 0.0)


@mechanism(adjacent={"values": change_one_distance()}, requires="eps > 0 and top > 1 and len(values) >= 1")
def variance_with_one_scale(values: list[float], top: float, eps: float) -> tuple[float, float]:
    """The squares move by up to top**2, and have the noise of the values."""
    n = len(values)
    clipped = [min(max(v, 0.0), top) for v in values]
    mean = with_noise(sum(clipped) / n, top / n, eps / 2)
    return mean, with_noise(sum(v**2 for v in clipped) / n, top / n, eps / 2)
