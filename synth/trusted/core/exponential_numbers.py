"""Numbers that can be compared exactly: quotients of sums of c·e^r, where all c and r are rational.

A sum of c·e^r over different r is 0 only if each c is (Lindemann 1882, Weierstrass 1885).  So one that has a
term left is not 0, and fine enough enclosures tell its sign.
"""

from __future__ import annotations

import decimal
import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce, total_ordering

Sum = tuple[tuple[Fraction, Fraction], ...]
"""The sum of c·e^r as pairs (r, c), r rising, no c being 0."""

_ONE: Sum = ((Fraction(0), Fraction(1)),)
_FIRST_DIGITS = 30


@total_ordering
@dataclass(frozen=True, eq=False)
class Irrational:
    """``top`` divided by the product of ``bottom``, a number that is not rational.

    Each sum of ``bottom`` has two terms or more and begins with 1.
    """

    top: Sum
    bottom: tuple[Sum, ...]

    def __add__(self, other: Number) -> Number:
        bottoms = Counter(self.bottom) | Counter(_parts(other)[1])
        tops = [_raised(number, bottoms) for number in (self, other)]
        return _quotient(_collected(term for top in tops for term in top), bottoms.elements())

    def __mul__(self, other: Number) -> Number:
        top, bottom = _parts(other)
        return _quotient(_times(self.top, top), (*self.bottom, *bottom))

    def __neg__(self) -> Number:
        return self * -1

    def __sub__(self, other: Number) -> Number:
        return self + -other

    def __rsub__(self, other: Number) -> Number:
        return -self + other

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Irrational) and self - other == 0

    def __hash__(self) -> int:
        return 0  # equal numbers may be written in different ways

    def __lt__(self, other: Number) -> bool:
        return sign(self - other) < 0

    def __abs__(self) -> Number:
        return self * sign(self)

    def __floor__(self) -> int:
        digits = _FIRST_DIGITS
        while True:
            low, high = map(math.floor, enclosure(self, digits))
            if low == high:
                return low
            digits *= 2

    def __ceil__(self) -> int:
        return -math.floor(-self)

    def __trunc__(self) -> int:
        return sign(self) * math.floor(abs(self))

    def __round__(self) -> int:
        return math.floor(self + Fraction(1, 2))


Number = int | Fraction | Irrational


def exponential(exponent: Fraction | int) -> Number:
    """e to the power of a rational number."""
    return _quotient(((Fraction(exponent), Fraction(1)),), ())


def divide(one: Number, other: Number) -> Number:
    """The quotient, never an integer by type.  Raises ZeroDivisionError."""
    if not isinstance(other, Irrational):
        return one * Fraction(1, other)
    (exponent, factor), *_ = other.top
    unit: Sum = ((-exponent, 1 / factor),)
    top = _product((*other.bottom, unit))
    bottom = (_times(other.top, unit),) if len(other.top) > 1 else ()
    return _quotient(top, bottom) * one


def power(base: Number, exponent: int) -> Number:
    """The power; 0 ** 0 is 1.  Raises ZeroDivisionError for a negative power of 0."""
    product: Number = 1
    for _ in range(abs(exponent)):
        product = product * base
    return divide(1, product) if exponent < 0 else product


def sign(number: Number) -> int:
    """-1, 0 or 1."""
    top, bottom = _parts(number)
    return math.prod(map(_sign, (top, *bottom)))


def enclosure(number: Number, digits: int) -> tuple[Fraction, Fraction]:
    """Rational numbers below and above, closer the more digits."""
    top, bottom = _parts(number)
    ends = _enclosure(top, digits)
    for factor in bottom:
        low, high = _enclosure(factor, digits)
        if low <= 0 <= high:
            return enclosure(number, 2 * digits)
        quotients = [end / part for end in ends for part in (low, high)]
        ends = min(quotients), max(quotients)
    return ends


def _parts(number: Number) -> tuple[Sum, tuple[Sum, ...]]:
    if isinstance(number, Irrational):
        return number.top, number.bottom
    return _collected([(Fraction(0), Fraction(number))]), ()


def _quotient(top: Sum, bottom: Iterable[Sum]) -> Number:
    """The number, as a fraction if it is rational: then one sum is a multiple of the other."""
    factors = tuple(sorted(bottom))
    below = _product(factors)
    ratio = top[0][1] / below[0][1] if top else Fraction(0)
    rational = top == tuple((exponent, ratio * factor) for exponent, factor in below if ratio)
    return ratio if rational else Irrational(top, factors)


def _raised(number: Number, bottoms: Counter[Sum]) -> Sum:
    """What stands above if the number is written with that below."""
    top, bottom = _parts(number)
    return reduce(_times, (bottoms - Counter(bottom)).elements(), top)


def _collected(terms: Iterable[tuple[Fraction, Fraction]]) -> Sum:
    found: dict[Fraction, Fraction] = defaultdict(Fraction)
    for exponent, factor in terms:
        found[exponent] += factor
    return tuple(sorted(item for item in found.items() if item[1]))


def _times(one: Sum, other: Sum) -> Sum:
    return _collected((r + s, c * d) for r, c in one for s, d in other)


@lru_cache(maxsize=1 << 12)
def _product(factors: tuple[Sum, ...]) -> Sum:
    return reduce(_times, factors, _ONE)


@lru_cache(maxsize=1 << 12)
def _sign(terms: Sum) -> int:
    signs = {1 if factor > 0 else -1 for _, factor in terms}
    digits = _FIRST_DIGITS
    while len(signs) > 1:
        low, high = _enclosure(terms, digits)
        signs = {1} if low > 0 else {-1} if high < 0 else signs
        digits *= 2
    return next(iter(signs), 0)


def _enclosure(terms: Sum, digits: int) -> tuple[Fraction, Fraction]:
    low = high = Fraction(0)
    for exponent, factor in terms:
        one, other = sorted(factor * end for end in _exponential(exponent, digits))
        low, high = low + one, high + other
    return low, high


@lru_cache(maxsize=1 << 12)
def _exponential(exponent: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Around e^exponent.  Decimal rounds it to the nearest decimal, so the neighbours enclose it."""
    if not exponent:
        return Fraction(1), Fraction(1)
    down, up = (
        decimal.Context(digits, rounding, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX)
        for rounding in (decimal.ROUND_FLOOR, decimal.ROUND_CEILING)
    )
    top, bottom = decimal.Decimal(exponent.numerator), decimal.Decimal(exponent.denominator)
    low = down.next_minus(down.exp(down.divide(top, bottom)))
    return max(Fraction(low), Fraction(0)), Fraction(up.next_plus(up.exp(up.divide(top, bottom))))
