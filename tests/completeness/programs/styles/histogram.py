"""Counts per group; one record may change, which moves two counts by 1."""

from collections import Counter, defaultdict
from enum import Enum

import numpy as np

from synth.lang import change_one_distance, laplace, mechanism


@mechanism(adjacent={"group": change_one_distance()}, requires="eps > 0")
def with_loops(group: list[int], eps: float) -> tuple[int, int, int]:
    a = b = c = 0
    for g in group:
        if g == 0:
            a += 1
        elif g == 1:
            b += 1
        elif g == 2:
            c += 1
    return laplace(a, 2 / eps), laplace(b, 2 / eps), laplace(c, 2 / eps)


@mechanism(adjacent={"group": change_one_distance()}, requires="eps > 0")
def with_item_assignment(group: list[int], eps: float) -> list[float]:
    counts = [0] * 3
    for g in group:
        if 0 <= g < 3:
            counts[g] += 1
    return [n + np.random.laplace(scale=2 / eps) for n in counts]


@mechanism(adjacent={"group": change_one_distance()}, requires="eps > 0")
def with_numpy(group: list[int], eps: float) -> "np.ndarray":
    data = np.array(group)
    counts = np.array([(data == k).sum() for k in range(3)])
    return counts + np.random.laplace(scale=2 / eps, size=3)


@mechanism(adjacent={"group": change_one_distance()}, requires="eps > 0")
def with_a_counter(group: list[int], eps: float) -> dict[int, float]:
    counts = Counter(group)
    return {k: counts[k] + np.random.laplace(scale=2 / eps) for k in (0, 1, 2)}


class Colour(Enum):
    RED = 0
    GREEN = 1
    BLUE = 2


@mechanism(adjacent={"group": change_one_distance()}, requires="eps > 0")
def with_an_enum(group: list[int], eps: float) -> dict[str, float]:
    counts = defaultdict(int)
    for g in group:
        for colour in Colour:
            if g == colour.value:
                counts[colour.name] += 1
    return {colour.name: counts[colour.name] + np.random.laplace(scale=2 / eps) for colour in Colour}
