"""Sums of exponentials, against their values in floating point, and the laws of a field."""

from __future__ import annotations

import itertools
import math
import operator
from fractions import Fraction

import pytest

from synth.trusted.core.exponential_numbers import Irrational, divide, enclosure, exponential, power, sign

E = exponential(1)
HALF = Fraction(1, 2)
NUMBERS = [
    0,
    -2,
    HALF,
    E,
    -E,
    exponential(-HALF) * 3,
    1 + exponential(-2),
    divide(1, 1 + E),
    divide(E - 1, E + 1),
    divide(HALF * E, exponential(-1) - 2),
]


def nearly(number):
    low, high = enclosure(number, 30)
    assert low <= high
    return float(low)


@pytest.mark.parametrize("apply", [operator.add, operator.sub, operator.mul])
def test_arithmetic_is_that_of_the_values(apply):
    for one, other in itertools.product(NUMBERS, repeat=2):
        assert nearly(apply(one, other)) == pytest.approx(apply(nearly(one), nearly(other)))


def test_quotients_undo_products():
    for one, other in itertools.product(NUMBERS, repeat=2):
        if other != 0:
            assert divide(one, other) * other == one
            assert nearly(divide(one, other)) == pytest.approx(nearly(one) / nearly(other))


@pytest.mark.parametrize("zero", [0, E - E, divide(E, 2) - E * HALF])
def test_nothing_is_divided_by_zero(zero):
    for number in NUMBERS:
        with pytest.raises(ZeroDivisionError):
            divide(number, zero)


@pytest.mark.parametrize(
    ("number", "value"),
    [
        (E * exponential(-1), 1),
        (divide(E * E - 1, E - 1) - E, 1),
        (divide(1, 1 + E) + divide(E, 1 + E), 1),
        (divide(2 + 2 * E, 1 + E), 2),
        (power(E, 3) * exponential(-3), 1),
        (power(E, -1) * E, 1),
        (power(E, 0), 1),
        (E - E, 0),
    ],
)
def test_what_is_rational_is_a_fraction(number, value):
    assert number == value and not isinstance(number, Irrational)


def test_order_is_that_of_the_values():
    for one, other in itertools.product(NUMBERS, repeat=2):
        assert (one < other) == (nearly(one) < nearly(other) and one != other)
        assert (one <= other) == (one < other or one == other)
        assert (one > other) == (other < one)


def test_numbers_that_floats_confuse_are_told_apart():
    tiny = exponential(-200)
    assert 1 + tiny > 1 and sign(1 + tiny - 1) == 1
    assert sign(E + tiny - E) == 1 and Fraction(math.e) - Fraction(1, 10**15) < E
    close = sum(Fraction(1, math.factorial(k)) for k in range(60))
    assert close < E < close + Fraction(1, 10**75)


@pytest.mark.parametrize(
    ("number", "floor", "ceiling", "truncated", "rounded"),
    [(E, 2, 3, 2, 3), (-E, -3, -2, -2, -3), (divide(1, 1 + E), 0, 1, 0, 0), (-divide(1, 1 + E), -1, 0, 0, 0)],
)
def test_rounding(number, floor, ceiling, truncated, rounded):
    assert (math.floor(number), math.ceil(number), math.trunc(number), round(number)) == (
        floor,
        ceiling,
        truncated,
        rounded,
    )


def test_equal_numbers_have_one_hash():
    one, other = divide(E - 1, E * E - 1) * 2, divide(2, E + 1)
    assert one == other and len({one, other}) == 1
    assert abs(-E) == E and abs(E) == E
