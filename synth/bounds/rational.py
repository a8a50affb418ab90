"""Rational functions of the public parameters: scales, rates, and the bounds that are reported.

Exact arithmetic by FLINT's multivariate polynomials.  What is not rational (``sqrt(n)``,
``len(q)``, ``n // 2``) is a variable of its own, named as the user wrote it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm

import flint

from synth.bounds.rational_text import text

Monomial = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Rational:
    """A quotient of polynomials, in lowest terms; ``names`` are its variables in order."""

    numerator: flint.fmpq_mpoly
    denominator: flint.fmpq_mpoly
    names: tuple[str, ...]

    @staticmethod
    def number(value: Fraction | int) -> Rational:
        """A constant."""
        return _quotient(_polynomial(value, ()), _polynomial(1, ()), ())

    @staticmethod
    def variable(name: str) -> Rational:
        """A parameter, or an opaque expression by its text."""
        context = _context((name,))
        return Rational(context.gen(0), context.constant(1), (name,))

    def __add__(self, other: Rational) -> Rational:
        a, b, names = _aligned(self, other)
        return _quotient(
            a.numerator * b.denominator + b.numerator * a.denominator,
            a.denominator * b.denominator,
            names,
        )

    def __neg__(self) -> Rational:
        return Rational(-self.numerator, self.denominator, self.names)

    def __sub__(self, other: Rational) -> Rational:
        return self + -other

    def __mul__(self, other: Rational) -> Rational:
        a, b, names = _aligned(self, other)
        return _quotient(a.numerator * b.numerator, a.denominator * b.denominator, names)

    def __truediv__(self, other: Rational) -> Rational:
        """Raises ZeroDivisionError."""
        if other.is_zero():
            raise ZeroDivisionError
        a, b, names = _aligned(self, other)
        return _quotient(a.numerator * b.denominator, a.denominator * b.numerator, names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rational) and (self - other).is_zero()

    def __hash__(self) -> int:
        return hash(str(self))

    def is_zero(self) -> bool:
        """Whether this is the constant 0."""
        return bool(self.numerator == 0)

    def constant_value(self) -> Fraction | None:
        """The value of a constant, None if a variable occurs."""
        if self.numerator.is_constant() and self.denominator.is_constant():
            top, bottom = (_leading(part) for part in (self.numerator, self.denominator))
            return top / bottom
        return None

    def variables(self) -> frozenset[str]:
        """The variables that really occur."""
        return frozenset(
            name
            for place, name in enumerate(self.names)
            for part in (self.numerator, self.denominator)
            if part.degrees()[place] > 0
        )

    def parts(self) -> tuple[Rational, Rational]:
        """What is over the line and what is under it, with whole numbers."""
        under = [
            Fraction(str(item)).denominator for item in (*self.numerator.coeffs(), *self.denominator.coeffs())
        ]
        one, factor = _context(self.names).constant(1), lcm(*under)
        return (
            Rational(self.numerator * factor, one, self.names),
            Rational(self.denominator * factor, one, self.names),
        )

    def with_squares(self, squares: Mapping[str, Rational]) -> Rational:
        """The same where the squares of some variables are these functions: s² is x for s = sqrt(x)."""
        top, bottom = (
            _squares_written(part.to_dict(), self.names, squares)
            for part in (self.numerator, self.denominator)
        )
        return top / bottom

    def coefficients(self, name: str) -> dict[int, Rational]:
        """What the powers of one variable are multiplied by, in a function that doesn't divide by it."""
        place = self.names.index(name)
        terms: dict[int, dict[tuple[int, ...], flint.fmpq]] = {}
        for powers, coefficient in self.numerator.to_dict().items():
            rest = (*powers[:place], 0, *powers[place + 1 :])
            terms.setdefault(int(powers[place]), {})[rest] = coefficient
        context = _context(self.names)
        return {
            power: _quotient(context.from_dict(part), self.denominator, self.names)
            for power, part in terms.items()
        }

    def square_root(self) -> tuple[Rational, Rational]:
        """A function, and what is left to draw the root of: its square times that is this."""
        (top, rest), (bottom, under) = (_root(item) for item in (self.numerator, self.denominator))
        return _quotient(top, bottom, self.names), _quotient(rest, under, self.names)

    def value(self, at: Mapping[str, Fraction | int]) -> Fraction:
        """The value at a point.  Raises KeyError, ZeroDivisionError."""
        top, bottom = (_evaluate(part, self.names, at) for part in (self.numerator, self.denominator))
        return top / bottom

    def __str__(self) -> str:
        return text(self)


