"""Products and quotients of noise: each factor is in a cell, and the value is enclosed."""

from __future__ import annotations

import math

import pytest

from synth.refuter.exact.distribution import MEDIUM, ROUGH, probability
from synth.refuter.exact.forms import Range
from synth.refuter.search.search import refute
from synth.refuter.witness import document_of
from synth.trusted.witness.check import VALID, check_witness
from tests.support.refuting import SAFE, mechanism, scalar

MEAN = """
@mechanism(adjacent={"x": absolute_distance(1), "n": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def mean(x: float, n: float, eps: float) -> float:
    total = laplace(x, 1 / eps)
    count = laplace(n, 1 / eps)
    return total / max(count, 1.0)
"""

RATIO = """
@mechanism(epsilon="1")
def ratio(x: float) -> bool:
    return laplace(0.0, 1.0) / laplace(0.0, 1.0) < 1
"""

SQUARE = """
@mechanism(epsilon="1")
def square(x: float) -> float:
    y = laplace(0.0, 1.0)
    return y * y
"""


def test_a_quotient_of_noise_is_enclosed() -> None:
    """A ratio of two equal laws is symmetric around 0, and as often above 1 as between 0 and 1."""
    low, high = probability(mechanism(RATIO), {"x": 0}, scalar(True), ROUGH).floats()
    assert low <= 3 / 4 <= high
    assert high - low < 2 / 5


@pytest.mark.slow
def test_a_quotient_of_noise_is_enclosed_closely() -> None:
    low, high = probability(mechanism(RATIO), {"x": 0}, scalar(True), MEDIUM).floats()
    assert low <= 3 / 4 <= high
    assert high - low < 1 / 4


def test_a_square_of_noise_is_enclosed() -> None:
    low, high = probability(mechanism(SQUARE), {"x": 0}, scalar(Range(1, 4)), MEDIUM).floats()
    assert low <= math.exp(-1) - math.exp(-2) <= high
    assert high - low < 1 / 10


def test_a_noisy_mean_is_refuted_by_a_witness_that_is_checked() -> None:
    of = mechanism(MEAN)
    found = refute(of, seconds=SAFE)
    assert found is not None
    assert check_witness(document_of(of, found)).verdict == VALID
