"""Unary encoding of one of three values: each bit flips with probability 1 / (1 + exp(eps / 2))."""

import math
import random

import numpy as np

from synth.lang import discrete_distance, mechanism, randomized_response


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and 0 <= x < 3")
def with_a_loop(x: int, eps: float) -> list[bool]:
    bits = []
    for i in range(3):
        bits.append(randomized_response(x == i, eps / 2))
    return bits


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and 0 <= x < 3")
def with_a_comprehension(x: int, eps: float) -> list[int]:
    p = math.exp(eps / 2) / (1 + math.exp(eps / 2))
    return [int((x == i) == (random.random() < p)) for i in range(3)]


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and 0 <= x < 3")
def with_numpy(x: int, eps: float) -> "np.ndarray":
    q = 1 / (1 + np.exp(eps / 2))
    bits = np.zeros(3, dtype=int)
    bits[x] = 1
    flips = np.random.random(3) < q
    return np.where(flips, 1 - bits, bits)


class Encoder:
    def __init__(self, eps: float):
        self.keep = math.exp(eps / 2) / (math.exp(eps / 2) + 1)

    def bit(self, truth: bool) -> bool:
        if random.random() < self.keep:
            return truth
        return not truth


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and 0 <= x < 3")
def with_a_class(x: int, eps: float) -> tuple[bool, bool, bool]:
    encoder = Encoder(eps)
    return encoder.bit(x == 0), encoder.bit(x == 1), encoder.bit(x == 2)


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and 0 <= x < 3")
def with_a_dict(x: int, eps: float) -> dict[str, bool]:
    names = ("red", "green", "blue")
    keep = 1 / (1 + math.exp(-eps / 2))
    return {name: (x == i) if random.random() < keep else (x != i) for i, name in enumerate(names)}
