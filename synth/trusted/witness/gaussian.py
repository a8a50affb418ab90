"""Tails of Gaussian noise around 0, enclosed by decimals; nothing but the standard library.

On the reals, with x = start/σ: near 0 a half minus φ(x)·(x + x³/3 + x⁵/15 + …), further out φ(x) times
Mills' ratio, which is Laplace's continued fraction 1/(x + 1/(x + 2/(x + 3/(x + …)))).  On the integers the
weights exp(-v²/(2σ²)) are added up.
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from synth.trusted.witness.boxes import Incomplete
from synth.trusted.witness.functions import DOWN, UP, Ends, decimals, exp, sqrt

PI = Decimal("3.14159265358979323846264338327950288419"), Decimal("3.14159265358979323846264338327950288420")
_HALF = Decimal("0.5")
_NEAR = 2
"""Up to here the series is used, then the continued fraction."""

_TERMS = 100
"""Of the series: its terms fall at least by half from the first few on."""

_MAX_SIGMA = 10_000
"""The largest σ whose weights are added up on the integers."""

_REACH = 14
"""Weights are added up to so many σ from 0, or from the start of the tail."""


def real_tail(sigma: Fraction, start: Fraction) -> Ends:
    """The probability of at least ``start`` >= 0."""
    place = start / sigma
    root = sqrt(Fraction(2))
    circle = sqrt(Fraction(PI[0]))[0], sqrt(Fraction(PI[1]))[1]
    height = exp(-place * place / 2)
    density = (
        DOWN.divide(height[0], UP.multiply(root[1], circle[1])),
        UP.divide(height[1], DOWN.multiply(root[0], circle[0])),
    )
    if place > _NEAR:
        return _product(density, _mills(place))
    inner = _product(density, _series(place))
    return DOWN.subtract(_HALF, inner[1]), UP.subtract(_HALF, inner[0])


def _product(one: Ends, two: Ends) -> Ends:
    """Of numbers that are at least 0."""
    return DOWN.multiply(one[0], two[0]), UP.multiply(one[1], two[1])


def _series(place: Fraction) -> Ends:
    """x + x³/3 + x⁵/(3·5) + …; what is left out is at most the last term, as x²/(2n + 1) < 1/2."""
    low, high = decimals(place)
    square = _product((low, high), (low, high))
    total = term = (low, high)
    for number in range(1, _TERMS):
        odd = 2 * number + 1
        term = (
            DOWN.divide(DOWN.multiply(term[0], square[0]), odd),
            UP.divide(UP.multiply(term[1], square[1]), odd),
        )
        total = DOWN.add(total[0], term[0]), UP.add(total[1], term[1])
    return total[0], UP.add(total[1], term[1])


def _mills(place: Fraction) -> Ends:
    """The continued fraction; from the n-th level on it is between 0 and n/x."""
    low, high = decimals(place)
    levels = 40 + math.ceil(1200 / (place * place))
    below, above = Decimal(0), UP.divide(levels, low)
    for number in range(levels - 1, -1, -1):
        top = max(number, 1)
        below, above = DOWN.divide(top, UP.add(high, above)), UP.divide(top, DOWN.add(low, below))
    return below, above


def integer_tail(sigma: Fraction, start: int) -> Ends:
    """The probability of at least ``start`` >= 1.  Raises Incomplete."""
    if sigma > _MAX_SIGMA:
        raise Incomplete("a Gaussian on the integers with a very large sigma")
    sums = _sums(sigma)
    found = sums[start - 1] if start <= len(sums) else _sum_from(sigma, start)
    low, high = sums[0]
    everything = UP.add(1, UP.multiply(2, high)), DOWN.add(1, DOWN.multiply(2, low))
    return DOWN.divide(found[0], everything[0]), UP.divide(found[1], everything[1])


@lru_cache(maxsize=64)
def _sums(sigma: Fraction) -> tuple[Ends, ...]:
    """The sums of the weights from 1, 2, 3, … on."""
    last = math.ceil(_REACH * sigma) + 1
    sums = [_sum_from(sigma, last)]
    for value in range(last - 1, 0, -1):
        weight = _weight(sigma, value)
        sums.append((DOWN.add(sums[-1][0], weight[0]), UP.add(sums[-1][1], weight[1])))
    return tuple(reversed(sums))


def _sum_from(sigma: Fraction, start: int) -> Ends:
    """The first weights, and a geometric series that is larger than the rest."""
    end = start + math.ceil(100 * sigma * sigma / start) + 1
    weights = [_weight(sigma, value) for value in range(start, end)]
    low = high = Decimal(0)
    for weight in weights:
        low, high = DOWN.add(low, weight[0]), UP.add(high, weight[1])
    ratio = exp(-Fraction(2 * end + 1) / (2 * sigma * sigma))[1]
    rest = UP.divide(_weight(sigma, end)[1], DOWN.subtract(1, ratio))
    return low, UP.add(high, rest)


def _weight(sigma: Fraction, value: int) -> Ends:
    return exp(-Fraction(value * value) / (2 * sigma * sigma))
