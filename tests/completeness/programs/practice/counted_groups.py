"""Counts and sums per group: in Counters and defaultdicts, by functions and methods, in cells of real numbers."""

import math
import random
from collections import Counter, defaultdict

import numpy as np

from synth.lang import add_remove_distance, discrete_distance, mechanism


@mechanism(adjacent={"sales": add_remove_distance()}, requires="eps > 0 and cap > 0 and shops >= 1")
def turnover_by_shop(sales: list[tuple[int, float]], shops: int, cap: float, eps: float):
    """A sale is of one shop."""
    totals = defaultdict(float)
    for shop, amount in sales:
        totals[shop] += max(0.0, min(amount, cap))
    return [(shop, totals[shop] + np.random.laplace(0.0, cap / eps)) for shop in range(shops)]


@mechanism(adjacent={"sales": add_remove_distance()}, requires="eps > 0 and cap > 0 and shops >= 1")
def turnover_that_counts_twice(sales: list[tuple[int, float]], shops: int, cap: float, eps: float):
    """A sale is also of the next shop."""
    totals = defaultdict(float)
    for shop, amount in sales:
        totals[shop] += max(0.0, min(amount, cap))
        totals[shop + 1] += max(0.0, min(amount, cap))
    return [(shop, totals[shop] + np.random.laplace(0.0, cap / eps)) for shop in range(shops)]


def noisy_counts(column, size, eps):
    found = Counter(column)
    return [found[value] + np.random.laplace(0, 1 / eps) for value in range(size)]


@mechanism(adjacent={"visits": add_remove_distance()}, requires="eps > 0 and places >= 1")
def visits_by_place(visits: list[int], places: int, eps: float):
    """A visit is to one place."""
    return noisy_counts(visits, places, eps)


class Histogram:
    def __init__(self, bins, eps):
        self.bins = bins
        self.eps = eps

    def _counts(self, data):
        counts = [0] * self.bins
        for x in data:
            if 0 <= x < self.bins:
                counts[int(x)] += 1
        return counts

    def release(self, data):
        return [c + np.random.laplace(0, 1 / self.eps) for c in self._counts(data)]


@mechanism(adjacent={"data": add_remove_distance()}, requires="eps > 0 and bins >= 1")
def histogram_of_a_class(data: list[float], bins: int, eps: float):
    """A record is in one cell."""
    return Histogram(bins, eps).release(data)


@mechanism(adjacent={"data": add_remove_distance()}, requires="eps > 0 and bins >= 1")
def histogram_of_valid(data: list[float], bins: int, eps: float):
    """The same of records that are looked through first."""
    valid = [x for x in data if 0 <= x < bins]
    counts = [0 for _ in range(bins)]
    for x in valid:
        counts[math.floor(x)] += 1
    return [c + np.random.laplace(0, 1 / eps) for c in counts]


def two_sided(scale):
    return random.expovariate(1 / scale) - random.expovariate(1 / scale)


@mechanism(adjacent={"rows": add_remove_distance()}, requires="eps > 0")
def moments(rows: list[tuple[float, float]], eps: float):
    """Each sum moves by 1 at the most."""
    n = 0
    sx = sy = sxy = 0.0
    for x, y in rows:
        x, y = max(-1.0, min(1.0, x)), max(-1.0, min(1.0, y))
        n += 1
        sx += x
        sy += y
        sxy += x * y
    return [two_sided(4 / eps) + s for s in (n, sx, sy, sxy)]


@mechanism(adjacent={"bit": discrete_distance()}, requires="eps > 0 and 0 <= bit <= 1")
def response_by_a_flag(bit: int, symmetric: bool, eps: float) -> int:
    """The chances of a report are at most exp(eps) apart, with and without the flag."""
    if symmetric:
        p = math.exp(eps) / (math.exp(eps) + 1)
        q = 1 - p
    else:
        p = 1 / 2
        q = 1 / (math.exp(eps) + 1)
    return 1 if random.random() < (p if bit == 1 else q) else 0


@mechanism(adjacent={"bit": discrete_distance()}, requires="eps > 0 and 0 <= bit <= 1")
def response_by_a_flag_that_tells(bit: int, symmetric: bool, eps: float) -> int:
    """Without the flag the chances are twice as far apart."""
    if symmetric:
        p = math.exp(eps) / (math.exp(eps) + 1)
        q = 1 - p
    else:
        p = math.exp(2 * eps) / (math.exp(2 * eps) + 1)
        q = 1 - p
    return 1 if random.random() < (p if bit == 1 else q) else 0


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and 0 <= x < 8")
def bits_of_a_number(x: int, eps: float):
    """Each of the three bits is told by a coin of a third of the budget."""
    keep = math.exp(eps / 3) / (math.exp(eps / 3) + 1)
    return [(x >> j) & 1 if random.random() < keep else 1 - ((x >> j) & 1) for j in range(3)]
