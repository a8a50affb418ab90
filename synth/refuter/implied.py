"""Pairs (ε, δ) that follow from a claim of GDP or zCDP, as far as they are worth a look."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

from flint import arb, fmpq

from synth.trusted.program import syntax as ir

_NORMAL = NormalDist()
_QUANTILES = (0.5, 0.0, -1.0, -2.0, -3.5, -5.0)
"""Where on the curve of GDP pairs are chosen: the first one in units of μ, the others as they are."""

_ORDERS = (1.2, 1.5, 2.0, 3.0, 5.0, 8.0, 16.0, 32.0)
_MAX_ORDER = 1e6
_NEVER = 1e-300
"""What counts as the probability of an output that the right side doesn't have."""

_MAX_EPSILON = 600.0
_DIGITS = 6


@dataclass(frozen=True)
class Implied:
    """A pair (ε, δ) that follows from a claim; ``order`` is the α > 1 that it comes from, of zCDP."""

    epsilon: float
    delta: arb
    order: float | None = None


def implied_pairs(notion: ir.Notion, bound: arb) -> Iterator[Implied]:
    """Give pairs along the whole curve, for a claim of at most ``bound`` > 0."""
    middle = float(bound.mid())
    if notion is ir.Notion.GDP:
        for place, quantile in enumerate(_QUANTILES):
            yield _of_gdp(bound, _loss_at(quantile * middle if place == 0 else quantile, middle))
    else:
        for order in _ORDERS:
            yield _of_zcdp(bound, (2 * order - 1) * middle + math.log1p(-1 / order), order)


def nearest_pair(notion: ir.Notion, bound: arb, likely: tuple[float, float]) -> Implied:
    """The pair that outputs with these two probabilities violate most, if they violate any."""
    middle, left = float(bound.mid()), min(max(likely[0], _NEVER), 1 - 1e-15)
    ratio = math.log(left) - math.log(max(likely[1], _NEVER))
    if notion is ir.Notion.GDP:
        return _of_gdp(bound, _loss_at(_NORMAL.inv_cdf(left), middle))
    order = min(max((ratio / middle + 1) / 2, 1 + 1e-3), _MAX_ORDER)
    allowed = (order * math.log(left) - order * (order - 1) * middle) / (order - 1)
    return _of_zcdp(bound, math.log(left) - allowed + math.log1p(-1 / order), order)


def _loss_at(quantile: float, mu: float) -> float:
    """The ε at which the curve of GDP touches what a set of that quantile on the left allows."""
    return mu * mu / 2 - quantile * mu


def _rounded(number: float) -> float:
    return float(f"{number:.{_DIGITS}g}")


def _epsilon(number: float) -> float:
    return _rounded(min(max(number, 0.0), _MAX_EPSILON))


def _exact(number: float) -> arb:
    """The number as its decimals say it, which is how a document says it."""
    exact = Fraction(repr(number))
    return arb(fmpq(exact.numerator, exact.denominator))


def _of_gdp(mu: arb, loss: float) -> Implied:
    number = _epsilon(loss)
    epsilon, root = _exact(number), arb(2).sqrt()
    upper = ((epsilon / mu - mu / 2) / root).erfc() / 2
    return Implied(number, upper - epsilon.exp() * ((epsilon / mu + mu / 2) / root).erfc() / 2)


def _of_zcdp(rho: arb, loss: float, order: float) -> Implied:
    number, alpha = _epsilon(loss), _rounded(order)
    epsilon, exact = _exact(number), _exact(alpha)
    exponent = (exact - 1) * (exact * rho - epsilon) + exact * (1 - 1 / exact).log() - (exact - 1).log()
    return Implied(number, exponent.exp(), alpha)
