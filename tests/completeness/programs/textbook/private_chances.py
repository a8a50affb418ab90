"""Coins whose chances are private numbers, as local privacy has them, at an ε that is a parameter."""

import math
from random import random

import numpy as np

from synth.lang import *


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and -1 <= x <= 1", epsilon="eps")
def one_bit_of_a_mean(x: float, eps: float) -> bool:
    """Duchi, Jordan & Wainwright in one dimension."""
    return bernoulli(x * (exp(eps) - 1) / (2 * (exp(eps) + 1)) + 1 / 2)


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0", epsilon="eps")
def scaled_bit_of_a_mean(x: float, eps: float) -> float:
    """The same, clipped by branches, as the unbiased estimate."""
    if x > 1:
        x = 1.0
    elif x < -1:
        x = -1.0
    a = (math.exp(eps) - 1) / (math.exp(eps) + 1)
    sign = 2 * (random() < (1 + a * x) / 2) - 1
    return sign / a


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0 and m > 0", epsilon="eps")
def one_bit_of_each(x: list[float], eps: float, m: float) -> list[float]:
    """Ding, Kulkarni & Yekhanin 2017, of values up to m."""
    e = np.exp(eps)
    out = []
    for v in x:
        u = min(max(v, 0), m)
        p = 1 / (e + 1) + (u / m) * (e - 1) / (e + 1)
        b = random() < p
        out.append(m * (b * (e + 1) - 1) / (e - 1))
    return out


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and m > 0", epsilon="eps")
def rounded_then_response(x: float, eps: float, m: float) -> bool:
    b = bernoulli(np.clip(x, 0, m) / m)
    return randomized_response(b, eps)


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0", epsilon="eps")
def rounded_bits(x: list[float], eps: float) -> list[bool]:
    out = []
    for v in x:
        b = bernoulli(min(max(v, 0), 1))
        out.append(randomized_response(b, eps))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="log((3 + exp(eps))/4)")
def near_neighbours(x: float, eps: float) -> bool:
    """A quarter of the range apart."""
    u = min(max(x, 0), 4)
    return bernoulli(1 / (exp(eps) + 1) + u / 4 * (exp(eps) - 1) / (exp(eps) + 1))


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def logistic(x: float, eps: float) -> bool:
    return bernoulli(1 / (1 + exp(-eps * x)))


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and s > 0", epsilon="eps/s")
def logistic_in_steps(x: float, s: float, eps: float) -> bool:
    z = eps * x / s
    p = 1.0 / (1.0 + np.exp(-z))
    if np.random.random() < p:
        return True
    return False


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 2", epsilon="eps")
def better_of_two(q: list[float], eps: float) -> int:
    """The exponential mechanism of two candidates."""
    a, b = math.exp(eps * q[0] / 2), math.exp(eps * q[1] / 2)
    return 0 if random() < a / (a + b) else 1


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and x >= 0", epsilon="eps")
def half_of_an_exponential(x: float, eps: float) -> bool:
    return bernoulli(exp(-eps * x) / 2)


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0", epsilon="eps")
def one_bit_for_a_mean(x: float, eps: float) -> int:
    """Duchi, Jordan & Wainwright 2013, with the two answers named."""
    low, high = -1, 1
    v = min(max(x, low), high)
    chance = (v * (exp(eps) - 1) + exp(eps) + 1) / (2 * exp(eps) + 2)
    return high if bernoulli(chance) else low
