"""Loops that are retried: both methods sum up all rounds, and come to the chances that are known."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from fractions import Fraction

import pytest

from synth.refuter.search.search import refute
from synth.refuter.witness import document_of
from synth.trusted.json_reader import DECIMALS, read_json
from synth.trusted.program import syntax as ir
from synth.trusted.witness import backward
from synth.trusted.witness.backward import Backward, Fineness, TargetOutput
from synth.trusted.witness.chances import Chance
from synth.trusted.witness.check import INCOMPLETE, INVALID, VALID, check_witness
from tests.support.refuting import SAFE, chance, mechanism, scalar

COIN = """@mechanism()
def f(x: int) -> bool:
    while True:
        said = bernoulli(1 / 3)
        if bernoulli(1 / 10):
            return said
"""
TWO_ENDS = """@mechanism()
def f(x: int) -> int:
    while True:
        r = uniform_int(0, 9)
        if r < 3:
            return 1
        if r == 3:
            return 0
"""
INNER = """@mechanism()
def f(x: int) -> int:
    while True:
        while True:
            if bernoulli(1 / 3):
                break
            if bernoulli(1 / 4):
                return 2
        if bernoulli(1 / 4):
            return 1
        if bernoulli(1 / 2):
            return 0
"""
STUCK = """@mechanism()
def f(x: int) -> int:
    while True:
        if bernoulli(1 / 2):
            while True:
                x = uniform_int(0, 1)
        if bernoulli(1 / 2):
            return 1
"""
IN_RANGE = """@mechanism()
def f(x: int) -> int:
    y = laplace(x, 1)
    while y < 0 or y > 2:
        y = laplace(x, 1)
    return y
"""
E = math.exp(-1)


def by_cases(of: ir.Mechanism, value: int) -> Chance:
    fineness = Fineness(Fraction(1, 2), Decimal("1e-12"), math.inf)
    return Backward(of, TargetOutput((value,), ()), {}, {}, fineness).chance({"x": 0})


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        (COIN, 1, 1 / 3),
        (TWO_ENDS, 1, 3 / 4),
        (TWO_ENDS, 0, 1 / 4),
        (INNER, 2, (1 / 3) / (1 / 3 + 2 / 3 * 5 / 8)),
        (INNER, 1, (2 / 3 * 1 / 4) / (1 / 3 + 2 / 3 * 5 / 8)),
        (INNER, 0, (2 / 3 * 3 / 8) / (1 / 3 + 2 / 3 * 5 / 8)),
        (IN_RANGE, 0, 1 / (1 + E + E * E)),
        (IN_RANGE, 2, E * E / (1 + E + E * E)),
    ],
)
def test_chances_of_all_rounds_are_known(text: str, value: int, expected: float) -> None:
    of = mechanism(text)
    for low, high in (by_cases_of(of, value), chance(of, scalar(value), x=0).floats()):
        assert low - 1e-9 <= expected <= high + 1e-9
        assert high - low < 1e-4


def by_cases_of(of: ir.Mechanism, value: int) -> tuple[float, float]:
    found = by_cases(of, value)
    return float(found.low), float(found.high)


def test_runs_that_do_not_end_have_no_output() -> None:
    """A quarter of the rounds ends, half of them never does: 1/3."""
    found = by_cases(mechanism(STUCK), 1)
    assert found.low <= Decimal(1) / 3 <= found.high


FALSE = """@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def until_inside(x: int, eps: float) -> int:
    y = laplace(x, 1 / eps)
    while y < 0 or y > 10:
        y = laplace(x, 1 / eps)
    return y
"""
REAL = """@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def until_positive(x: float, eps: float) -> float:
    while True:
        y = laplace(x, 1 / eps)
        if y > 0:
            return y
"""
REJECTED = """@mechanism(adjacent={"v": discrete_distance()}, requires="0 <= v < 4", epsilon="log(2)")
def rejection(v: int) -> int:
    while True:
        r = uniform_int(0, 3)
        if bernoulli(0.9 if r == v else 0.3):
            return r
"""
FLIPPED = """@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) == 3", epsilon="eps")
def permute_and_flip(q: list[int], eps: float) -> int:
    top = max(q)
    while True:
        i = uniform_int(0, 2)
        if bernoulli(exp(eps * (q[i] - top))):
            return i
"""


@pytest.mark.parametrize("text", [FALSE, REAL, REJECTED, FLIPPED])
def test_false_claims_about_retries_have_a_witness_that_is_checked(text: str) -> None:
    of = mechanism(text)
    found = refute(of, seconds=SAFE)
    assert found is not None
    document = read_json(json.dumps(document_of(of, found)), DECIMALS)
    assert check_witness(document).verdict == VALID


def test_a_witness_that_counts_one_round_is_rejected() -> None:
    """The chance that the first round gives the output and is the last is not that of the output."""
    of = mechanism(REJECTED)
    found = refute(of, seconds=SAFE)
    assert found is not None
    document = read_json(json.dumps(document_of(of, found)), DECIMALS)
    document["witness"]["probability_left"] = [Decimal("0.22"), Decimal("0.23")]
    assert check_witness(document).verdict == INVALID


def test_a_retry_that_is_private_has_no_valid_witness() -> None:
    """Accepted at 0.6 and 0.3 the odds of two answers are 2 : 1, which is what is claimed."""
    of = mechanism(REJECTED)
    found = refute(of, seconds=SAFE)
    assert found is not None
    document = read_json(json.dumps(document_of(of, found)), DECIMALS)
    document["program"] = document["program"].replace("0.9", "0.6")
    document["witness"] |= {
        side: [Decimal(0), Decimal(1)] for side in ("probability_left", "probability_right")
    }
    assert check_witness(document).verdict in (INVALID, INCOMPLETE)


COUNTED = """@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def how_often(x: int, eps: float) -> int:
    tries = 0
    done = False
    while not done:
        tries += 1
        done = laplace(x, 1 / eps) > 0
    return tries
"""
COUNTED_COINS = """@mechanism()
def f(x: int) -> int:
    n = 0
    while bernoulli(2 / 3):
        n += 1
    return n
"""


@pytest.mark.parametrize("depth", [2, 3, 10, 60, 120])
def test_behind_the_deepest_draw_nothing_is_known(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backward, "_MAX_DEPTH", depth)
    for value in (0, 1, 7, 40):
        low, high = by_cases_of(mechanism(COUNTED_COINS), value)
        assert low <= (2 / 3) ** value / 3 * (1 + 1e-12)
        assert high >= (2 / 3) ** value / 3 * (1 - 1e-12)
        assert high - low <= (2 / 3) ** (depth // 2 - 1) * 1.001


def test_the_number_of_rounds_is_refuted_by_a_witness_that_is_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(backward, "_MAX_DEPTH", 100)  # Python's own limit is lower here than in `synth check`
    of = mechanism(COUNTED)
    found = refute(of, seconds=SAFE)
    assert found is not None
    document = read_json(json.dumps(document_of(of, found)), DECIMALS)
    assert check_witness(document).verdict == VALID
