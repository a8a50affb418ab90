"""Counts and sums per cell: a record that is missing moves one of them, a record that is another one two."""

import numpy as np

from synth.lang import *


@mechanism(adjacent={"x": add_remove_distance()}, requires="k >= 1 and eps > 0")
def cells(x: list[int], k: int, eps: float) -> list[int]:
    """A record is in one cell at the most: eps."""
    out = []
    for cell in range(k):
        count = 0
        for v in x:
            if v == cell:
                count += 1
        out.append(laplace(count, 1 / eps))
    return out


@mechanism(adjacent={"x": change_one_distance()}, requires="k >= 1 and eps > 0")
def cells_of_another_record(x: list[int], k: int, eps: float) -> list[int]:
    """A record leaves a cell and joins one: 2*eps."""
    cell = 0
    out = []
    while cell < k:
        out.append(laplace(sum(1 for v in x if v == cell), 1 / eps))
        cell += 1
    return out


@mechanism(adjacent={"ages": change_one_distance()}, requires="k >= 1 and eps > 0")
def decades(ages: list[int], k: int, eps: float) -> list[float]:
    """All counts first, then noise for each: 2*eps."""
    counts = [sum(1 for age in ages if age // 10 == decade) for decade in range(k)]
    return [count + np.random.laplace(scale=1 / eps) for count in counts]


@mechanism(adjacent={"heights": change_one_distance()}, requires="k >= 1 and eps > 0")
def intervals(heights: list[float], k: int, eps: float) -> list[int]:
    """Each height is in one interval at the most: 2*eps."""
    out = []
    for i in range(k):
        count = 0
        for h in heights:
            if 5 * i <= h and h < 5 * (i + 1):
                count += 1
        out.append(laplace(count, 1 / eps))
    return out


@mechanism(adjacent={"rows": add_remove_distance()}, requires="n >= 1 and m >= 1 and eps > 0")
def table(rows: list[tuple[int, int]], n: int, m: int, eps: float) -> list[int]:
    """A row is in one cell of the table at the most: eps."""
    out = []
    for i in range(n):
        for j in range(m):
            count = 0
            for group, answer in rows:
                if group == i and answer == j:
                    count += 1
            out.append(laplace(count, 1 / eps))
    return out


@mechanism(adjacent={"sales": change_one_distance()}, requires="k >= 1 and cap > 0 and eps > 0")
def sums_per_branch(sales: list[tuple[int, float]], k: int, cap: float, eps: float) -> list[float]:
    """What a sale adds, between 0 and cap, goes to one sum: 2*eps."""
    out = []
    for branch in range(k):
        total = 0.0
        for where, amount in sales:
            total += min(max(amount, 0), cap) if where == branch else 0
        out.append(laplace(total, cap / eps))
    return out


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0")
def twelve_cells(x: list[int], eps: float) -> list[int]:
    """One of twelve counts moves: eps."""
    counts = [0] * 12
    for v in x:
        if 0 <= v < 12:
            counts[v] += 1
    return [laplace(count, 1 / eps) for count in counts]


@mechanism(adjacent={"x": add_remove_distance()}, requires="k >= 1 and eps > 0")
def cells_that_overlap(x: list[int], k: int, eps: float) -> list[int]:
    """A record is in two cells: 2*eps."""
    out = []
    for cell in range(k):
        count = 0
        for v in x:
            if v == cell or v == cell + 1:
                count += 1
        out.append(laplace(count, 1 / eps))
    return out


@mechanism(adjacent={"x": change_one_distance()}, requires="k >= 2 and eps > 0")
def cells_as_if_one_were_left(x: list[int], k: int, eps: float) -> list[int]:
    """A record leaves a cell and joins one, so eps is false."""
    out = []
    for cell in range(k):
        count = 0
        for v in x:
            if v == cell:
                count += 1
        out.append(laplace(count, 1 / eps))
    return out


@mechanism(adjacent={"x": add_remove_distance()}, requires="k >= 2 and eps > 0")
def cells_from_below(x: list[int], k: int, eps: float) -> list[int]:
    """A record below all thresholds is counted k times, so eps is false."""
    out = []
    for cell in range(k):
        count = 0
        for v in x:
            if v <= cell:
                count += 1
        out.append(laplace(count, 1 / eps))
    return out


@mechanism(
    adjacent={"x": add_remove_distance()}, requires="k >= 1 and eps > 0 and all(0 <= v < k for v in x)"
)
def counts_by_index(x: list[int], k: int, eps: float) -> list[int]:
    """A record is counted once: eps."""
    counts = [0] * k
    for v in x:
        counts[v] += 1
    return [laplace(count, 1 / eps) for count in counts]


@mechanism(adjacent={"x": change_one_distance()}, requires="k >= 1 and eps > 0")
def counts_by_index_of_some(x: list[int], k: int, eps: float) -> list[int]:
    """A record leaves a cell and joins one: 2*eps."""
    counts = [0] * k
    for v in x:
        if v < 0 or v >= k:
            continue
        counts[v] += 1
    return [laplace(count, 1 / eps) for count in counts]


@mechanism(adjacent={"x": add_remove_distance()}, requires="k >= 1 and eps > 0")
def cells_of_a_function(x: list[int], cell_of: Callable[[int], int], k: int, eps: float) -> list[int]:
    """A record is in the cell that a public function says: eps."""
    out = []
    for cell in range(k):
        count = 0
        for v in x:
            if cell_of(v) == cell:
                count += 1
        out.append(laplace(count, 1 / eps))
    return out


@mechanism(
    adjacent={"rows": change_one_distance()}, requires="k >= 1 and width > 0 and cap > 0 and eps > 0"
)
def sums_of_cells_of_a_width(
    rows: list[tuple[float, float]], k: int, low: float, width: float, cap: float, eps: float
) -> list[float]:
    """A record leaves a cell and joins one, and adds at most cap: 2*eps."""
    sums = []
    for cell in range(k):
        total = 0.0
        for place, amount in rows:
            if floor((place - low) / width) == cell:
                total += min(max(amount, 0.0), cap)
        sums.append(total)
    return [laplace(total, cap / eps) for total in sums]


@mechanism(adjacent={"x": add_remove_distance()}, requires="k >= 1 and eps > 0")
def cells_of_two_functions(
    x: list[int], one: Callable[[int], int], other: Callable[[int], int], k: int, eps: float
) -> list[int]:
    """A record may be in two cells: 2*eps."""
    out = []
    for cell in range(k):
        count = 0
        for v in x:
            if one(v) == cell or other(v) == cell:
                count += 1
        out.append(laplace(count, 1 / eps))
    return out


@mechanism(adjacent={"x": add_remove_distance()}, requires="k >= 1 and eps > 0")
def cells_that_a_record_may_share(
    x: list[int], in_cell: Callable[[int, int], int], k: int, eps: float
) -> list[int]:
    """The function may put a record into all cells: k*eps."""
    out = []
    for cell in range(k):
        count = 0
        for v in x:
            if in_cell(v, cell) == cell:
                count += 1
        out.append(laplace(count, 1 / eps))
    return out


@mechanism(adjacent={"seconds": add_remove_distance()}, requires="eps > 0 and slots >= 1 and start < stop")
def cells_of_a_named_width(seconds: list[float], start: float, stop: float, slots: int, eps: float) -> list[float]:
    """The span and the width have names; what is outside goes into the cells at the ends, by branches."""
    span = stop - start
    width = span / slots
    seen = [0] * slots
    for s in seconds:
        at = int((s - start) // width)
        if at < 0:
            at = 0
        elif at >= slots:
            at = slots - 1
        seen[at] += 1
    return [max(n + np.random.laplace(0, 1 / eps), 0) for n in seen]


@mechanism(adjacent={"data": change_one_distance()}, requires="eps > 0 and bins >= 1 and lower < upper")
def cells_by_quotients(data: list[float], lower: float, upper: float, bins: int, eps: float) -> list[float]:
    """Towards 0, in two steps, in a list: a record that is another one moves two cells."""
    counts = [0] * bins
    step = (upper - lower) / bins
    for x in data:
        quotient = (x - lower) / step
        counts[min(max(int(quotient), 0), bins - 1)] += 1
    return [count + np.random.laplace(scale=1 / eps) for count in counts]