def _root(polynomial: flint.fmpq_mpoly) -> tuple[flint.fmpq_mpoly, flint.fmpq_mpoly]:
    """The root of what is squared in a polynomial, and what is not."""
    context = polynomial.context()
    unit, factors = polynomial.factor()
    outside, inside = context.constant(1), context.constant(1)
    for factor, power in factors:
        outside, inside = outside * factor ** (int(power) // 2), inside * factor ** (int(power) % 2)
    value = Fraction(int(unit.p), int(unit.q))
    roots = isqrt(abs(value.numerator)), isqrt(value.denominator)
    if Fraction(roots[0] ** 2, roots[1] ** 2) == value:
        return outside * flint.fmpq(*roots), inside
    return outside, inside * unit


def _squares_written(
    terms: Mapping[tuple[int, ...], flint.fmpq], names: tuple[str, ...], squares: Mapping[str, Rational]
) -> Rational:
    total = Rational.number(0)
    for powers, coefficient in terms.items():
        term = Rational.number(Fraction(int(coefficient.p), int(coefficient.q)))
        for name, power in zip(names, powers, strict=True):
            pairs, rest = divmod(int(power), 2) if name in squares else (0, int(power))
            for factor in [squares.get(name, term)] * pairs + [Rational.variable(name)] * rest:
                term = term * factor
        total = total + term
    return total


def _context(names: tuple[str, ...]) -> flint.fmpq_mpoly_ctx:
    return flint.fmpq_mpoly_ctx.get(tuple(map(_ascii, names)), "lex")


def _ascii(name: str) -> str:
    """FLINT knows only ASCII names; the user's are kept beside."""
    return name.encode("ascii", "backslashreplace").decode()


def _polynomial(value: Fraction | int, names: tuple[str, ...]) -> flint.fmpq_mpoly:
    exact = Fraction(value)
    return _context(names).constant(flint.fmpq(exact.numerator, exact.denominator))


def _aligned(first: Rational, second: Rational) -> tuple[Rational, Rational, tuple[str, ...]]:
    names = tuple(sorted({*first.names, *second.names}))
    return _lifted(first, names), _lifted(second, names), names


def _lifted(item: Rational, names: tuple[str, ...]) -> Rational:
    if item.names == names:
        return item
    context = _context(names)
    places = [names.index(name) for name in item.names]

    def lift(polynomial: flint.fmpq_mpoly) -> flint.fmpq_mpoly:
        terms = {}
        for powers, coefficient in polynomial.to_dict().items():
            wide = [0] * len(names)
            for place, power in zip(places, powers, strict=True):
                wide[place] = int(power)
            terms[tuple(wide)] = coefficient
        return context.from_dict(terms)

    return Rational(lift(item.numerator), lift(item.denominator), names)


def _quotient(top: flint.fmpq_mpoly, bottom: flint.fmpq_mpoly, names: tuple[str, ...]) -> Rational:
    common = top.gcd(bottom)
    if not common.is_constant():
        top, bottom = divmod(top, common)[0], divmod(bottom, common)[0]
    lead = _leading(bottom)
    scale = _context(names).constant(flint.fmpq(lead.denominator, lead.numerator))
    return Rational(top * scale, bottom * scale, names)


def _leading(polynomial: flint.fmpq_mpoly) -> Fraction:
    if polynomial == 0:
        return Fraction(0)
    coefficient = polynomial.leading_coefficient()
    return Fraction(int(coefficient.p), int(coefficient.q))


def _evaluate(
    polynomial: flint.fmpq_mpoly, names: tuple[str, ...], at: Mapping[str, Fraction | int]
) -> Fraction:
    total = Fraction(0)
    for powers, coefficient in polynomial.to_dict().items():
        term = Fraction(int(coefficient.p), int(coefficient.q))
        for name, power in zip(names, powers, strict=True):
            if power:
                term *= Fraction(at[name]) ** int(power)
        total += term
    return total
