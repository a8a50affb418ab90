"""What scales are to be found: a claim, and what a proof costs as a function of the scales."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from synth.app.repair.allocation import Problem
from synth.app.repair.symbolic import Unknowns
from synth.app.repair.writing import Unwritable, expression_of
from synth.trusted.program import syntax as ir

_DIGITS = 5
"""Decimal digits of a calibrated μ."""


@dataclass(frozen=True)
class Cost:
    """What is proved where each scale is a parameter: the name of a bound, and the bound."""

    name: str
    bound: str

    def __str__(self) -> str:
        return self.bound if self.name == "epsilon" else f"{self.name} = {self.bound}"


def problems(unknowns: Unknowns, cost: Cost) -> Iterator[Problem]:
    """Give what is to be solved, the least noise first: ε and δ pay for squares in more than one way."""
    from synth.trusted.frontend.claim import read_bound
    from synth.views.expressions import assumptions, expression, symbols

    mechanism = unknowns.claiming.mechanism()
    known = assumptions(mechanism)
    named = symbols(known)
    bound = expression(read_bound(mechanism, cost.bound, cost.name), known)

    def written(item: ir.Expression) -> Any:
        return expression(item, known)

    for claim in _claims(mechanism, cost.name, written):
        yield Problem(
            bound**2 if cost.name == ir.Notion.GDP.value else bound,
            claim,
            tuple(named[name] for name in unknowns.names),
            tuple(_weights(unknowns, named)),
            unknowns.has_holes,
            1 if cost.name == "epsilon" else 2,
            exact=cost.name == "epsilon" or mechanism.divergence is not None,
        )


def _claims(mechanism: ir.Mechanism, name: str, written: Any) -> Iterator[Any]:
    """How large ε, μ² or ρ may be."""
    claimed = mechanism.divergence
    if claimed is not None:
        bound = written(claimed.bound)
        yield bound**2 if claimed.notion is ir.Notion.GDP else bound
        return
    assert mechanism.epsilon is not None
    epsilon = written(mechanism.epsilon)
    if name == "epsilon" or mechanism.delta is None:
        yield epsilon
    elif name == ir.Notion.GDP.value:
        yield from _sums_of_squares(epsilon, written(mechanism.delta))
    else:
        yield _concentration(epsilon, written(mechanism.delta))


def _sums_of_squares(epsilon: Any, delta: Any) -> Iterator[Any]:
    """Σ (distance/sigma)² that (ε, δ) pays for: as numbers the most, else in closed form.

    The closed form is that of Dwork & Roth 2014, Thm. A.1, for ε ≤ 1.
    """
    import sympy

    if epsilon.is_number and delta.is_number:
        yield sympy.Rational(str(_calibrated(float(epsilon), float(delta)))) ** 2
    yield epsilon**2 / (2 * sympy.Symbol(f"log(1.25/({delta}))", positive=True))
    yield 2 * _concentration(epsilon, delta)


def _concentration(epsilon: Any, delta: Any) -> Any:
    """The ρ whose ρ + 2·sqrt(ρ·log(1/δ)) is ε (Bun & Steinke 2016, Prop. 1.3)."""
    import sympy

    loss = sympy.Symbol(f"log(1/({delta}))", positive=True)
    return (sympy.sqrt(loss + epsilon) - sympy.sqrt(loss)) ** 2


def _calibrated(epsilon: float, delta: float) -> float:
    """The largest μ, rounded down, whose Gaussian noise is (ε, δ)-private (Balle & Wang 2018, Thm. 8)."""
    normal = NormalDist()

    def needed(mu: float) -> float:
        return normal.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * normal.cdf(-mu / 2 - epsilon / mu)

    low, high = 1e-6, 1e3
    for _ in range(100):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if needed(middle) <= delta else (low, middle)
    unit = 10.0 ** (math.floor(math.log10(low)) + 1 - _DIGITS)
    return round(math.floor(low / unit) * unit, 12)


def _weights(unknowns: Unknowns, named: dict[str, Any]) -> list[Any]:
    """The noise of an unknown that is 1; of factors, by the scales if all of them are of parameters."""
    import sympy

    plain = [sympy.Integer(site.variance) for site in unknowns.sites]
    if unknowns.has_holes:
        return plain
    try:
        scales = [expression_of(site.text or "1") for site in unknowns.sites]
    except Unwritable:
        return plain
    if any(symbol.name not in named for scale in scales for symbol in scale.free_symbols):
        return plain
    squares = [
        scale.subs({symbol: named[symbol.name] for symbol in scale.free_symbols}) ** 2 for scale in scales
    ]
    return [weight * square for weight, square in zip(plain, squares, strict=True)]
