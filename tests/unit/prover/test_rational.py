"""Rational functions: the laws of a field, values, and text that reads back as the same function."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from synth.bounds.rational import Rational
from synth.bounds.rational_text import text
from tests.support.proving import bound, from_text

MECHANISM = from_text(
    """
    @mechanism
    def f(a: float, b: float, n: int, q: list[int]) -> int:
        return 0
    """
)
NAMES = ("a", "b", "n", "len(q)")
NUMBERS = st.fractions(min_value=-4, max_value=4, max_denominator=6)


def _quotient(top: Rational, bottom: Rational) -> Rational:
    return top if bottom.is_zero() else top / bottom


RATIONALS = st.recursive(
    st.one_of(NUMBERS.map(Rational.number), st.sampled_from(NAMES).map(Rational.variable)),
    lambda inner: st.one_of(
        st.builds(Rational.__add__, inner, inner),
        st.builds(Rational.__sub__, inner, inner),
        st.builds(Rational.__mul__, inner, inner),
        st.builds(_quotient, inner, inner),
    ),
    max_leaves=6,
)
POINTS = st.fixed_dictionaries({name: st.fractions(1, 9, max_denominator=7) for name in NAMES})


@given(RATIONALS, RATIONALS, RATIONALS)
def test_field(x: Rational, y: Rational, z: Rational) -> None:
    zero, one = Rational.number(0), Rational.number(1)
    assert x + y == y + x
    assert x * y == y * x
    assert (x + y) + z == x + (y + z)
    assert (x * y) * z == x * (y * z)
    assert x * (y + z) == x * y + x * z
    assert x + zero == x == x * one
    assert (x - x).is_zero()
    if not y.is_zero():
        assert x / y * y == x
        assert y / y == one


@given(RATIONALS, RATIONALS, POINTS)
def test_values(x: Rational, y: Rational, point: dict[str, Fraction]) -> None:
    """Values of sums and products are sums and products of values."""
    try:
        left, right = x.value(point), y.value(point)
        total, product = (x + y).value(point), (x * y).value(point)
    except ZeroDivisionError:
        assume(False)
    assert total == left + right
    assert product == left * right


@given(RATIONALS, RATIONALS)
def test_equal_functions_are_one(x: Rational, y: Rational) -> None:
    """However a function came about, it has one text and one hash."""
    same = x + y - y
    assert same == x
    assert hash(same) == hash(x)
    assert str(same) == str(x)


@given(RATIONALS, st.sets(st.sampled_from(NAMES)))
def test_text_reads_back(x: Rational, last: set[str]) -> None:
    """The reader takes what is printed for the same function."""
    value = x.constant_value()
    assume(value is None or value >= 0)  # no claim is a negative number
    assert bound(MECHANISM, text(x, last)) == x


@given(RATIONALS, POINTS)
def test_text_has_the_value(x: Rational, point: dict[str, Fraction]) -> None:
    """Python, which knows nothing of the reader, gives the text the function's value."""
    try:
        value = x.value(point)
    except ZeroDivisionError:
        assume(False)
    names = {name: point[name] for name in ("a", "b", "n")}
    written = text(x).replace("len(q)", "length")
    assert Fraction(eval(_exact(written), {"F": Fraction}, {**names, "length": point["len(q)"]})) == value


def _exact(written: str) -> str:
    """Integers as fractions, but for exponents."""
    return re.sub(r"(?<![\w*])(\d+)|(?<=[^*]\*)(\d+)", lambda match: f"F({match[0]})", written)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("(a + 6*n*a) / 4", "(1 + 6*n)*a/4"),
        ("n * b", "b*n"),
        ("b + 2 * a", "2*a + b"),
        ("a / 2 + a / 2", "a"),
        ("0 * a", "0"),
        ("1 / (a * b)", "1/(a*b)"),
    ],
)
def test_readable(written: str, expected: str) -> None:
    assert str(bound(MECHANISM, written)) == expected


def test_division_by_zero() -> None:
    with pytest.raises(ZeroDivisionError):
        Rational.variable("a") / (Rational.variable("b") - Rational.variable("b"))


@given(RATIONALS)
def test_variables_and_constants(x: Rational) -> None:
    assert (x.constant_value() is None) == bool(x.variables())
    assert x.is_zero() == (x.constant_value() == 0)


@given(RATIONALS, RATIONALS, st.sampled_from(NAMES))
def test_coefficients_make_the_function(item: Rational, other: Rational, name: str) -> None:
    whole = item * Rational.variable(name) + other
    assume(name in whole.names and whole.denominator.degrees()[whole.names.index(name)] == 0)
    total = Rational.number(0)
    for power, coefficient in whole.coefficients(name).items():
        assert name not in coefficient.variables()
        for _ in range(power):
            coefficient = coefficient * Rational.variable(name)
        total = total + coefficient
    assert total == whole


def test_parts_have_whole_numbers() -> None:
    b, eps = Rational.variable("b"), Rational.variable("eps")
    over, under = ((b * eps / Rational.number(2) + eps / Rational.number(3)) / eps).parts()
    assert (str(over), str(under)) == ("2 + 3*b", "6")
