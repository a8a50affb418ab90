"""Noise that is drawn before what it is added to."""

import numpy as np
from numpy.random import Generator

from synth.lang import add_remove_distance, change_one_distance, laplace, mechanism


class Noise:
    def __init__(self, eps: float):
        self.eps = eps

    def value(self) -> float:
        return np.random.laplace(0, 1 / self.eps)


@mechanism(adjacent={"q": add_remove_distance(1)}, requires="eps > 0")
def sum_in_one_expression(q: list[float], eps: float, rng: Generator) -> float:
    return rng.laplace(0, 1 / eps) + sum(np.clip(q, 0, 1))


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0")
def counted_behind(q: list[int], eps: float) -> float:
    noise = np.random.laplace(0, 1 / eps)
    matches = 0
    for x in q:
        if x > 3:
            matches += 1
    return noise + matches


@mechanism(adjacent={"data": change_one_distance(10)}, requires="eps > 0 and len(data) >= 1")
def mean_of_changed(data: list[float], eps: float) -> float:
    noise = np.random.laplace(0, 10 / eps / len(data))
    return np.mean(data) + noise


@mechanism(adjacent={"q": add_remove_distance(1)}, requires="eps > 0")
def noise_of_an_object(q: list[float], eps: float) -> float:
    drawn = Noise(eps).value()
    kept = drawn
    total = 0.0
    for x in q:
        total += min(max(x, 0), 1)
    result = total - kept
    return max(result, 0)


@mechanism(adjacent={"q": add_remove_distance(1)}, requires="eps > 0")
def quotient(q: list[float], eps: float) -> float:
    first = np.random.laplace(0, 2 / eps)
    second = np.random.laplace(scale=2 / eps)
    return (sum(np.clip(q, 0, 1)) + first) / max(1, len(q) + second)


@mechanism(adjacent={"q": add_remove_distance(1)}, requires="eps > 0")
def left_early(q: list[float], eps: float, skip: bool) -> float:
    noise = np.random.laplace(0, 1 / eps)
    if skip:
        return 0.0
    return sum(np.clip(q, 0, 1)) + noise


@mechanism(adjacent={"data": change_one_distance()}, requires="eps > 0")
def counted_behind_on_integers(data: list[int], eps: float) -> int:
    noise = laplace(0, 1 / eps)
    matches = 0
    for x in data:
        if x > 3:
            matches += 1
    return matches + noise


@mechanism(adjacent={"q": add_remove_distance(1)}, requires="eps > 0", epsilon="eps")
def told_besides(q: list[float], eps: float) -> tuple[float, float]:
    noise = np.random.laplace(0, 1 / eps)
    return sum(np.clip(q, 0, 1)) + noise, noise
