"""Real numbers as rigorous enclosures: rational ends outside of this package, flint's balls inside."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from flint import arb, ctx, fmpq


@dataclass(frozen=True)
class Interval:
    """A real number known to lie in [low, high]."""

    low: Fraction
    high: Fraction

    @staticmethod
    def of(ball: arb) -> Interval:
        """The rational interval around a finite ball."""
        return Interval(_rational(ball.lower()), _rational(ball.upper()))

    @staticmethod
    def exactly(number: Fraction) -> Interval:
        """A number that is known."""
        return Interval(number, number)

    def floats(self) -> tuple[float, float]:
        """The same number between two floats, rounded outward."""
        return _float(self.low, -math.inf), _float(self.high, math.inf)


def ball(value: Fraction | int) -> arb:
    """A ball around an exact number."""
    exact = Fraction(value)
    return arb(fmpq(exact.numerator, exact.denominator))


@contextmanager
def working_precision(bits: int) -> Iterator[None]:
    """Balls are computed with so many bits."""
    with ctx.workprec(bits):
        yield


def decimal_text(number: Fraction, digits: int, rounding: str = ROUND_HALF_EVEN) -> str:
    """The number with so many digits, also where no float is as large or as small."""
    rounded = Context(prec=digits, rounding=rounding).divide(
        Decimal(number.numerator), Decimal(number.denominator)
    )
    near = float(rounded)
    is_float = math.isfinite(near) and (near != 0 or number == 0)
    return f"{near:.{digits}g}" if is_float else f"{rounded.normalize():e}"


def _rational(exact: arb) -> Fraction:
    mantissa, exponent = exact.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _float(exact: Fraction, direction: float) -> float:
    """The float next to a number, on that side of it."""
    try:
        found = float(exact)
    except OverflowError:
        beyond = math.inf if exact > 0 else -math.inf
        return beyond if beyond == direction else math.nextafter(beyond, 0)
    inside = Fraction(found) > exact if direction < 0 else Fraction(found) < exact
    return math.nextafter(found, direction) if inside else found
