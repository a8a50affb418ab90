"""Counts of records all move the same way: which way is known from the inputs, so no draw pays for both.

A record that comes raises counts, one that goes lowers them. Where run 2 has more, the bar goes up by 1 and the answer
above it, too, of which the count has gone up already or not; where it has less, the bar stays, and the answer above it
keeps its value.
"""

import math

import numpy as np

from synth.lang import *


@mechanism(adjacent={"xs": add_remove_distance()}, requires="eps > 0")
def first_count_above(xs: list[int], k: int, t: float, eps: float) -> int:
    """As above_threshold, of counts: bar eps/2 or nothing, and eps/2 for the answer. Sum: eps."""
    bar = t + np.random.laplace(scale=2 / eps)
    for j in range(k):
        count = sum(1 for x in xs if x > j)
        if count + np.random.laplace(scale=2 / eps) > bar:
            return j
    return -1


@mechanism(adjacent={"ages": change_one_distance()}, requires="eps > 0")
def first_rank_above(ages: list[int], k: int, t: int, eps: float) -> int:
    """The same, where one record changes: its counts are all larger, or all smaller."""
    place = 0
    limit = laplace(t, scale=2 / eps)
    while place < k:
        older = 0
        for age in ages:
            if age > place:
                older += 1
        if laplace(older, scale=2 / eps) >= limit:
            return place
        place += 1
    return -1


@mechanism(adjacent={"ages": change_one_distance()}, requires="eps > 0")
def first_share_above(ages: list[int], k: int, t: int, eps: float) -> int:
    """Where older people and younger ones are asked for by turns, counts go both ways: 3*eps/2, as in general."""
    limit = laplace(t, scale=2 / eps)
    for place in range(k):
        older = 0
        for age in ages:
            if age > place:
                older += 1
        count = older if place % 2 == 0 else len(ages) - older
        if laplace(count, scale=2 / eps) >= limit:
            return place
    return -1


@mechanism(adjacent={"xs": add_remove_distance()}, requires="eps > 0")
def commonest(xs: list[int], k: int, eps: float) -> int:
    """Noisy max of counts with one-sided noise: the winner pays eps, in one order for others, in one for itself."""
    best, top = 0, -math.inf
    for value in range(k):
        noisy = xs.count(value) + np.random.exponential(scale=1 / eps)
        if noisy > top:
            best, top = value, noisy
    return best


@mechanism(adjacent={"xs": add_remove_distance()}, requires="eps > 0")
def rank_with_noise(xs: list[int], k: int, eps: float) -> int:
    """Noisy max of ranks, which all move the same way: eps, as for `commonest`; the histogram would cost k*eps."""
    best, top = 0, -math.inf
    for place in range(k):
        noisy = sum(1 for x in xs if x <= place) - place + np.random.laplace(scale=1 / eps)
        if noisy > top:
            best, top = place, noisy
    return best


@mechanism(adjacent={"q": add_remove_distance()}, requires="eps > 0 and 0 < B")
def first_clipped_sum_above(q: list[float], k: int, B: float, t: float, eps: float) -> int:
    """As first_count_above, with sums of what is between 0 and B; B is what noise is moved by."""
    bar = t + np.random.laplace(scale=2 * B / eps)
    for j in range(k):
        s = sum(min(max(v, 0), B) for v in q) - j
        if s + np.random.laplace(scale=2 * B / eps) > bar:
            return j
    return k


@mechanism(adjacent={"rows": add_remove_distance()}, requires="eps > 0 and 0 < B")
def best_prefix(rows: list[tuple[int, float]], k: int, B: float, eps: float) -> int:
    """Noisy max of clipped sums that a record raises or leaves: B for the winner, beside what it gains. eps."""
    best, top = 0, 0.0
    for g in range(k):
        s = sum(max(0, min(v, B)) for (group, v) in rows if group <= g)
        noisy = s + np.random.laplace(0, B / eps)
        if g == 0 or noisy > top:
            best, top = g, noisy
    return best


@mechanism(adjacent={"data": add_remove_distance()}, requires="eps > 0 and 0 < cap")
def clipped_by_branches(data: list[float], rounds: int, cap: float, goal: float, eps: float) -> int:
    """As first_clipped_sum_above, clipped by comparisons, with noise that is added to the goal later."""
    noise = np.random.laplace(0, 2 * cap / eps)
    i = 0
    while i < rounds:
        total = 0.0
        for v in data:
            clipped = v
            if clipped < 0:
                clipped = 0.0
            elif clipped > cap:
                clipped = cap
            total += clipped
        if goal + noise < total - i + np.random.laplace(0, 2 * cap / eps):
            return i
        i += 1
    return rounds
