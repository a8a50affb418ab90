"""Gazeau, Miller & Palamidessi 2013, Theorem 4.5: ε' = ε + ln(1 + R·exp(ε·(L + δt)/Δ))."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from synth.precision.enclosures import ball


def robustness(cell: Fraction, moved: arb, planar: bool = False) -> arb:
    """R by its definition, eq. (5): λ(S^{+δt} \\ S^{-δt}) / λ(S^{-δt}) for a cell of width L > 2δt.

    That is 4δt/(L - 2δt) for an interval.  For a square S^{+δt} is enclosed in the square of side L + 2δt, as
    in the paper's § 6: 8·L·δt/(L - 2δt)².
    """
    inner = ball(cell) - 2 * moved
    return 8 * ball(cell) * moved / inner**2 if planar else 4 * moved / inner


def printed_robustness(cell: Fraction, moved: arb, planar: bool = False) -> arb:
    """R as §§ 5 and 6 print it: (L + 2δt)/(L - 2δt), or its square; it doesn't go to 0 with δt."""
    ratio = (ball(cell) + 2 * moved) / (ball(cell) - 2 * moved)
    return ratio**2 if planar else ratio


def degraded(epsilon: Fraction, sensitivity: Fraction, reach: arb, moved: arb, ratio: arb) -> arb:
    """ε' in nats, from ε, Δ, L (the diameter of a cell), δt and R."""
    growth = ball(epsilon / sensitivity) * (reach + moved)
    return ball(epsilon) + growth + ((-growth).exp() + ratio).log()
