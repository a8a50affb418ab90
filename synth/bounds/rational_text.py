"""Rational functions as a person would write them: ``(1 + 6*c)*eps/4``, ``e1 + 2*e2``."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import flint

Terms = list[tuple[tuple[int, ...], Fraction]]


class Ratio(Protocol):
    """A quotient of two polynomials in the variables ``names``."""

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order of the exponents."""

    @property
    def numerator(self) -> flint.fmpq_mpoly:
        """Over the line."""

    @property
    def denominator(self) -> flint.fmpq_mpoly:
        """Under the line."""


def text(item: Ratio, last: Collection[str] = ()) -> str:
    """The expression in Python's syntax; reading it back gives the same function.

    Factors that mention a name of ``last`` (the budgets) come after the others.
    """
    writer = _Writer(item.names, frozenset(last))
    constant, top = writer.factors(item.numerator)
    divisor, bottom = writer.factors(item.denominator)
    constant /= divisor
    if constant == 0:
        return "0"
    sign = "-" if constant < 0 else ""
    number = abs(constant)
    above = ([str(number.numerator)] if number.numerator != 1 else []) + top
    below = ([str(number.denominator)] if number.denominator != 1 else []) + bottom
    if len(above) == 1 and not below and not sign:
        return above[0][1:-1] if is_wrapped(above[0]) else above[0]
    head = "*".join(above) or "1"
    if not below:
        return sign + head
    if len(below) == 1:
        return f"{sign}{head}/{below[0]}"
    return f"{sign}{head}/({'*'.join(below)})"


def is_wrapped(part: str) -> bool:
    """Whether one pair of parentheses encloses the whole text."""
    if not part.startswith("("):
        return False
    depth = 0
    for place, letter in enumerate(part):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return place == len(part) - 1
    return False


@dataclass(frozen=True)
class _Writer:
    """Writes polynomials in ``names``; those in ``last`` at the end of each product."""

    names: tuple[str, ...]
    last: frozenset[str]

    def factors(self, polynomial: flint.fmpq_mpoly) -> tuple[Fraction, list[str]]:
        """A number, and the other factors as text."""
        content, factors = polynomial.factor()
        number = _fraction(content)
        found: list[tuple[tuple[bool, bool, str], str]] = []
        for factor, power in factors:
            terms = _terms(factor)
            negative = number < 0 and int(power) % 2 == 1
            scale, written = self._sum(terms, negative)
            number *= scale ** int(power)
            rank = self._is_last(terms), len(terms) == 1, written
            found.append((rank, written if power == 1 else f"{written}**{int(power)}"))
        return number, [written for _, written in sorted(found)]

    def _is_last(self, terms: Terms) -> bool:
        return any(
            power > 0 and name in self.last
            for powers, _ in terms
            for name, power in zip(self.names, powers, strict=True)
        )

    def _sum(self, terms: Terms, turn: bool) -> tuple[Fraction, str]:
        """A primitive sum in parentheses, constants first, and the sign taken out of it.

        A sum of mixed signs is only turned round where that makes the product positive.
        """
        terms = sorted(terms, key=lambda item: (sum(item[0]), self._rank(item[0])))
        turned = terms[0][1] < 0 and (turn or all(value < 0 for _, value in terms))
        scale = Fraction(-1 if turned else 1)
        written = ""
        for powers, value in terms:
            product = self._product(powers, abs(value))
            negative = value * scale < 0
            if written:
                written += f" {'-' if negative else '+'} {product}"
            else:
                written = f"-{product}" if negative else product
        return scale, written if len(terms) == 1 else f"({written})"

    def _rank(self, powers: tuple[int, ...]) -> list[int]:
        """Terms with the budgets that come first in the alphabet come first."""
        order = sorted(range(len(powers)), key=lambda place: self.names[place] not in self.last)
        return [-powers[place] for place in order]

    def _product(self, powers: tuple[int, ...], value: Fraction) -> str:
        parts = [] if value == 1 else [str(value)]
        used = [(name, power) for name, power in zip(self.names, powers, strict=True) if power]
        for name, power in sorted(used, key=lambda item: (item[0] in self.last, item[0])):
            factor = _factor(name)
            parts.append(factor if power == 1 else f"{factor}**{power}")
        return "*".join(parts) or "1"


def _factor(name: str) -> str:
    """A variable as a factor: one that stands for ``n // 2`` needs parentheses."""
    depth = 0
    for letter in name:
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and letter in " +-*/%":
            return f"({name})"
    return name


def _terms(polynomial: flint.fmpq_mpoly) -> Terms:
    return [
        (tuple(int(power) for power in powers), _fraction(value))
        for powers, value in polynomial.to_dict().items()
    ]


def _fraction(value: flint.fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))
