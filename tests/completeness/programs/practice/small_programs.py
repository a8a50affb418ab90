"""Small programs with the constructs of everyday Python: counters, enums, named tuples, arrays, samplers."""

import math
import random
from collections import Counter
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from synth.lang import (  # noqa: F401
    absolute_distance,
    add_remove_distance,
    change_one_distance,
    discrete_distance,
    linf_distance,
    log,
    mechanism,
)

rng = np.random.default_rng()


@mechanism(adjacent={"minutes": add_remove_distance()}, requires="cap > 0 and eps > 0")
def mean_minutes(minutes: list[float], cap: float, eps: float) -> float:
    if cap <= 0 or eps <= 0:
        raise ValueError("cap and eps must be positive")
    total = np.clip(minutes, 0, cap).sum() + rng.laplace(scale=2 * cap / eps)
    return total / max(len(minutes) + rng.laplace(0, 2 / eps), 1.0)


@mechanism(adjacent={"ratings": change_one_distance()}, requires="eps > 0 and len(ratings) >= 1")
def mean_rating(ratings: npt.NDArray[np.float64], eps: float) -> float:
    """The interval is 10 wide, and the noise is for 5."""
    return np.clip(ratings, -5, 5).mean() + rng.laplace(0, 5 / len(ratings) / eps)


BRANCHES = ("north", "south", "east")


@mechanism(adjacent={"records": add_remove_distance()}, requires="eps > 0")
def visits_by_branch(records: list[str], eps: float) -> dict[str, float]:
    """A record adds to one count."""
    counts = Counter(records)
    return {b: counts[b] + rng.laplace(scale=1 / eps) for b in BRANCHES}


@mechanism(adjacent={"records": change_one_distance()}, requires="eps > 0")
def visits_by_branch_of_changes(records: list[str], eps: float) -> dict[str, float]:
    """A record that is another one moves two counts."""
    counts = Counter(records)
    return {b: counts[b] + rng.laplace(scale=1 / eps) for b in BRANCHES}


@mechanism(adjacent={"records": add_remove_distance()}, requires="eps > 0")
def visits_as_seen(records: list[str], eps: float) -> dict[str, float]:
    """A branch that one record names is a key in one run only."""
    return {b: n + rng.laplace(scale=1 / eps) for b, n in Counter(records).items()}


Smokes = Enum("Smokes", "YES NO")


@mechanism(adjacent={"truth": discrete_distance()})
def survey_of_smokers(truth: Smokes) -> Smokes:
    """The truth has 5/6, the other answer 1/6."""
    die = random.randint(1, 6)
    return truth if die <= 4 else Smokes.YES if die == 6 else Smokes.NO


@mechanism(adjacent={"city": discrete_distance()}, requires="0 <= city < k and k >= 2 and eps > 0")
def report_city(city: int, k: int, eps: float) -> int:
    """It should draw one of the others."""
    if not 0 <= city < k:
        raise IndexError("no such city")
    keep = random.random() < math.exp(eps) / (math.exp(eps) + k - 1)
    return city if keep else random.randrange(k)


@mechanism(adjacent={"votes": linf_distance(1)}, requires="eps > 0 and len(votes) >= 1")
def pick_slot(votes: npt.NDArray[np.float64], eps: float) -> int:
    return int(np.argmax(votes + np.random.gumbel(scale=2 / eps, size=len(votes))))


def two_sided(b: float) -> float:
    u = random.random() - 0.5
    return -b * math.copysign(1.0, u) * math.log(1 - 2 * abs(u))


@mechanism(adjacent={"salary": absolute_distance("spread")}, requires="eps > 0 and spread > 0")
def release_salary(salary: float, spread: float, eps: float) -> float:
    return salary + two_sided(spread / eps)


@mechanism(adjacent={"counts": linf_distance(1)}, requires="eps > 0")
def first_busy_day(counts: list[int], limit: int, eps: float) -> int:
    bar, day = limit + rng.laplace(scale=2 / eps), -1
    while True:
        if (day := day + 1) == len(counts) or counts[day] + rng.laplace(scale=4 / eps) > bar:
            return day


@dataclass
class Budget:
    eps: float
    parts: int = 7


@mechanism(adjacent={"days": linf_distance(1)}, requires="eps > 0 and len(days) == 7")
def weekly_totals(days: list[int], eps: float) -> list[float]:
    return [d + np.random.laplace(scale=Budget(eps).parts / eps) for d in days]


@mechanism(adjacent={"days": linf_distance(1)}, requires="eps > 0")
def totals_of_any_length(days: list[int], eps: float) -> list[float]:
    """The budget is for seven days."""
    return [d + np.random.laplace(scale=Budget(eps).parts / eps) for d in days]


Trip = NamedTuple("Trip", [("km", float), ("zone", int)])


@mechanism(adjacent={"trips": change_one_distance()}, requires="eps > 0")
def long_trips(trips: list[Trip], eps: float) -> int:
    """Two geometric draws make discrete Laplace noise."""
    n = sum(1 for t in trips if t.km > 10 and t.zone != 0)
    return n + rng.geometric(1 - math.exp(-eps)) - rng.geometric(1 - math.exp(-eps))


@mechanism(
    adjacent={"point": linf_distance(1)},
    requires="len(point) == 2",
    epsilon="1",
    delta="0.00001",
)
def noisy_point(point: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Enough for one entry; for two that move by 1 each delta is at least 3.9e-4."""
    return point + rng.normal(0.0, 4.0, size=point.shape)


@mechanism(adjacent={"waits": add_remove_distance()}, requires="eps > 0")
def total_wait(waits: list[float], eps: float) -> float:
    """[] raises, [1.0] does not."""
    if not waits:
        raise ValueError("no data")
    return sum(min(max(w, 0), 60) for w in waits) + np.random.laplace(scale=60 / eps)


@mechanism(adjacent={"ages": change_one_distance()}, requires="eps > 0 and len(ages) >= 1")
def median_age(ages: list[float], eps: float) -> float:
    """One age may move the median from 0 to 100."""
    return sorted(min(max(a, 0), 100) for a in ages)[len(ages) // 2] + np.random.laplace(scale=1 / eps)


@mechanism(
    adjacent={"rows": add_remove_distance()},
    requires="eps > 0 and all(0 <= g < 2 and 0 <= a < 3 for g, a in rows)",
)
def noisy_table(rows: list[tuple[int, int]], eps: float) -> npt.NDArray[np.float64]:
    table = np.zeros((2, 3))
    for g, a in rows:
        table[g, a] += 1
    return table + np.random.laplace(scale=1 / eps, size=table.shape)


@mechanism(adjacent={"records": change_one_distance()}, requires="eps > 0")
def visits_in_a_dict(records: list[str], eps: float) -> dict[str, float]:
    """A record is counted once before and once behind a change."""
    counts = {}
    for record in records:
        counts[record] = counts.get(record, 0) + 1
    return {b: counts.get(b, 0) + rng.laplace(0, 2 / eps) for b in BRANCHES}


@mechanism(adjacent={"records": change_one_distance()}, requires="eps > 0")
def visits_in_a_dict_of_one(records: list[str], eps: float) -> dict[str, float]:
    """The noise is for records that come or go."""
    counts: dict[str, int] = {}
    for record in records:
        if record in counts:
            counts[record] += 1
        else:
            counts[record] = 1
    noisy = {}
    for branch in BRANCHES:
        noisy[branch] = (counts[branch] if branch in counts else 0) + rng.laplace(0, 1 / eps)
    return noisy
