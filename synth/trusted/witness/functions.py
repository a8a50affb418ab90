"""Decimals rounded down and up, and enclosures of exp, log and sqrt; nothing but the standard library.

Decimal rounds these functions correctly, to the nearest: the neighbours of what it gives enclose the value.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

_MAX_DECIMAL_EXPONENT = 999_999_999
DOWN = Context(prec=40, rounding=ROUND_FLOOR, Emin=-_MAX_DECIMAL_EXPONENT, Emax=_MAX_DECIMAL_EXPONENT)
UP = Context(prec=40, rounding=ROUND_CEILING, Emin=-_MAX_DECIMAL_EXPONENT, Emax=_MAX_DECIMAL_EXPONENT)

Ends = tuple[Decimal, Decimal]
"""A number is at least the first and at most the second."""


def decimals(value: Fraction) -> Ends:
    """Around a rational number."""
    top, bottom = Decimal(value.numerator), Decimal(value.denominator)
    return DOWN.divide(top, bottom), UP.divide(top, bottom)


def exp(value: Fraction) -> Ends:
    """Around the exponential, which is exact at 0."""
    if value == 0:
        return Decimal(1), Decimal(1)
    low, high = _rising(value, lambda context, end: context.exp(end))
    return max(Decimal(0), low), high


def log(value: Fraction) -> Ends:
    """Around the natural logarithm of a positive number, which is exact at 1."""
    if value == 1:
        return Decimal(0), Decimal(0)
    return _rising(value, lambda context, end: context.ln(end))


def sqrt(value: Fraction) -> Ends:
    """Around the root of a number that is at least 0."""
    low, high = _rising(value, lambda context, end: context.sqrt(end))
    return max(Decimal(0), low), high


def _rising(value: Fraction, function: Callable[[Context, Decimal], Decimal]) -> Ends:
    """Around the value of a function that doesn't fall."""
    below, above = decimals(value)
    return DOWN.next_minus(function(DOWN, below)), UP.next_plus(function(UP, above))
