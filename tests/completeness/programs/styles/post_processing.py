"""A noisy number, rounded and clamped into a range."""

import numpy as np

from synth.lang import absolute_distance, laplace, mechanism


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and top > 0")
def plainly(x: float, top: int, eps: float) -> int:
    noisy = laplace(x, 1 / eps)
    return max(0, min(round(noisy), top))


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and top > 0")
def with_numpy(x: float, top: int, eps: float) -> float:
    return np.clip(np.round(x + np.random.laplace(scale=1 / eps)), 0, top)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and top > 0")
def with_early_returns(x: float, top: int, eps: float) -> int:
    noisy = int(round(np.random.laplace(x, 1 / eps)))
    if noisy < 0:
        return 0
    if noisy > top:
        return top
    return noisy


class Clamp:
    low = 0

    def __init__(self, high: int):
        self.high = high

    def __call__(self, value: float) -> float:
        return sorted([self.low, value, self.high])[1]


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and top > 0")
def with_a_class(x: float, top: int, eps: float) -> float:
    clamp = Clamp(top)
    return clamp(x + np.random.laplace(0, 1 / eps))


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and top > 0")
def with_a_dict(x: float, top: int, eps: float) -> dict[str, float]:
    result = {}
    result["noisy"] = x + np.random.laplace(0, 1 / eps)
    result["clamped"] = float(min(max(result["noisy"], 0), top))
    return result
