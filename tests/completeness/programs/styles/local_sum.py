"""Each person adds noise to a value between 0 and 1; the sum is released."""

import numpy as np

from synth.lang import absolute_distance, laplace, mechanism


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 1")
def plainly(x: float, n: int, eps: float) -> list[float]:
    reports = []
    for _ in range(n):
        reports.append(laplace(x, n / eps))
    return reports


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 1")
def with_numpy(x: float, n: int, eps: float) -> "np.ndarray":
    return np.random.laplace(x, n / eps, size=n)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 1")
def with_full(x: float, n: int, eps: float) -> "np.ndarray":
    return np.full(n, x) + np.random.laplace(scale=n / eps, size=n)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 1")
def with_a_comprehension(x: float, n: int, eps: float) -> list[float]:
    return [x + np.random.laplace(scale=n / eps) for _ in range(n)]


class Reporter:
    def __init__(self, x: float, scale: float):
        self.x, self.scale = x, scale

    def report(self) -> float:
        return np.random.laplace(self.x, self.scale)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 1")
def with_a_class(x: float, n: int, eps: float) -> list[float]:
    reporter = Reporter(x, n / eps)
    return [reporter.report() for _ in range(n)]
