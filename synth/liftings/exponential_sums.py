"""Quotients of sums of rational multiples of e^r, r rational: exact numbers of which the sign can be told.

A sum Σ c·e^r over different r is 0 only if each c is (Lindemann and Weierstrass 1885).  So what has a term
left is not 0, and enclosures fine enough tell its sign.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import flint

Sum = dict[Fraction, Fraction]
"""Σ c·e^r as r: c, without zeros."""

_FIRST_PRECISION = 128


@dataclass(frozen=True, eq=False)
class Exact:
    """The quotient of two sums, the lower one not 0."""

    top: Sum
    bottom: Sum

    @staticmethod
    def number(value: Fraction | int) -> Exact:
        """A rational number."""
        return Exact(_without_zeros({Fraction(0): Fraction(value)}), {Fraction(0): Fraction(1)})

    @staticmethod
    def power(exponent: Fraction) -> Exact:
        """e to a rational power."""
        return Exact({exponent: Fraction(1)}, {Fraction(0): Fraction(1)})

    def __add__(self, other: Exact) -> Exact:
        if self.bottom == other.bottom:
            return Exact(_sum(self.top, other.top), self.bottom)
        return Exact(
            _sum(_product(self.top, other.bottom), _product(other.top, self.bottom)),
            _product(self.bottom, other.bottom),
        )

    def __neg__(self) -> Exact:
        return Exact({power: -factor for power, factor in self.top.items()}, self.bottom)

    def __sub__(self, other: Exact) -> Exact:
        return self + -other

    def __mul__(self, other: Exact) -> Exact:
        return Exact(_product(self.top, other.top), _product(self.bottom, other.bottom))

    def __truediv__(self, other: Exact) -> Exact:
        """Raises ZeroDivisionError."""
        if not other.top:
            raise ZeroDivisionError
        return Exact(_product(self.top, other.bottom), _product(self.bottom, other.top))

    @cached_property
    def sign(self) -> int:
        """-1, 0 or 1."""
        return _sign(self.top) * _sign(self.bottom)

    @cached_property
    def rational(self) -> Fraction | None:
        """The number, if it is seen to be rational."""
        if not self.top:
            return Fraction(0)
        power, factor = next(iter(self.top.items()))
        quotient = factor / self.bottom.get(power, factor)
        same = self.top == {power: quotient * factor for power, factor in self.bottom.items()}
        return quotient if same else None

    def ball(self) -> flint.arb:
        """An enclosure, in the precision of flint's context."""
        return _ball(self.top) / _ball(self.bottom)


def _without_zeros(terms: Sum) -> Sum:
    return {power: factor for power, factor in terms.items() if factor}


def _sum(one: Sum, other: Sum) -> Sum:
    found = defaultdict(Fraction, one)
    for power, factor in other.items():
        found[power] += factor
    return _without_zeros(found)


def _product(one: Sum, other: Sum) -> Sum:
    found: dict[Fraction, Fraction] = defaultdict(Fraction)
    for power, factor in one.items():
        for more, times in other.items():
            found[power + more] += factor * times
    return _without_zeros(found)


def _ball(terms: Sum) -> flint.arb:
    total = flint.arb(0)
    for power, factor in terms.items():
        total += _arb(factor) * _arb(power).exp()
    return total


def _arb(number: Fraction) -> flint.arb:
    return flint.arb(flint.fmpq(number.numerator, number.denominator))


def _sign(terms: Sum) -> int:
    bits = _FIRST_PRECISION
    while terms:
        with flint.ctx.workprec(bits):
            total = _ball(terms)
            if total > 0 or total < 0:
                return 1 if total > 0 else -1
        bits *= 2
    return 0
