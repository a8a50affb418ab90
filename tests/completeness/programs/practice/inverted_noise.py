"""Noise as programs make it of a uniform draw, and numbers that are added up with noise."""

import random

import numpy as np

from synth.lang import absolute_distance, change_one_distance, mechanism  # noqa: F401


class TruncatedGeometric:
    """Two-sided geometric noise by the inverse of its distribution function, and what is beyond is cut off."""

    def __init__(self, *, epsilon, lower, upper, source=None):
        self.lower, self.upper = lower, upper
        self.scale = -float(epsilon)
        self.source = source or random.SystemRandom()

    def cut(self, value):
        if value > self.upper:
            return self.upper
        if value < self.lower:
            return self.lower
        return value

    def randomise(self, value):
        drawn = self.source.random() - 0.5
        drawn *= 1 + np.exp(self.scale)
        sign = -1 if drawn < 0 else 1
        noise = int(np.round(sign * np.floor(np.log(sign * drawn) / self.scale)))
        return self.cut(value + noise)


@mechanism(adjacent={"count": absolute_distance(1)}, requires="eps > 0 and lower <= upper")
def truncated_count(count: int, eps: float, lower: int, upper: int) -> int:
    return TruncatedGeometric(epsilon=eps, lower=lower, upper=upper).randomise(count)


@mechanism(adjacent={"count": absolute_distance(2)}, requires="eps > 0 and lower <= upper")
def truncated_count_of_two(count: int, eps: float, lower: int, upper: int) -> int:
    """The noise is for a count that moves by 1."""
    return TruncatedGeometric(epsilon=eps, lower=lower, upper=upper).randomise(count)


@mechanism(adjacent={"votes": change_one_distance()}, requires="eps > 0")
def running_total(votes: list[bool], eps: float) -> list[float]:
    """The total begins as an integer, and truth values and noise are added to it in one sum."""
    total = 0
    out = []
    for vote in votes:
        total += vote + np.random.laplace(0, 1 / eps)
        out.append(total)
    return out
