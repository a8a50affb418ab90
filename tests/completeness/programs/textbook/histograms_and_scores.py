"""Counts in a list of which scores are made, or that are raised by an assignment."""

import numpy as np

from synth.lang import *


@mechanism(adjacent={"ages": add_remove_distance()}, requires="eps > 0 and groups >= 1", epsilon="eps")
def counts_in_an_array(ages: list[float], groups: int, eps: float):
    seen = np.zeros(groups, dtype=int)
    for a in ages:
        group = min(max(int(a // 10), 0), groups - 1)
        seen[group] += 1
    return seen + np.random.laplace(0, 1 / eps, size=groups)


@mechanism(adjacent={"votes": change_one_distance()}, requires="eps > 0 and n >= 1", epsilon="eps")
def tally_for_one_cell(votes: list[int], n: int, eps: float):
    """False: a vote that is changed leaves one cell and joins another one."""
    tally = np.zeros(n)
    for v in votes:
        if 0 <= v < n:
            tally[v] += 1
    return [t + np.random.laplace(scale=1 / eps) for t in tally]


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and k >= 1", epsilon="eps")
def counts_by_assignment(xs: list[int], k: int, eps: float) -> list[int]:
    counts = [0] * k
    for x in xs:
        if 0 <= x and x < k:
            counts[x] = counts[x] + 1
    return [c + laplace(0, 2 / eps) for c in counts]


@mechanism(adjacent={"rows": add_remove_distance()}, requires="eps > 0 and cells >= 1", epsilon="eps")
def counts_with_continue(rows: list[int], cells: int, eps: float) -> list[float]:
    seen = [0] * cells
    for r in rows:
        if r < 0 or r >= cells:
            continue
        seen[r] += 1
    noisy = []
    for i in range(cells):
        noisy.append(laplace(float(seen[i]), 1 / eps))
    return noisy


@mechanism(adjacent={"data": change_one_distance()}, requires="eps > 0 and k >= 1", epsilon="eps")
def most_common_of_a_list(data: list[int], k: int, eps: float) -> int:
    hist = [0] * k
    for v in data:
        if 0 <= v < k:
            hist[v] += 1
    return exponential_mechanism(k, lambda r: hist[r], eps, 1)


@mechanism(adjacent={"data": change_one_distance()}, requires="eps > 0 and T >= 1 and k >= 1", epsilon="eps")
def rounds_of_mwem(data: list[int], k: int, T: int, eps: float) -> list[float]:
    """Hardt, Ligett & McSherry 2012: in each round a query that is answered badly, and its noisy answer."""
    hist = [0] * k
    for v in data:
        if 0 <= v < k:
            hist[v] += 1
    out = []
    for t in range(T):
        j = exponential_mechanism(k, lambda r: abs(hist[r] - t), eps / (2 * T), 1)
        out.append(laplace(hist[j], 2 * T / eps))
    return out


@mechanism(adjacent={"data": add_remove_distance()}, requires="eps > 0 and high >= 1", epsilon="eps")
def median_of_a_utility(data: list[int], high: int, eps: float) -> int:
    """The difference of two ranks moves by 1 where a record comes or goes."""

    def utility(r):
        less = sum(1 for v in data if v < r)
        more = sum(1 for v in data if v > r)
        return -abs(less - more)

    return exponential_mechanism(high + 1, lambda r: utility(r), eps, 1)


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and k >= 2", epsilon="eps")
def counts_for_one_cell(xs: list[int], k: int, eps: float) -> list[int]:
    """False: a record that is replaced leaves one cell and joins another one."""
    counts = [0] * k
    for x in xs:
        if 0 <= x and x < k:
            counts[x] = counts[x] + 1
    return [c + laplace(0, 1 / eps) for c in counts]


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0 and k >= 1", epsilon="2*eps")
def count_above_a_quantile(x: list[int], k: int, eps: float) -> tuple[int, int]:
    """A threshold that about ten exceed, by the exponential mechanism, and then how many do."""
    t = exponential_mechanism(k, lambda r: -abs(sum(1 for v in x if v > r) - 10), eps, 1)
    above = 0
    for v in x:
        if v > t:
            above += 1
    return t, laplace(above, 1 / eps)
