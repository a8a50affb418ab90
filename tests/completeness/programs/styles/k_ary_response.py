"""Randomized response among k answers: the truth with probability e^eps / (e^eps + k - 1)."""

import math
import random

import numpy as np

from synth.lang import bernoulli, discrete_distance, mechanism, uniform_int



@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and k >= 2 and 0 <= x and x < k")
def with_the_language(x: int, k: int, eps: float) -> int:
    p = math.exp(eps) / (math.exp(eps) + k - 1)
    if bernoulli(p):
        return x
    other = uniform_int(0, k - 2)
    return other if other < x else other + 1


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and k >= 2 and 0 <= x < k")
def with_numpy(x: int, k: int, eps: float) -> int:
    p = np.exp(eps) / (np.exp(eps) + k - 1)
    if np.random.random() < p:
        return x
    other = np.random.randint(0, k - 1)
    return other + 1 if other >= x else other


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and k >= 2 and 0 <= x < k")
def with_weights(x: int, k: int, eps: float) -> int:
    weights = [math.exp(eps) if i == x else 1.0 for i in range(k)]
    return random.choices(range(k), weights)[0]


class Perturber:
    def __init__(self, k: int, eps: float):
        self.k = k
        self.p = math.exp(eps) / (math.exp(eps) + k - 1)

    def perturb(self, x: int) -> int:
        if random.uniform(0, 1) <= self.p:
            return x
        other = random.randrange(self.k - 1)
        if other >= x:
            other += 1
        return other


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and k >= 2 and 0 <= x < k")
def with_a_class(x: int, k: int, eps: float) -> int:
    return Perturber(k, eps).perturb(x)


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and 0 <= x < k")
def with_a_precondition(x: int, k: int, eps: float) -> int:
    if k < 2:
        raise ValueError("there must be two answers")
    assert 0 <= x < k
    if np.random.binomial(1, math.exp(eps) / (math.exp(eps) + k - 1)):
        return x
    other = random.randint(0, k - 2)
    return other if other < x else other + 1
