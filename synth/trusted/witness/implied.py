"""What claims of GDP and zCDP say of (ε, δ): for an ε ≥ 0 a δ that follows, rounded up.

A witness against such a claim is one against a pair that follows from it, and names the ε.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from synth.trusted.program import syntax as ir
from synth.trusted.witness.functions import DOWN, UP, exp, log
from synth.trusted.witness.gaussian import real_tail


def implied_delta(notion: ir.Notion, bound: Fraction, epsilon: Fraction, order: Fraction | None) -> Fraction:
    """Give a δ at ε = ``epsilon`` >= 0 nats that follows from a claim of at most ``bound`` > 0.

    Of μ-GDP it is the least (Dong, Roth & Su 2022, Cor. 2.13), and ``order`` is None.  Of ρ-zCDP it is
    (1 − 1/α)^α/(α − 1)·exp((α − 1)(αρ − ε)) for the ``order`` α > 1 (Canonne, Kamath & Steinke 2020,
    Prop. 7).  Both speak of sets of outputs, so they say nothing of runs without one.  Raises
    DecimalException for numbers that are too large.
    """
    if notion is ir.Notion.GDP:
        return _of_gdp(bound, epsilon)
    assert order is not None
    return _of_zcdp(bound, epsilon, order)


def _of_gdp(mu: Fraction, epsilon: Fraction) -> Fraction:
    """Φ(μ/2 − ε/μ) − exp(ε)·Φ(−μ/2 − ε/μ)."""
    start = epsilon / mu - mu / 2
    far = real_tail(Fraction(1), start if start >= 0 else -start)
    most = far[1] if start >= 0 else UP.subtract(Decimal(1), far[0])
    least = DOWN.multiply(exp(epsilon)[0], real_tail(Fraction(1), epsilon / mu + mu / 2)[0])
    return Fraction(UP.subtract(most, least))


def _of_zcdp(rho: Fraction, epsilon: Fraction, order: Fraction) -> Fraction:
    exponent = (order - 1) * (order * rho - epsilon)
    exponent += order * Fraction(log(1 - 1 / order)[1]) - Fraction(log(order - 1)[0])
    return Fraction(1) if exponent >= 0 else Fraction(exp(exponent)[1])
