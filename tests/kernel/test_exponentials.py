"""Rational enclosures of exp and log, and facts about exponentials."""

from __future__ import annotations

from fractions import Fraction

import flint
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from synth.kernel.exponentials import exponential, logarithm, power_of_e, without_exponentials

NUMBERS = st.fractions(min_value=-30, max_value=30, max_denominator=10**6)


def _ball(x: Fraction) -> arb:
    flint.ctx.prec = 400
    return arb(fmpq(x.numerator, x.denominator))


@given(NUMBERS)
def test_exp_is_enclosed(x: Fraction) -> None:
    low, high = exponential(x)
    assert _ball(low) <= _ball(x).exp() + arb("1e-40")
    assert _ball(x).exp() <= _ball(high) + arb("1e-40")


@given(st.fractions(min_value=Fraction(1, 10**15), max_value=10**15))
def test_log_is_enclosed(x: Fraction) -> None:
    low, high = logarithm(x)
    assert _ball(low) <= _ball(x).log() <= _ball(high)
    assert high - low <= Fraction(1, 10**3)


@pytest.mark.parametrize("x", [Fraction(1, 10**12), Fraction(1, 10**300), Fraction(10) ** 300])
def test_logs_of_extreme_numbers(x: Fraction) -> None:
    low, high = logarithm(x)
    assert low <= high


def test_a_tiny_exponent() -> None:
    low, high = exponential(Fraction(1, 10**400))
    assert 1 < low <= high


def test_exp_of_a_log_is_the_number() -> None:
    power, conditions = power_of_e(("*", "2.0", ("|log:1^|", "|x<>|")))
    assert power == ("*", "|x<>|", "|x<>|")
    assert len(conditions) == 1  # x > 0


def test_without_exponentials_nothing_changes() -> None:
    formulas = [("<", "|x<>|", "1.0")]
    assert without_exponentials(formulas) == formulas
