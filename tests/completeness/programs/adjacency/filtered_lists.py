"""Records are filtered or clipped into a list, and the list is added up."""

from dataclasses import dataclass

import numpy as np

from synth.lang import *


@dataclass
class Row:
    age: float
    ok: bool


@mechanism(adjacent={"rows": add_remove_distance()}, requires="eps > 0")
def mean_age(rows: list[Row], eps: float) -> float:
    """A row adds at most 100 to the sum and 1 to the count: eps/2 each."""
    ages = [row.age for row in rows if row.ok]
    clipped = [min(max(age, 0.0), 100.0) for age in ages]
    total = sum(clipped) + np.random.laplace(0, 200 / eps)
    count = len(clipped) + np.random.laplace(0, 2 / eps)
    return total / max(1.0, count)


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0")
def sum_by_position(x: list[float], eps: float) -> float:
    """At most 2 each: eps."""
    kept = []
    for v in x:
        if v > 2:
            continue
        kept.append(max(0.0, v))
    s = 0.0
    for i in range(len(kept)):
        s += kept[i]
    return s + np.random.laplace(0, 2 / eps)


def clip_all(xs, low, high):
    return [min(max(v, low), high) for v in xs]


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0")
def unless_empty(x: list[float], eps: float) -> float:
    """At most 1 changes: eps."""
    xs = clip_all([v for v in x if v > -3], 0, 1)
    if not xs:
        return np.random.laplace(0, 1 / eps)
    return sum(xs) + np.random.laplace(0, 1 / eps)


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0")
def two_groups(x: list[float], eps: float) -> tuple[float, float]:
    """An entry is in one of the groups at most: eps."""
    xs = [v for v in x if v > 0]
    big = sum(1 for v in xs if v > 10)
    small = sum(1 for v in xs if v <= 10)
    return (big + np.random.laplace(0, 1 / eps), small + np.random.laplace(0, 1 / eps))
