"""Powers and logarithms of public numbers, as polynomial arithmetic knows them, against their values."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from synth.trusted.kernel.check import INVALID
from synth.trusted.kernel.solvers import holds, script
from synth.trusted.logic.arithmetic.exponentials import logarithm
from synth.trusted.logic.arithmetic.polynomials import power
from synth.trusted.logic.codes import Code
from synth.trusted.logic.conditions import Condition
from synth.trusted.logic.terms import REAL, Term, app, number
from tests.support.handmade import Data, accepted, check_text, program_edited
from tests.support.proving import proof_of

BASES = [Fraction(2), Fraction(1, 2), Fraction(9, 10), Fraction(1), Fraction(7, 3)]


def _follows(goal: Term, *premises: Term) -> bool:
    condition = Condition("Test", "", Code.FACT_NOT_SHOWN(), premises, goal, None)
    return holds(script(condition), "z3")


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("exponent", [-3, 0, 1, 4])
def test_a_power_to_a_number_has_its_value(base: Fraction, exponent: int) -> None:
    written = power(number(base, REAL), number(exponent, REAL))
    value = number(base**exponent, REAL)
    assert not _follows("false", ("=", written, value))
    if base != 1:
        assert _follows(("=", written, value))
        assert not _follows(("<", written, value))


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("exponent", [-2, 0, 1, 3])
def test_the_values_of_powers_contradict_nothing(base: Fraction, exponent: int) -> None:
    """Where the base or the exponent is unknown, all that is known of powers holds of the real ones."""
    for written in ("|b|", number(base, REAL)):
        values: list[Term] = [
            ("=", "|b|", number(base, REAL)),
            ("=", "|k|", number(exponent, REAL)),
            ("=", power(written, "|k|"), number(base**exponent, REAL)),
            ("=", power(written, ("+", "|k|", "1.0")), number(base ** (exponent + 1), REAL)),
        ]
        assert not _follows("false", *values)


def test_one_more_factor_for_one_more() -> None:
    more: Term = ("=", power("|b|", ("+", "|k|", "1.0")), ("*", "|b|", power("|b|", "|k|")))
    assert _follows(more, ("<", "0.0", "|b|"))
    assert not _follows(more)


def test_nothing_is_known_of_powers_of_what_is_not_positive() -> None:
    """0 ** -1 has no value, and (-1) ** k changes its sign."""
    for base in ("|b|", "0.0", number(-1, REAL)):
        assert not _follows(("<", "0.0", power(base, "|k|")))
        assert not _follows(("<=", power(base, ("+", "|k|", "1.0")), power(base, "|k|")))


def test_how_much_a_logarithm_grows() -> None:
    """log(a) - log(b) >= 1 - b/a, and nothing is known where one isn't positive."""
    a, b = app("|log:1^|", "|a|"), app("|log:1^|", "|b|")
    least: Term = ("<=", ("-", "|a|", "|b|"), ("*", "|a|", ("-", a, b)))
    positive: list[Term] = [("<", "0.0", "|a|"), ("<", "0.0", "|b|")]
    assert _follows(least, *positive)
    assert _follows(("<", b, a), *positive, ("<", "|b|", "|a|"))
    assert not _follows(("<=", ("*", "1.01", ("-", "|a|", "|b|")), ("*", "|a|", ("-", a, b))), *positive)
    for left_out in range(2):
        assert not _follows(least, positive[left_out])


@pytest.mark.parametrize(("top", "bottom"), [(2, 1), (3, 2), (1, 5), (1000, 999), (1, 1)])
def test_the_values_of_logarithms_contradict_nothing(top: int, bottom: int) -> None:
    """Where both are numbers, the enclosures of their logarithms are within all that is known of them."""
    values: list[Term] = []
    for name, known in (("|a|", top), ("|b|", bottom)):
        low, high = logarithm(Fraction(known)) if known != 1 else (Fraction(0), Fraction(0))
        values.append(("=", name, number(known, REAL)))
        log = app("|log:1^|", name)
        values += [("<=", number(low, REAL), log), ("<=", log, number(high, REAL))]
    assert not _follows("false", *values)


HALVED = """from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def halved(x: float, n: int, eps: float) -> list[float]:
    return [laplace(x, 2 ** (k + 1) / eps) for k in range(n)]
"""
RATIO = """from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and 0 < r and r < 1", epsilon="eps")
def ratio(x: float, n: int, r: float, eps: float) -> list[float]:
    return [laplace(x, 1 / (eps * (1 - r) * r ** k)) for k in range(n)]
"""


def _proof(text: str) -> Data:
    data = json.loads(proof_of(text))
    return {name: item for name, item in data.items() if name != "core"}


@pytest.mark.parametrize(
    ("text", "old", "new", "reason"),
    [
        (HALVED, "2 ** (k + 1)", "2 ** k", "the amount pays"),
        (HALVED, "2 ** (k + 1)", "1.5 ** (k + 1)", "the amount pays"),
        (HALVED, "2 ** (k + 1)", "2 ** (1 - k)", "the amount pays"),
        (RATIO, "(1 - r) * r ** k", "r * r ** k", "the amount pays"),
        (RATIO, " and r < 1", "", "not shown"),
        (RATIO, "0 < r and r < 1", "r < 1 and r > -1 and (1 - r) * r ** 2 > 0", "not shown"),
    ],
)
def test_another_power_is_not_paid_by_the_same_potential(text: str, old: str, new: str, reason: str) -> None:
    data = _proof(text)
    accepted(data)
    found = check_text(program_edited(data, old, new))
    assert found.verdict == INVALID and reason in (found.reason or "")


HARMONIC = """from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 1", epsilon="eps*(1 + log(n))")
def harmonic(x: float, n: int, eps: float) -> list[float]:
    return [laplace(x, (k + 1) / eps) for k in range(n)]
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(k + 1) / eps", "(k + 1) / eps / 2"),
        ("(k + 1) / eps", "(k + 1) / eps - 0.01 / eps"),
        ("(k + 1) / eps", "(n - k + 1) / (2 * eps)"),
        ("(k + 1) / eps", "sqrt(k + 1) / eps"),
        (" and n >= 1", ""),
    ],
)
def test_a_harmonic_sum_is_paid_by_a_logarithm(old: str, new: str) -> None:
    data = _proof(HARMONIC)
    accepted(data)
    assert check_text(program_edited(data, old, new)).verdict == INVALID
