"""Unary encoding of one of k values, k a parameter: bits in an array, coins in another one, or both in turn.

Symmetric: each bit is kept with the probability 1 / (1 + exp(-eps / 2)). Optimized (Wang et al. 2017): a one is kept
with 1/2, a zero is raised with 1 / (1 + exp(eps)).
"""

import math
import random

import numpy as np
import numpy.typing as npt

from synth.lang import change_one_distance, discrete_distance, mechanism

generator = np.random.default_rng()


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and k >= 2 and 0 <= x < k", epsilon="eps")
def kept_where(x: int, k: int, eps: float) -> "np.ndarray":
    one_hot = np.zeros(k)
    one_hot[x] = 1
    keep = 1 / (1 + math.exp(-eps / 2))
    return np.where(generator.random(k) < keep, one_hot, 1 - one_hot)


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and k >= 2 and 0 <= x < k", epsilon="eps")
def unlike_coins(x: int, k: int, eps: float) -> "np.ndarray":
    truth = np.zeros(k, dtype=bool)
    truth[x] = True
    lies = np.random.random(k) < 1 / (1 + np.exp(eps / 2))
    return truth ^ lies


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and k >= 2 and 0 <= x < k", epsilon="eps")
def flipped_in_place(x: int, k: int, eps: float) -> "np.ndarray":
    bits = np.zeros(k, dtype=int)
    bits[x] = 1
    turned = np.random.rand(k) >= 1 / (1 + np.exp(-eps / 2))
    bits[turned] = 1 - bits[turned]
    return bits


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and k >= 2 and 0 <= x < k", epsilon="eps")
def reals_in_a_loop(x: int, k: int, eps: float) -> "np.ndarray":
    one_hot = np.zeros(k)
    one_hot[x] = 1
    reported = np.zeros(k)
    for i in range(k):
        if random.random() < 1 / (1 + math.exp(-eps / 2)):
            reported[i] = one_hot[i]
        else:
            reported[i] = 1 - one_hot[i]
    return reported


def report_bit(bit: int, kept: float, raised: float):
    u = random.random()
    if bit == 1:
        if u < kept:
            return 1
        else:
            return 0
    elif bit == 0:
        if u < raised:
            return 1
        else:
            return 0


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and k >= 2 and 0 <= x < k", epsilon="eps")
def with_two_tests_of_a_bit(x: int, k: int, eps: float) -> list[int]:
    encoded = [1 if value == x else 0 for value in range(k)]
    return [report_bit(bit, 1 / 2, 1 / (1 + math.exp(eps))) for bit in encoded]


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and k >= 2 and 0 <= x < k", epsilon="eps")
def one_coin_for_all(x: int, k: int, eps: float) -> "np.ndarray":
    one_hot = np.zeros(k)
    one_hot[x] = 1
    keep = 1 / (1 + math.exp(-eps / 2))
    if generator.random() < keep:
        return one_hot
    return 1 - one_hot


@mechanism(adjacent={"bits": change_one_distance()}, requires="eps > 0", epsilon="eps")
def limits_that_bits_choose(bits: npt.NDArray[np.bool_], eps: float) -> npt.NDArray[np.bool_]:
    p = np.exp(eps) / (1 + np.exp(eps))
    u = np.random.random(len(bits))
    return np.where(bits, u < p, u < 1 - p)


@mechanism(adjacent={"item": discrete_distance()}, requires="eps > 0 and d >= 2 and 0 <= item < d")
def thresholded_marks(item: int, d: int, theta: float, eps: float):
    """Two places differ by 1 each."""
    vector = [0] * d
    vector[item] = 1
    noisy = [bit + np.random.laplace(scale=2 / eps) for bit in vector]
    return [1 if v > theta else 0 for v in noisy]


@mechanism(adjacent={"item": discrete_distance()}, requires="eps > 0 and d >= 2 and 0 <= item < d")
def thresholded_marks_with_half_the_noise(item: int, d: int, theta: float, eps: float):
    """As if one place differed."""
    vector = [0] * d
    vector[item] = 1
    noisy = [bit + np.random.laplace(scale=1 / eps) for bit in vector]
    return [1 if v > theta else 0 for v in noisy]
