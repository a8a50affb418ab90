"""Means of clipped records, whose number is counted on the way, or is the length of a list of them."""

import statistics

import numpy as np

from synth.lang import change_one_distance, laplace, mechanism


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and top > 0 and len(xs) >= 1")
def mean_of_a_list(xs: list[float], top: float, eps: float) -> float:
    clipped = [min(max(x, 0), top) for x in xs]
    n = len(clipped)
    return laplace(sum(clipped) / n, top / (n * eps))


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and top > 0 and len(xs) >= 1")
def mean_of_a_list_made_in_branches(xs: list[float], top: float, eps: float) -> float:
    clipped = []
    for x in xs:
        if x < 0:
            clipped.append(0.0)
        elif x > top:
            clipped.append(top)
        else:
            clipped.append(x)
    return sum(clipped) / len(clipped) + np.random.laplace(0, top / len(clipped) / eps)


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and top > 0 and len(xs) >= 1")
def mean_by_a_library(xs: list[float], top: float, eps: float) -> float:
    return statistics.fmean([min(max(x, 0), top) for x in xs]) + np.random.laplace(0, top / eps / len(xs))


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and top > 0 and len(xs) >= 1")
def mean_of_counted_records(xs: list[float], top: float, eps: float) -> float:
    total, n, i = 0.0, 0, 0
    while i < len(xs):
        total = total + min(max(xs[i], 0), top)
        i = i + 1
        n = n + 1
    sensitivity = top / n
    return total / n + np.random.laplace(0, sensitivity / eps)


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and top > 0 and len(xs) >= 1")
def mean_by_sums_of_ones(xs: list[float], top: float, eps: float) -> float:
    n = sum(1 for _ in xs)
    return laplace(sum(min(max(x, 0), top) for x in xs) / n, top / (n * eps))


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and top > 0 and len(xs) >= 1", epsilon="eps")
def mean_with_records_counted_twice(xs: list[float], top: float, eps: float) -> float:
    """The noise is half of what it should be."""
    total, n = 0.0, 0
    for x in xs:
        total += min(max(x, 0), top)
        n += 2
    return laplace(total / len(xs), top / (n * eps))


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and top > 0 and len(xs) >= 1", epsilon="eps")
def mean_of_positive_records(xs: list[float], top: float, eps: float) -> float:
    """How many are counted is private, and so is the scale."""
    total, n = 0.0, 1
    for x in xs:
        if x > 0:
            total += min(x, top)
            n += 1
    return laplace(total / n, top / (n * eps))
