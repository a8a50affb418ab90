"""When ρ-zCDP is (ε, δ)-privacy.

For each α > 1 the chance that is lost is at most exp((α − 1)(αρ − ε))·(1 − 1/α)^α/(α − 1) (Canonne, Kamath &
Steinke 2020, Prop. 7).  Of numbers it is enclosed at an α near the best one.  Of parameters the last
factor is left out, as it is below 1, and α = (ρ + ε)/(2ρ): exp(−(ε − ρ)²/(4ρ)) is lost, if ρ ≤ ε (Bun &
Steinke 2016, Prop. 1.3).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from synth.trusted.logic.arithmetic.exponentials import power_of_e
from synth.trusted.logic.arithmetic.gaussian_divergence import decided, numbers_of, squared
from synth.trusted.logic.arithmetic.polynomials import at_most
from synth.trusted.logic.terms import Term, conjunction

if TYPE_CHECKING:
    import flint

_SMALL, _LARGE = 1e-100, 1e100
"""What floats can look for an α with."""

_STEPS = 100
"""Of the search for α; any one proves what it proves."""


def enough_of_concentrated(square: Term, epsilon: Term, delta: Term) -> list[Term]:
    """When (ε, δ) pays for ρ-zCDP with 2ρ = ``square`` > 0: conditions over public inputs."""
    numbers = numbers_of(square, epsilon, delta)
    if numbers is not None:
        return [decided(_is_enough, *numbers)]
    rho: Term = ("*", "0.5", square)
    gap, defined = squared(("-", epsilon, rho))
    decay, positive = power_of_e(("*", ("-", "0.5"), ("/", gap, square)))
    return [conjunction([*defined, *positive]), at_most(rho, epsilon), at_most(decay, delta)]


def _is_enough(square: flint.arb, epsilon: flint.arb, delta: flint.arb) -> bool:
    """Of exact numbers or balls."""
    import flint

    rho = square / 2
    if not (_SMALL < rho < _LARGE and epsilon < _LARGE):
        return False
    order = flint.arb(_best_order(float(rho.mid()), float(epsilon.mid())))
    lost = (order - 1) * (order * rho - epsilon) + order * (1 - 1 / order).log() - (order - 1).log()
    return bool(lost.exp() <= delta)


def _best_order(rho: float, epsilon: float) -> float:
    """An α > 1 at which little is lost, as far as floats tell."""

    def lost(less: float) -> float:
        return less * ((1 + less) * rho - epsilon) - (1 + less) * math.log1p(1 / less) - math.log(less)

    low, high = 1e-9, max(2.0, 2 * (epsilon + 1) / rho)
    for _ in range(_STEPS):
        third = (high - low) / 3
        if lost(low + third) < lost(high - third):
            high -= third
        else:
            low += third
    return 1 + (low + high) / 2
