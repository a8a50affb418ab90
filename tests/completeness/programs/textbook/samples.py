"""Mechanisms on a Poisson sample of the records (Li, Qardaji & Su 2012): a coin decides of each whether it is taken."""

import random

import numpy as np

from synth.lang import *


@mechanism(
    adjacent={"data": add_remove_distance()},
    requires="eps > 0 and 0 < p and p < 1",
    epsilon="log(1 + p*(exp(eps) - 1))",
)
def count_of_a_sample(data: list[int], t: int, p: float, eps: float) -> int:
    count = 0
    for v in data:
        if bernoulli(p) and v > t:
            count = count + 1
    return laplace(count, 1 / eps)


@mechanism(
    adjacent={"data": add_remove_distance()}, requires="eps > 0 and 0 < p and p < 1", epsilon="eps"
)
def sum_of_a_sample(data: list[float], p: float, eps: float) -> float:
    every = log(1 + (exp(eps) - 1) / p)
    sample = [min(max(v, 0.0), 1.0) for v in data if random.random() < p]
    return laplace(sum(sample), 1 / every)


@mechanism(
    adjacent={"data": add_remove_distance()},
    requires="eps > 0 and 0 < p and p < 1",
    epsilon="log(1 + p*(exp(2*eps) - 1))",
)
def mean_of_a_sample(data: list[float], p: float, eps: float) -> tuple[float, int]:
    total = 0.0
    n = 0
    for v in data:
        if not bernoulli(p):
            continue
        total += min(max(v, -1.0), 1.0)
        n += 1
    return laplace(total, 1 / eps), laplace(n, 1 / eps)


@mechanism(
    adjacent={"data": add_remove_distance()},
    requires="0 < eps and eps <= 1 and 0 < delta and delta < 1",
    epsilon="log(1 + 0.1*(exp(eps) - 1))",
    delta="delta/10",
)
def gradient_of_a_sample(data: list[float], w: float, eps: float, delta: float) -> float:
    rng = np.random.default_rng()
    gradient = 0.0
    for v in data:
        taken = rng.random() < 0.1
        if taken:
            gradient += np.clip(w - v, -1, 1)
    return gradient + rng.normal(0, sqrt(2 * log(1.25 / delta)) / eps)


@mechanism(
    adjacent={"data": add_remove_distance()}, requires="eps > 0", epsilon="log((3 + exp(eps))/4)"
)
def list_of_a_sample(data: list[float], eps: float) -> float:
    return laplace(len(poisson(data, 0.25)), 1 / eps)


def poisson(data, p):
    taken = []
    for v in data:
        if bernoulli(p):
            taken.append(v)
    return taken


@mechanism(
    adjacent={"data": add_remove_distance()},
    requires="eps > 0 and 0 < p and p < 1",
    epsilon="log(1 + p*(exp(eps) - 1))",
)
def sample_beside_the_number_of_all(data: list[float], p: float, eps: float) -> tuple[float, int]:
    total = 0.0
    n = 0
    for v in data:
        n += 1
        if bernoulli(p):
            total += min(max(v, -1.0), 1.0)
    return laplace(total, 2 / eps), laplace(n, 2 / eps)


@mechanism(
    adjacent={"data": add_remove_distance()}, requires="eps > 0 and 0 < p and p < 1", epsilon="p*eps"
)
def sample_that_costs_too_little(data: list[float], p: float, eps: float) -> int:
    n = 0
    for _ in data:
        if bernoulli(p):
            n += 1
    return laplace(n, 1 / eps)


@mechanism(
    adjacent={"data": add_remove_distance()}, requires="eps > 0 and 0 < p and p < 1", epsilon="eps"
)
def sample_that_could_cost_less(data: list[float], p: float, eps: float) -> int:
    n = 0
    for _ in data:
        if bernoulli(p):
            n += 1
    return laplace(n, 1 / eps)


@mechanism(
    adjacent={"data": add_remove_distance()},
    requires="0 < eps and eps <= 1 and 0 < delta and delta < 1 and 0 < p and p < 1",
    epsilon="eps",
    delta="p*delta",
)
def gaussian_sample_that_could_cost_less(data: list[float], p: float, eps: float, delta: float) -> float:
    total = 0.0
    for v in data:
        if bernoulli(p):
            total += min(max(v, 0.0), 1.0)
    return gaussian(total, sqrt(2 * log(1.25 / delta)) / eps)


@mechanism(
    adjacent={"data": add_remove_distance()},
    requires="eps > 0 and 0 < p < 1",
    epsilon="log(1 + p*(exp(eps) - 1))",
)
def sample_by_position(data: list[bool], p: float, eps: float) -> float:
    """What is added is computed behind the coin."""
    count = 0
    i = 0
    while i < len(data):
        taken = bernoulli(p)
        hit = 1 if data[i] else 0
        if taken:
            count += hit
        i += 1
    return count + laplace(0.0, 1 / eps)


@mechanism(
    adjacent={"data": add_remove_distance()},
    requires="eps > 0 and 0 < p < 1 and b > 0",
    epsilon="log(1 + p*(exp(eps) - 1))",
)
def sum_over_a_sample(data: list[float], p: float, b: float, eps: float) -> float:
    sample = []
    for v in data:
        if bernoulli(p):
            sample.append(v)
    total = 0.0
    for v in sample:
        total += min(max(v, 0), b)
    return laplace(total, b / eps)


@mechanism(
    adjacent={"data": add_remove_distance()}, requires="eps > 0 and 0 < p < 1", epsilon="log(1 + p*(exp(eps) - 1))"
)
def two_counts_of_a_sample(data: list[bool], p: float, eps: float) -> tuple[float, float]:
    """The sample is counted twice, each time with all of the budget."""
    count = 0
    for v in data:
        count += 1 if bernoulli(p) and v else 0
    return count + laplace(0.0, 1 / eps), count + laplace(0.0, 1 / eps)
