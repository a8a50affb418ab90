"""Parameters that can't be named, before `/`: of mechanisms, helpers, lambdas and methods; one is wrong."""

import numpy as np

from synth.lang import absolute_distance, linf_distance, mechanism


def noisy(value, eps, /, sensitivity=1.0):
    return value + np.random.laplace(0, sensitivity / eps)


class Releases:
    def __init__(self, eps: float, /):
        self.eps = eps

    def noise(self, sensitivity=1.0, /):
        return np.random.laplace(0, sensitivity / self.eps)


@mechanism(adjacent={"q": absolute_distance(1)}, requires="eps > 0")
def all_by_position(q: float, eps: float, /) -> float:
    return noisy(q, eps)


@mechanism(adjacent={"q": absolute_distance(1)}, requires="eps > 0")
def of_each_kind(q: float, /, eps: float, *, rng: np.random.Generator) -> float:
    return q + rng.laplace(0, 1 / eps)


@mechanism(adjacent={"data": linf_distance(1)}, requires="eps > 0 and len(data) == 2")
def lambda_by_position(data: list[float], eps: float, /) -> list[float]:
    add = lambda x, scale=2.0, /: x + np.random.laplace(0, scale / eps)  # noqa: E731
    return [add(x) for x in data]


@mechanism(adjacent={"q": absolute_distance(1)}, requires="eps > 0")
def method_by_position(q: float, eps: float, /) -> float:
    return 2 * q + Releases(eps).noise(2.0)


@mechanism(adjacent={"q": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def default_by_position(q: float, eps: float, /) -> float:
    """Twice the value, and noise for one."""
    return 2 * q + Releases(eps).noise()
