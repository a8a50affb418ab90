"""A sum over records of which one may change to anything; each entry is clipped."""

from dataclasses import dataclass, field

import numpy as np

from synth.lang import change_one_distance, laplace, mechanism


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and lo < hi")
def with_a_loop(xs: list[float], lo: float, hi: float, eps: float) -> float:
    total = 0.0
    for x in xs:
        total += min(max(x, lo), hi)
    return laplace(total, scale=(hi - lo) / eps)


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and lo < hi")
def with_numpy(xs: list[float], lo: float, hi: float, eps: float) -> float:
    clipped = np.clip(xs, lo, hi)
    return clipped.sum() + np.random.laplace(scale=(hi - lo) / eps)


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and lo < hi")
def with_a_generator(xs: list[float], lo: float, hi: float, eps: float) -> float:
    def clip(x):
        return lo if x < lo else hi if x > hi else x

    return sum(clip(x) for x in xs) + np.random.laplace(0, (hi - lo) / eps)


@dataclass(frozen=True)
class Range:
    low: float
    high: float

    @property
    def width(self) -> float:
        return self.high - self.low

    def clip(self, value: float) -> float:
        if value < self.low:
            return self.low
        if value > self.high:
            return self.high
        return value


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and lo < hi")
def with_a_class(xs: list[float], lo: float, hi: float, eps: float) -> float:
    bounds = Range(lo, hi)
    total = 0.0
    for x in xs:
        total += bounds.clip(x)
    return total + np.random.laplace(scale=bounds.width / eps)


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and lo < hi")
def with_an_early_return(xs: list[float], lo: float, hi: float, eps: float) -> float | None:
    if len(xs) == 0:
        return None
    clipped = [min(hi, max(lo, x)) for x in xs]
    return sum(clipped) + np.random.laplace(scale=(hi - lo) / eps)
