"""How many records are above a limit; one record may change."""

from collections import Counter

import numpy as np

from synth.lang import change_one_distance, laplace, mechanism


@mechanism(adjacent={"ages": change_one_distance()}, requires="eps > 0")
def with_a_loop(ages: list[int], limit: int, eps: float) -> int:
    n = 0
    for age in ages:
        if age > limit:
            n += 1
    return laplace(n, 1 / eps)


@mechanism(adjacent={"ages": change_one_distance()}, requires="eps > 0")
def with_a_generator(ages: list[int], limit: int, eps: float) -> float:
    return sum(1 for age in ages if age > limit) + np.random.laplace(scale=1 / eps)


@mechanism(adjacent={"ages": change_one_distance()}, requires="eps > 0")
def with_numpy(ages: list[int], limit: int, eps: float) -> float:
    data = np.array(ages)
    return (data > limit).sum() + np.random.laplace(scale=1 / eps)


class Survey:
    def __init__(self, limit: int):
        self.limit = limit
        self.count = 0

    def add(self, age: int) -> None:
        if age > self.limit:
            self.count += 1


@mechanism(adjacent={"ages": change_one_distance()}, requires="eps > 0")
def with_a_class(ages: list[int], limit: int, eps: float) -> float:
    survey = Survey(limit)
    for age in ages:
        survey.add(age)
    return survey.count + np.random.laplace(0, 1 / eps)


@mechanism(adjacent={"ages": change_one_distance()}, requires="eps > 0")
def with_a_counter(ages: list[int], limit: int, eps: float) -> float:
    groups = Counter("old" if age > limit else "young" for age in ages)
    return groups["old"] + np.random.laplace(scale=1 / eps)


@mechanism(adjacent={"ages": change_one_distance()}, requires="eps > 0")
def with_an_early_return(ages: list[int], limit: int, eps: float) -> float:
    if not ages:
        return 0.0 + np.random.laplace(scale=1 / eps)
    above = [age for age in ages if age > limit]
    return len(above) + np.random.laplace(scale=1 / eps)
