"""Probabilities as pairs of decimals, rounded down and up; nothing but the standard library."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from synth.trusted.witness.boxes import Incomplete, bounded
from synth.trusted.witness.functions import DOWN, UP, decimals, exp
from synth.trusted.witness.gaussian import integer_tail, real_tail
from synth.trusted.witness.values import Box, End, Infinity

Scale = Fraction | Box
"""A scale (of a Gaussian: sigma), or a box with positive rational ends that it lies in."""


@dataclass(frozen=True, slots=True)
class Chance:
    """A number that is at least ``low`` and at most ``high``, both at least 0."""

    low: Decimal
    high: Decimal

    def plus(self, other: Chance) -> Chance:
        """The sum."""
        return Chance(DOWN.add(self.low, other.low), UP.add(self.high, other.high))

    def times(self, other: Chance) -> Chance:
        """The product."""
        return Chance(DOWN.multiply(self.low, other.low), UP.multiply(self.high, other.high))

    def share(self, total: Chance) -> Chance:
        """The part that the number is of a positive total."""
        if not total.low > 0:
            return Chance(NEVER.low, ALWAYS.high)
        return Chance(DOWN.divide(self.low, total.high), min(ALWAYS.high, UP.divide(self.high, total.low)))

    def joined(self, other: Chance) -> Chance:
        """What is one of the two."""
        return Chance(min(self.low, other.low), max(self.high, other.high))


NEVER = Chance(Decimal(0), Decimal(0))
ALWAYS = Chance(Decimal(1), Decimal(1))


def of_fraction(value: Fraction) -> Chance:
    """A number that is at least 0."""
    return Chance(*decimals(value))


def exponential(value: Fraction) -> Chance:
    """exp(value)."""
    return Chance(*exp(value))


def complement(chance: Chance) -> Chance:
    """What is left of 1."""
    return Chance(max(Decimal(0), DOWN.subtract(1, chance.high)), UP.subtract(1, chance.low))


@lru_cache(maxsize=1 << 16)
def tail(distribution: str, integer: bool, scale: Scale, start: End) -> Chance:
    """The probability of noise around 0 that is at least ``start``.  Raises Incomplete."""
    if isinstance(scale, Box):  # more noise moves mass outward: what is between lies between
        ends = (tail(distribution, integer, bounded(end), start) for end in (scale.low, scale.high))
        one, two = ends
        return one.joined(two)
    if isinstance(start, Infinity):
        return ALWAYS if start is Infinity.BELOW else NEVER
    if integer:
        start = math.ceil(start)
    if distribution == "exponential":
        return exponential(-max(Fraction(start), Fraction(0)) / scale)
    if start > 0:
        return _upper_tail(distribution, integer, scale, Fraction(start))
    return complement(_upper_tail(distribution, integer, scale, Fraction(1 - start if integer else -start)))


def _upper_tail(distribution: str, integer: bool, scale: Fraction, start: Fraction) -> Chance:
    """Of two-sided noise.  For Laplace: q^start/(1 + q), q = exp(-1/scale), on integers; else a half."""
    if distribution == "gaussian":
        return Chance(*(integer_tail(scale, int(start)) if integer else real_tail(scale, start)))
    if distribution != "laplace":
        raise Incomplete(f"{distribution} noise has no law here")
    decay = exponential(-start / scale)
    if not integer:
        return decay.times(of_fraction(Fraction(1, 2)))
    below = ALWAYS.plus(exponential(-1 / scale))
    return Chance(DOWN.divide(decay.low, below.high), UP.divide(decay.high, below.low))


@lru_cache(maxsize=1 << 18)
def mass(distribution: str, integer: bool, scale: Scale, where: Box) -> Chance:
    """The probability that noise lies in a box (for integers, ends included), as a difference of tails.

    The tails of the side on which the box lies, so that little is lost.  Raises Incomplete.
    """
    low, high = where.low, where.high
    step = 1 if integer else 0
    if distribution != "exponential" and high <= 0:
        low, high = -high, -low
    outer = tail(distribution, integer, scale, high + step)
    inner = tail(distribution, integer, scale, low)
    return Chance(max(Decimal(0), DOWN.subtract(inner.low, outer.high)), UP.subtract(inner.high, outer.low))
