"""Data of two adjacent inputs, made up entry by entry: equal, or as different as the metric allows."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor

from synth.prover.testing.interpreter import Number
from synth.prover.testing.landmarks import is_arbitrary
from synth.trusted.program import syntax as ir

Index = tuple[int, ...]
Pair = tuple[Number, Number]
"""A value in run 1 and in run 2."""
ACROSS = 0.2
"""How many of the inputs have an entry that is at one end of all others, and at the other one in run 2."""

_TRENDS = ("up", "down", "mixed", "first", "equal")


@dataclass
class Family:
    """Pairs of entries of a sequence or function in the two runs, made up when first read."""

    make: Callable[[Index], Pair]
    pairs: dict[Index, Pair] = field(default_factory=dict)

    def pair(self, index: Index) -> Pair:
        """The entry in each of the runs."""
        if index not in self.pairs:
            self.pairs[index] = self.make(index)
        return self.pairs[index]

    def side(self, number: int) -> Callable[[Index], Number]:
        """How one of the runs reads the entries."""
        return lambda index: self.pair(index)[number]


def new_family(
    parameter: ir.Parameter, bound: Fraction, length: int, rng: random.Random, near: Sequence[Number] = ()
) -> Family:
    """A parameter's entries, as its metric and the bound on their difference allow; a sequence ends.

    Entries that may have any value lie about the numbers in ``near``, too.
    """
    if is_arbitrary(parameter.metric) and parameter.sort is not ir.Sort.BOOL:
        family = Family(_arbitrary_maker(parameter, length, rng, near))
    else:
        family = Family(_maker(parameter, bound, length, rng))
    if parameter.kind is ir.ParameterKind.SEQUENCE:
        for place in range(length):
            family.pair((place,))
        family.make = _outside
    return family


def _outside(index: Index) -> Pair:
    raise KeyError(index)


def _value(sort: ir.Sort, rng: random.Random) -> Number:
    match sort:
        case ir.Sort.BOOL:
            return rng.random() < 0.5
        case ir.Sort.INT:
            return rng.randint(-2, 2)
        case ir.Sort.REAL:
            return rng.choice((-2, -1, 0, 1, 2, Fraction(1, 2), Fraction(-1, 2)))


def _step(sort: ir.Sort, bound: Fraction, rng: random.Random, trend: str) -> Number:
    """A difference of at most ``bound``, mostly an extreme one."""
    size: Number = int(bound) if sort is not ir.Sort.REAL or bound.denominator == 1 else bound
    if rng.random() < 0.15:
        size = Fraction(size) / 2 if sort is ir.Sort.REAL else rng.randint(0, int(size))
    if isinstance(size, Fraction) and size.denominator == 1:
        size = int(size)
    match trend:
        case "up":
            return size
        case "down":
            return -size
        case "equal":
            return 0
        case _:
            return rng.choice((size, -size, 0))


def _moved(sort: ir.Sort, value: Number, step: Number) -> Pair:
    if sort is ir.Sort.BOOL:
        return value, (not value if step else value)
    moved = value + step
    return value, int(moved) if isinstance(moved, Fraction) and moved.denominator == 1 else moved


def scalar_pair(parameter: ir.Parameter, bound: Fraction, rng: random.Random) -> Pair:
    """A private scalar in the two runs."""
    value = _value(parameter.sort, rng)
    assert parameter.metric is not None
    if parameter.metric.kind is ir.MetricKind.DISCRETE:
        return value, _value(parameter.sort, rng)
    return _moved(parameter.sort, value, _step(parameter.sort, bound, rng, "mixed"))


def _arbitrary_maker(
    parameter: ir.Parameter, length: int, rng: random.Random, near: Sequence[Number]
) -> Callable[[Index], Pair]:
    """Entries of any value, one of which may be another one in run 2 if the metric says so.

    In some inputs it comes from one end of the others and goes to the other one.
    """
    metric, sort = parameter.metric, parameter.sort
    changes = metric is not None and metric.kind is ir.MetricKind.CHANGE_ONE
    special = rng.randrange(max(length, 1))
    across = changes and rng.random() < ACROSS

    def value() -> Number:
        if not near or rng.random() < 0.25:
            return _value(sort, rng)
        found = rng.choice(near) + rng.choice((-1, 0, 0, 0, 1))
        return found if sort is ir.Sort.REAL or isinstance(found, int) else int(found)

    def ends() -> Pair:
        low, high = min((-2, *map(floor, near))) - 1, max((2, *map(ceil, near))) + 1
        return (low, high) if rng.random() < 0.5 else (high, low)

    def make(index: Index) -> Pair:
        if across and index == (special,):
            return ends()
        first = value()
        return first, (value() if changes and index == (special,) else first)

    return make


def _maker(
    parameter: ir.Parameter, bound: Fraction, length: int, rng: random.Random
) -> Callable[[Index], Pair]:
    sort, metric = parameter.sort, parameter.metric
    trend = rng.choice(_TRENDS)
    level = rng.choice((0, 0, 0, -6, 6)) if sort is not ir.Sort.BOOL else 0
    special = rng.randrange(max(length, 1))
    budget = [bound]
    indices = metric is None and sort is ir.Sort.INT and rng.random() < 0.5

    def make(index: Index) -> Pair:
        if indices:
            place = rng.randrange(max(length, 1))
            return place, place
        value = _value(sort, rng) + level if sort is not ir.Sort.BOOL else _value(sort, rng)
        if metric is None:
            return value, value
        if metric.kind is ir.MetricKind.CHANGE_ONE:
            step = (
                _step(sort, bound if metric.bound is not None else Fraction(1), rng, "mixed")
                if index == (special,)
                else 0
            )
        elif metric.kind is ir.MetricKind.L1:
            step = _step(sort, budget[0], rng, rng.choice(("up", "down", "mixed")))
            budget[0] -= abs(Fraction(step))
        elif metric.monotone:
            step = _step(sort, bound, rng, "down" if trend in ("down", "first") else "up")
            step = step if rng.random() < 0.7 else 0
        elif trend == "first":
            step = _step(sort, bound, rng, "up" if index == (special,) else "down")
        else:
            step = _step(sort, bound, rng, trend)
        return _moved(sort, value, step)

    return make
