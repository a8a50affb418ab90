"""Lists of objects of dataclasses."""

from dataclasses import dataclass

import numpy as np

from synth.lang import *


@dataclass(frozen=True)
class Person:
    age: float
    ward: int
    is_member: bool = False

    @property
    def capped(self) -> float:
        return min(max(self.age, 0.0), 120.0)


@mechanism(adjacent={"people": add_remove_distance()}, requires="eps > 0")
def total_age(people: list[Person], eps: float) -> float:
    """A person adds at most 120: eps."""
    return sum(p.capped for p in people if p.is_member) + np.random.laplace(0, 120 / eps)


@mechanism(adjacent={"people": change_one_distance()}, requires="eps > 0")
def age_in_ward(people: list[Person], ward: int, eps: float) -> float:
    """A person adds at most 120, and the noise is for 60: 2*eps."""
    total = 0.0
    for person in people:
        if person.ward == ward:
            total += person.capped
    return total + np.random.laplace(0, 60 / eps)


@mechanism(adjacent={"people": add_remove_distance()}, requires="eps > 0")
def people_per_ward(people: list[Person], eps: float) -> list[float]:
    """A person is in one ward at most: eps."""
    counts = [0, 0, 0]
    for p in people:
        if 0 <= p.ward < 3:
            counts[p.ward] += 1
    return [c + laplace(0, 1 / eps) for c in counts]
