"""Liftings of equality, decided with exact chances."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.liftings.chances import InexactError, chances
from synth.liftings.equality import decide_equality
from synth.liftings.flow import Answer, decide
from synth.trusted.core.exponential_numbers import divide, exponential
from synth.trusted.frontend.reader import read_source

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


@settings(max_examples=100, deadline=None)
@given(MASSES, MASSES, st.integers(1, 3), st.fractions(0, 1, max_denominator=5))
def test_equality_agrees_with_the_flow(
    one: list[Fraction], two: list[Fraction], factor: int, delta: Fraction
) -> None:
    """ε = ln n, as the flow with right masses n times as large at ε = 0."""
    found = decide_equality(dict(enumerate(one)), dict(enumerate(two)), factor, delta)
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
    keep, flip = (divide(exponential(power), 1 + exponential(1)) for power in (1, 0))
    expected = [keep * flip, keep * keep, flip * flip, flip * keep]
    assert found == expected
    with pytest.raises(InexactError):
        chances(noisy, {"x": 0, "eps": 1}, [(True,), (False,)])
