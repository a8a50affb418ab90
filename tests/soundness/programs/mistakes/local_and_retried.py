"""Local mechanisms and retries, each with one mistake."""

import random

import numpy as np

from synth.lang import *


@mechanism(adjacent={"v": discrete_distance()}, requires="eps > 0 and k >= 2 and 0 <= v < k", epsilon="eps")
def unary_wrong_p(v: int, k: int, eps: float) -> list[bool]:
    """p = e^(eps/2)/(1 + e^(eps/2)) and q = 1/(1 + e^eps)."""
    p = exp(eps / 2) / (1 + exp(eps / 2))
    q = 1 / (1 + exp(eps))
    return [bernoulli(p) if i == v else bernoulli(q) for i in range(k)]


@mechanism(adjacent={"v": discrete_distance()}, requires="eps > 0 and 0 <= v < 4", epsilon="eps")
def unary_numpy(v: int, eps: float) -> list[int]:
    """p for one bit with all of eps."""
    p = np.exp(eps) / (np.exp(eps) + 1)
    bits = []
    for i in range(4):
        bit = 1 if i == v else 0
        if random.random() < p:
            bits.append(bit)
        else:
            bits.append(1 - bit)
    return bits


@mechanism(adjacent={"v": discrete_distance()}, requires="eps > 0 and k >= 3 and 0 <= v < k", epsilon="eps")
def k_ary_wrong(v: int, k: int, eps: float) -> int:
    """p as if there were two values, the rest uniform on all but the first."""
    if bernoulli(exp(eps) / (exp(eps) + 1)):
        return v
    return (v + uniform_int(1, k - 1)) % k


@mechanism(adjacent={"bit": discrete_distance()}, epsilon="log(2)")
def warner_coin(bit: bool) -> bool:
    """Truth with 3/4: log 3."""
    if bernoulli(1 / 2):
        return bit
    return bernoulli(1 / 2)


@mechanism(adjacent={"bits": change_one_distance()}, requires="eps > 0", epsilon="eps")
def every_bit_twice(bits: list[bool], eps: float) -> list[bool]:
    out = []
    for b in bits:
        out.append(randomized_response(b, eps))
        out.append(randomized_response(b, eps / 4))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def until_inside(x: int, eps: float) -> int:
    """Noise is drawn again until the answer is in range: costs twice eps."""
    y = laplace(x, 1 / eps)
    while y < 0 or y > 10:
        y = laplace(x, 1 / eps)
    return y


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def until_positive(x: float, eps: float) -> float:
    """A noisy count that must be positive."""
    while True:
        y = laplace(x, 1 / eps)
        if y > 0:
            return y


@mechanism(adjacent={"v": discrete_distance()}, requires="0 <= v < 4", epsilon="log(2)")
def coin_retry(v: int) -> int:
    """Rejection sampling that accepts the truth more often."""
    while True:
        r = uniform_int(0, 3)
        if bernoulli(0.9 if r == v else 0.3):
            return r


@mechanism(adjacent={"bit": discrete_distance()}, requires="eps > 0", epsilon="eps")
def two_flips(bit: bool, eps: float) -> tuple[bool, bool]:
    """A permanent and an instantaneous response, with eps each."""
    kept = randomized_response(bit, 2 * eps)
    return randomized_response(kept, 3 * eps), randomized_response(kept, 3 * eps)
