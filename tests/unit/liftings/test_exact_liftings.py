"""Exact numbers with powers of e, and liftings of equality decided with them."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.liftings.chances import InexactError, chances
from synth.liftings.equality import decide_equality, interval
from synth.liftings.exponential_sums import Exact
from synth.liftings.flow import Answer, decide
from synth.trusted.frontend.reader import read_source

SMALL = st.fractions(-2, 2, max_denominator=6)
NUMBERS = st.lists(st.tuples(SMALL, SMALL), min_size=1, max_size=3)
MASSES = st.lists(st.fractions(0, 1, max_denominator=6), min_size=3, max_size=3)

PROGRAM = """
from math import exp

from synth.lang import *


@mechanism(adjacent={"value": discrete_distance()}, requires="eps > 0")
def flipped(value: int, eps: float) -> list[bool]:
    out = []
    for i in range(2):
        bit = value == i
        if bernoulli(1 / (1 + exp(eps / 2))):
            bit = not bit
        out.append(bit)
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def noisy(x: int, eps: float) -> bool:
    return laplace(x, 1 / eps) > 0
"""


def exact(terms: list[tuple[Fraction, Fraction]]) -> Exact:
    total = Exact.number(0)
    for factor, power in terms:
        total = total + Exact.number(factor) * Exact.power(power)
    return total


@settings(max_examples=150, deadline=None)
@given(NUMBERS, NUMBERS)
def test_arithmetic_and_signs(
    one: list[tuple[Fraction, Fraction]], two: list[tuple[Fraction, Fraction]]
) -> None:
    left, right = exact(one), exact(two)
    a, b = (sum(float(factor) * math.exp(power) for factor, power in terms) for terms in (one, two))
    for number, near in ((left + right, a + b), (left - right, a - b), (left * right, a * b)):
        low, high = interval(number)
        assert float(low) == pytest.approx(near, abs=1e-9) and high - low < Fraction(1, 10**30)
        assert number.sign == (abs(near) > 1e-9) * math.copysign(1, near) or abs(near) <= 1e-9
    if right.sign:
        assert (left / right * right - left).sign == 0 == (left - left).sign
        assert (left / left).rational == 1 if left.sign else left.rational == 0


def test_what_no_precision_tells() -> None:
    root = Exact.power(Fraction(1, 2))
    assert (root * root - Exact.power(Fraction(1))).sign == 0
    assert (root * root - Exact.power(1 + Fraction(1, 10**400))).sign == -1
    with pytest.raises(ZeroDivisionError):
        root / (root - root)


@settings(max_examples=100, deadline=None)
@given(MASSES, MASSES, st.integers(1, 3), st.fractions(0, 1, max_denominator=5))
def test_equality_agrees_with_the_flow(
    one: list[Fraction], two: list[Fraction], factor: int, delta: Fraction
) -> None:
    """ε = ln n, as the flow with right masses n times as large at ε = 0."""
    left, right = ({place: Exact.number(mass) for place, mass in enumerate(item)} for item in (one, two))
    found = decide_equality(left, right, Exact.number(factor), Exact.number(delta))
    scaled = {place: factor * mass for place, mass in enumerate(two)}
    flow = decide(dict(enumerate(one)), scaled, lambda a, b: a == b, 0, delta)
    assert found.answer is flow.answer and found.missing == flow.missing
    if found.answer is Answer.NO:
        assert found.sides is not None and found.violated <= flow.violated
        assert found.sides[0].low - found.sides[1].low == found.missing - delta
    else:
        assert found.left == flow.left
        assert all(mass.high <= factor * found.right[pair].low for pair, mass in found.left.items())


def test_chances_of_lists() -> None:
    flipped, noisy = read_source(PROGRAM, "program.py")
    given_ = {"value": 0, "eps": Fraction(2)}
    outputs = [(one, two) for one in (True, False) for two in (True, False)]
    found = chances(flipped, given_, outputs)
    keep, flip = (
        Exact.power(Fraction(power)) / (Exact.number(1) + Exact.power(Fraction(1))) for power in (1, 0)
    )
    expected = [keep * flip, keep * keep, flip * flip, flip * keep]
    assert all((one - other).sign == 0 for one, other in zip(found, expected, strict=True))
    with pytest.raises(InexactError):
        chances(noisy, {"x": 0, "eps": 1}, [(True,), (False,)])
