"""A count with two-sided geometric noise."""

import math

import numpy as np

from synth.lang import absolute_distance, l1_distance, laplace, mechanism


@mechanism(adjacent={"n": absolute_distance(1)}, requires="eps > 0")
def with_the_language(n: int, eps: float) -> int:
    return laplace(n, 1 / eps)


@mechanism(adjacent={"n": absolute_distance(1)}, requires="eps > 0")
def with_two_geometrics(n: int, eps: float) -> int:
    p = 1 - math.exp(-eps)
    return n + np.random.geometric(p) - np.random.geometric(p)


@mechanism(adjacent={"n": absolute_distance(1)}, requires="eps > 0")
def with_a_list(n: int, eps: float) -> int:
    rng = np.random.default_rng()
    up, down = rng.geometric(1 - np.exp(-eps), size=2)
    return n + int(up) - int(down)


class Geometric:
    def __init__(self, eps: float):
        self.p = 1 - math.exp(-eps)

    def noise(self) -> int:
        return np.random.geometric(self.p) - np.random.geometric(self.p)


@mechanism(adjacent={"n": absolute_distance(1)}, requires="eps > 0")
def with_a_class(n: int, eps: float) -> int:
    return n + Geometric(eps).noise()


@mechanism(adjacent={"n": absolute_distance(1)}, requires="eps > 0")
def with_an_early_return(n: int, eps: float) -> int:
    noisy = laplace(n, scale=1 / eps)
    if noisy < 0:
        return 0
    return noisy


@mechanism(adjacent={"x": l1_distance(1)}, requires="eps > 0")
def with_the_noise_first(x: list[int], eps: float) -> int:
    p = 1 - math.exp(-eps)
    noise = (np.random.geometric(p) - 1) - (np.random.geometric(p) - 1)
    total = 0
    for v in x:
        total += v
    return min(max(total + noise, 0), 100)
