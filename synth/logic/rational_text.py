"""Rational functions as a person would write them: ``(1 + 6*c)*eps/4``, ``e1 + 2*e2``."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import flint

    from synth.logic.rational import Rational


def text(item: Rational) -> str:
    """The expression in Python's syntax; reading it back gives the same function."""
    constant, top = _factors(item.numerator, item.names)
    divisor, bottom = _factors(item.denominator, item.names)
    constant /= divisor
    if constant == 0:
        return "0"
    sign = "-" if constant < 0 else ""
    number = abs(constant)
    above = ([str(number.numerator)] if number.numerator != 1 else []) + top
    below = ([str(number.denominator)] if number.denominator != 1 else []) + bottom
    if len(above) == 1 and not below and not sign:
        return above[0].removeprefix("(").removesuffix(")") if _wrapped(above[0]) else above[0]
    head = "*".join(above) or "1"
    if not below:
        return sign + head
    if len(below) == 1:
        return f"{sign}{head}/{below[0]}"
    return f"{sign}{head}/({'*'.join(below)})"


def _wrapped(part: str) -> bool:
    """Whether one pair of parentheses encloses the whole text."""
    if not part.startswith("("):
        return False
    depth = 0
    for place, letter in enumerate(part):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return place == len(part) - 1
    return False


def _factors(polynomial: flint.fmpq_mpoly, names: tuple[str, ...]) -> tuple[Fraction, list[str]]:
    content, factors = polynomial.factor()
    number = Fraction(int(content.p), int(content.q))
    sums: list[str] = []
    atoms: list[str] = []
    for factor, power in factors:
        scale, written = _sum(factor, names)
        number *= scale ** int(power)
        (sums if written.startswith("(") else atoms).append(
            written if power == 1 else f"{written}**{int(power)}"
        )
    return number, sorted(sums) + sorted(atoms)


def _sum(polynomial: flint.fmpq_mpoly, names: tuple[str, ...]) -> tuple[Fraction, str]:
    """A primitive sum in parentheses, constants first, and the number taken out of it."""
    terms = [
        (tuple(int(power) for power in powers), Fraction(int(value.p), int(value.q)))
        for powers, value in polynomial.to_dict().items()
    ]
    terms.sort(key=lambda item: (sum(item[0]), [-power for power in item[0]]))
    if all(value < 0 for _, value in terms):
        scale, terms = Fraction(-1), [(powers, -value) for powers, value in terms]
    else:
        scale = Fraction(1)
    written = ""
    for powers, value in terms:
        product = _product(powers, abs(value), names)
        if not written:
            written = product if value > 0 else f"-{product}"
        else:
            written += f" {'+' if value > 0 else '-'} {product}"
    return scale, written if len(terms) == 1 else f"({written})"


def _product(powers: tuple[int, ...], value: Fraction, names: tuple[str, ...]) -> str:
    parts = [] if value == 1 else [str(value)]
    for name, power in zip(names, powers, strict=True):
        if power:
            parts.append(name if power == 1 else f"{name}**{power}")
    return "*".join(parts) or "1"
