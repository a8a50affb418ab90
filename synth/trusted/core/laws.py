"""The meaning of draws of the core language: the chance of each value."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from synth.trusted.core.exponential_numbers import Number, divide
from synth.trusted.core.expressions import (
    Inexact,
    NoValue,
    State,
    Value,
    evaluate,
    exponential_of,
    power_of,
    whole,
)
from synth.trusted.program import syntax as ir

FARTHEST = 1000
"""Integers farther from 0 are not looked at as outcomes of a draw with listed chances."""


@dataclass(frozen=True)
class Noise:
    """Noise around a centre, with a positive scale (sigma of ``gaussian``).

    On integers the chance of centre + k, on reals its density, is proportional to exp(-|k|/scale) for
    ``laplace``, exp(-k/scale) with k >= 0 for ``exponential``, and exp(-k**2/(2*scale**2)) for ``gaussian``.
    """

    distribution: str
    sort: ir.Sort
    center: Number
    scale: Number

    def allows(self, value: Number) -> bool:
        """Whether it may be drawn."""
        return self.distribution != "exponential" or value >= self.center

    def chance(self, value: Number) -> Number:
        """The chance of an integer.  Raises Inexact on reals, and for ``gaussian``."""
        if self.sort is ir.Sort.REAL or self.distribution not in ("laplace", "exponential"):
            raise Inexact(f"{self.distribution} noise of {self.sort.value}")
        one_sided = self.distribution == "exponential"
        return _decaying(self.scale, abs(value - self.center), one_sided) if self.allows(value) else 0

    def candidates(self, most: int) -> Iterable[Value]:
        """The integers within ``most`` of the centre."""
        middle = math.floor(self.center)
        return range(middle - most, middle + most + 1)


@lru_cache(maxsize=1 << 10)
def _decaying(scale: Number, distance: Number, one_sided: bool) -> Number:
    """exp(-distance/scale), divided by the sum of that over all integers, or over those from 0 on."""
    ratio, weight = (exponential_of(divide(-k, scale)) for k in (1, distance))
    return divide((1 - ratio) * weight, 1 if one_sided else 1 + ratio)


@dataclass(frozen=True)
class Listed:
    """The chance of a value is that of the outcome whose condition holds for it; 0 if there is none."""

    choice: ir.Choose
    outcomes: tuple[tuple[ir.Expression, ir.Expression], ...]
    state: State

    def allows(self, value: Value) -> bool:
        """Whether a condition holds."""
        state = self.state.assign(self.choice.index, value)
        return any(evaluate(condition, state) for condition, _ in self.outcomes)

    def chance(self, value: Value) -> Number:
        """Raises NoValue where conditions don't exclude each other, or a chance is negative."""
        state = self.state.assign(self.choice.index, value)
        found = [evaluate(chance, state) for condition, chance in self.outcomes if evaluate(condition, state)]
        if len(found) > 1 or any(chance < 0 for chance in found):
            raise NoValue("scale")
        return found[0] if found else 0

    def candidates(self, most: int) -> Iterable[Value]:
        """Both truth values; or integers, from 0 on in both directions."""
        if self.choice.sort is ir.Sort.BOOL:
            return (False, True)
        return (value for size in range(FARTHEST + 1) for value in sorted({size, -size}))


@dataclass(frozen=True)
class Weighted:
    """The chance of an index is its weight divided by the sum of all.  The weight is exp(score * rate)."""

    choice: ir.Choose
    law: ir.Weights
    count: int
    state: State

    @cached_property
    def weights(self) -> list[Number]:
        """Of each index."""
        rate = evaluate(self.law.rate, self.state)
        states = [self.state.assign(self.choice.index, index) for index in range(self.count)]
        return [_weight(self.law.score, rate, state) for state in states]

    def allows(self, value: Number) -> bool:
        """Whether it is an index."""
        return 0 <= value < self.count

    def chance(self, value: Number) -> Number:
        """The chance of an index."""
        return divide(self.weights[whole(value)], sum(self.weights)) if self.allows(value) else 0

    def candidates(self, most: int) -> Iterable[Value]:
        """All indices."""
        return range(self.count)


Law = Noise | Listed | Weighted


def shares(law: Law, most: int) -> tuple[list[tuple[Value, Number]], Number]:
    """Values with their chances, and the chance of all others.

    Raises NoValue if the chances of values add up to more than 1, or those of truth values not to 1.
    """
    found: list[tuple[Value, Number]] = []
    rest: Number = Fraction(1)
    for value in law.candidates(most):
        chance = law.chance(value)
        rest -= chance
        if chance != 0:
            found.append((value, chance))
        if rest == 0:
            break
    if rest < 0 or (rest != 0 and isinstance(law, Listed) and law.choice.sort is ir.Sort.BOOL):
        raise NoValue("scale")
    return found, rest


def _weight(score: ir.Expression, rate: Number, state: State) -> Number:
    """exp(score * rate); so w ** rate if the score is log(w)."""
    match score:
        case ir.Operation(operator=ir.Operator.LOGARITHM, operands=(inner,)):
            weight = evaluate(inner, state)
            if weight <= 0:
                raise NoValue("domain")
            return power_of(weight, rate)
        case ir.Operation(operator=ir.Operator.IF, operands=(condition, then, otherwise)):
            return _weight(then if evaluate(condition, state) else otherwise, rate, state)
        case _:
            return exponential_of(evaluate(score, state) * rate)
