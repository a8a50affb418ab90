"""Mechanisms with classes, dataclasses and named tuples, as people write them."""

from collections import namedtuple
from dataclasses import dataclass
from typing import NamedTuple

from synth.lang import *


class Budget:
    """Public numbers that add up to at most a total."""

    def __init__(self, total: float):
        if total <= 0:
            raise ValueError("the budget must be positive")
        self.total = total
        self.spent = 0.0

    @property
    def left(self) -> float:
        return self.total - self.spent

    def spend(self, amount: float) -> float:
        if amount > self.left:
            raise ValueError(f"only {self.left} is left")
        self.spent += amount
        return amount


class Noise:
    """Laplace noise of one scale."""

    def __init__(self, scale: float):
        self.scale = scale

    def around(self, value):
        return value + laplace(0, self.scale)


@dataclass(frozen=True)
class Params:
    """What is public."""

    eps: float
    parts: int = 7

    def share_scale(self) -> float:
        return self.parts / self.eps


class Bounds(NamedTuple):
    """An interval."""

    low: float
    high: float = 1.0

    def clip(self, value: float) -> float:
        return min(max(value, self.low), self.high)

    def width(self) -> float:
        return self.high - self.low


Answer = namedtuple("Answer", "index value")


class Releases:
    """A list of noisy values."""

    def __init__(self, params: Params):
        self.params = params
        self.values = []

    def release(self, value):
        self.values.append(value + laplace(0, self.params.share_scale()))

    def count(self):
        return len(self.values)


class Selector:
    """Reports the first value above a threshold."""

    def __init__(self, threshold: int, noise: Noise):
        self.noise = noise
        self.threshold = threshold
        self.found = None

    def look(self, index: int, value: int) -> bool:
        if self.noise.around(value) >= self.threshold:
            self.found = index
        return self.found is not None


@mechanism(adjacent={"x": absolute_distance(1), "y": absolute_distance(1)}, epsilon="eps")
def two_with_a_budget(x: int, y: int, eps: float) -> tuple[int, int]:
    """The budget is what both cost."""
    budget = Budget(eps)
    half = budget.spend(eps / 2)
    a = x + laplace(0, 1 / half)
    noise = Noise(1 / budget.spend(half))
    return a, noise.around(y)


@mechanism(adjacent={"days": linf_distance(1)}, requires="eps > 0 and len(days) <= 7", epsilon="eps")
def weekly(days: list[int], eps: float) -> list[int]:
    """A seventh of the budget for each day."""
    releases = Releases(Params(eps))
    for day in days:
        releases.release(day)
    return releases.values


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0", epsilon="eps")
def clipped(x: float, eps: float) -> float:
    """A number in an interval."""
    bounds = Bounds(low=-1.0)
    return laplace(bounds.clip(x), bounds.width() / eps)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def above(q: list[int], t: int, eps: float):
    """Above threshold, as a class."""
    selector = Selector(laplace(t, 2 / eps), Noise(4 / eps))
    for i in range(len(q)):
        if selector.look(i, q[i]):
            return Answer(i, selector.found)
    return None
