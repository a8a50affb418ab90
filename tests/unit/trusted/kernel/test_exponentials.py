"""Rational enclosures of exp and log, and facts about exponentials."""

from __future__ import annotations

from fractions import Fraction

import flint
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from synth.trusted.kernel.solvers import holds, script
from synth.trusted.logic.arithmetic.exponentials import (
    exponential,
    logarithm,
    power_of_e,
    without_exponentials,
)
from synth.trusted.logic.codes import Code
from synth.trusted.logic.conditions import Condition
from synth.trusted.logic.terms import Term

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


# --- logarithms beside each other -----------------------------------------------------------

LOG = "|log:1^|"
X, Y = "|x<>|", "|y<>|"


def _shown(goal: Term, *premises: Term) -> bool:
    return holds(script(Condition("", "", Code.DISTANCE_NOT_PAID(), premises, goal, None)), "z3")


def _apart(first: Term, second: Term, sign: str, low: str, high: str) -> Term:
    total = (sign, (LOG, first), (LOG, second))
    return ("and", ("<=", low, total), ("<=", total, high))


def test_logs_of_multiples_differ_by_a_number() -> None:
    double: Term = ("/", "2.0", X)
    positive: Term = ("<", "0.0", X)
    assert _shown(_apart(double, ("/", "1.0", X), "-", "0.6931", "0.6932"), positive)
    assert not _shown(_apart(double, ("/", "1.0", X), "-", "0.69", "0.693"), positive)


def test_the_same_number_has_one_log() -> None:
    same = ("=", (LOG, ("/", "1.0", ("*", "2.0", X))), (LOG, ("/", ("/", "1.0", "2.0"), X)))
    assert _shown(same, ("<", "0.0", X))


def test_the_log_of_an_inverse_has_the_other_sign() -> None:
    assert _shown(_apart(X, ("/", "1.0", X), "+", "0.0", "0.0"), ("<", "0.0", X))


@pytest.mark.parametrize("premise", [("<=", "0.0", X), ("<", X, "0.0"), "true"])
def test_logs_of_what_may_not_be_positive_say_nothing(premise: Term) -> None:
    assert not _shown(_apart(("/", "2.0", X), ("/", "1.0", X), "-", "0.6931", "0.6932"), premise)


def test_a_quotient_that_may_be_undefined_is_no_number() -> None:
    """log(x/x) is log(1) where x is not 0, and nothing is known of it elsewhere."""
    unit: Term = ("/", X, X)
    assert not _shown(_apart(("*", unit, Y), Y, "-", "0.0", "0.0"), ("<", "0.0", Y))
    assert _shown(_apart(("*", unit, Y), Y, "-", "0.0", "0.0"), ("<", "0.0", Y), ("<", "0.0", X))


def test_long_polynomials_are_not_multiplied() -> None:
    """Their products could be too large, and the whole condition would be given up."""
    first, second = (
        ("+", *(("*", f"{place + 1}.0", *([name] * (1 + place))) for place in range(101))) for name in (X, Y)
    )
    formulas: list[Term] = [("<", (LOG, first), "5.0"), ("<", (LOG, second), "5.0"), "true"]
    assert len(without_exponentials(formulas)) > len(formulas)


def test_a_large_multiple_of_a_logarithm_is_no_product() -> None:
    power: Term = ("|exp:1^|", ("*", "1000000000000000000000000.0", (LOG, X)))
    assert len(without_exponentials([("<", "1.0", power)])) < 20
