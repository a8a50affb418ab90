"""Lists of named tuples."""

import math
from typing import NamedTuple

import numpy as np

from synth.lang import *

rng = np.random.default_rng()

Trip = NamedTuple("Trip", [("km", float), ("zone", int)])


class Visit(NamedTuple):
    minutes: float
    ward: int = 0

    @property
    def capped(self) -> float:
        return min(max(self.minutes, 0.0), 60.0)


@mechanism(adjacent={"trips": change_one_distance()}, requires="eps > 0")
def long_trips(trips: list[Trip], eps: float) -> int:
    """The difference of two geometric draws is discrete Laplace noise: eps."""
    n = sum(1 for t in trips if t.km > 10 and t.zone != 0)
    return n + rng.geometric(1 - math.exp(-eps)) - rng.geometric(1 - math.exp(-eps))


@mechanism(adjacent={"visits": add_remove_distance()}, requires="eps > 0")
def capped_minutes(visits: list[Visit], eps: float) -> float:
    """A visit adds at most 60, and the noise is for 30: 2*eps."""
    total = 0.0
    for v in visits:
        if v.ward == 3:
            total += v.capped
    return total + rng.laplace(scale=30 / eps)


@mechanism(
    adjacent={"visits": add_remove_distance()},
    requires="eps > 0 and all(0 <= minutes <= 60 for minutes, ward in visits)",
)
def minutes_of_a_ward(visits: list[Visit], ward: int, eps: float) -> float:
    """A visit adds at most 60: eps."""
    return sum(v.minutes for v in visits if v.ward == ward) + rng.laplace(scale=60 / eps)
