"""Noise that is added in place, generators, and objects that hold the data or the result.

In the style of small repositories: Laplace noise on a histogram that is given, sparse vector as a generator, a class
around a data set, a result with what it cost.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from synth.lang import (
    absolute_distance,
    add_remove_distance,
    change_one_distance,
    l1_distance,
    linf_distance,
    mechanism,
)


@mechanism(adjacent={"histogram": l1_distance(1)}, requires="epsilon > 0", epsilon="epsilon")
def noised_in_place(histogram: list[float], epsilon: float) -> list[float]:
    for i in range(len(histogram)):
        histogram[i] += np.random.laplace(0, 1 / epsilon)
    return histogram


@mechanism(adjacent={"histogram": l1_distance(1)}, requires="epsilon > 0", epsilon="epsilon")
def noised_in_place_too_little(histogram: list[float], epsilon: float) -> list[float]:
    for i in range(len(histogram)):
        histogram[i] += np.random.laplace(0, 1 / (2 * epsilon))
    return histogram


def answers_above(values: list[float], threshold: float, epsilon: float) -> Iterator[int]:
    noisy_threshold = threshold + np.random.laplace(0, 2 / epsilon)
    for i, value in enumerate(values):
        if value + np.random.laplace(0, 4 / epsilon) >= noisy_threshold:
            yield i
            return


@mechanism(adjacent={"values": linf_distance(1)}, requires="epsilon > 0", epsilon="epsilon")
def first_of_a_generator(values: list[float], threshold: float, epsilon: float) -> int:
    for i in answers_above(values, threshold, epsilon):
        return i
    return -1


class Dataset:
    def __init__(self, data: list[float], upper: float) -> None:
        self._data = data
        self._upper = upper

    def count(self, epsilon: float) -> float:
        return len(self._data) + np.random.laplace(0, 1 / epsilon)

    def sum(self, epsilon: float) -> float:
        return sum(min(max(v, 0), self._upper) for v in self._data) + np.random.laplace(
            0, self._upper / epsilon
        )


@mechanism(adjacent={"data": add_remove_distance()}, requires="upper > 0 and epsilon > 0", epsilon="epsilon")
def count_and_sum(data: list[float], upper: float, epsilon: float) -> tuple[float, float]:
    dataset = Dataset(data, upper)
    return dataset.count(epsilon / 2), dataset.sum(epsilon / 2)


@dataclass
class Release:
    value: float
    epsilon: float


@mechanism(adjacent={"x": absolute_distance(1)}, requires="epsilon > 0", epsilon="epsilon")
def two_releases(x: float, epsilon: float) -> tuple[Release, Release]:
    half = epsilon / 2
    first = Release(x + np.random.laplace(0, 1 / half), half)
    return first, Release(x + np.random.laplace(0, 1 / half), half)


@mechanism(
    adjacent={"bits": change_one_distance()},
    requires="epsilon > 0 and all(0 <= b <= 1 for b in bits)",
    epsilon="epsilon",
)
def flipped_in_place(bits: list[int], epsilon: float) -> list[int]:
    for i in range(len(bits)):
        if random.random() < 1 / (1 + np.exp(epsilon)):
            bits[i] = 1 - bits[i]
    return bits
