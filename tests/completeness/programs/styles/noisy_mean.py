"""The mean of clipped records, of which one may change; their number is public."""

import statistics

import numpy as np

from synth.lang import change_one_distance, laplace, mechanism


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and top > 0 and len(xs) >= 1")
def with_a_loop(xs: list[float], top: float, eps: float) -> float:
    total = 0.0
    for x in xs:
        total += min(max(x, 0), top)
    return laplace(total / len(xs), top / (len(xs) * eps))


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and top > 0 and len(xs) >= 1")
def with_numpy(xs: list[float], top: float, eps: float) -> float:
    return np.clip(np.array(xs), 0, top).mean() + np.random.laplace(scale=top / (len(xs) * eps))


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and top > 0 and len(xs) >= 1")
def with_lists(xs: list[float], top: float, eps: float) -> float:
    n = len(xs)
    clipped = [0 if x < 0 else top if x > top else x for x in xs]
    noisy_sum = sum(clipped) + np.random.laplace(0, top / eps)
    return noisy_sum / n


class Mean:
    def __init__(self, top: float):
        self.top = top
        self.total = 0.0
        self.n = 0

    def add(self, x: float) -> "Mean":
        self.total += max(0, min(x, self.top))
        self.n += 1
        return self

    def release(self, eps: float) -> float:
        return (self.total + np.random.laplace(scale=self.top / eps)) / self.n


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and top > 0 and len(xs) >= 1")
def with_a_class(xs: list[float], top: float, eps: float) -> float:
    mean = Mean(top)
    for x in xs:
        mean.add(x)
    return mean.release(eps)


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and top > 0")
def with_an_early_return(xs: list[float], top: float, eps: float) -> float:
    if not xs:
        return 0.0
    return statistics.fmean(min(max(x, 0), top) for x in xs) + np.random.laplace(scale=top / eps / len(xs))
