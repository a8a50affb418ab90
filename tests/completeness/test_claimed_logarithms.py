"""Coins whose chances are parameters between 0 and 1 are proved at a claimed logarithm, if that is enough."""

from __future__ import annotations

import pytest

from tests.support.proving import from_text, prove_apart

RAPPOR = """
@mechanism(
    adjacent={"bits": change_one_distance()},
    requires="0 < f < 1 and 0 < p < q < 1",
    epsilon="CLAIM",
)
def permanent_then_instantaneous(bits: list[bool], f: float, p: float, q: float) -> list[bool]:
    out = []
    for b in bits:
        if bernoulli(f):
            kept = bernoulli(1 / 2)
        else:
            kept = b
        out.append(bernoulli(q) if kept else bernoulli(p))
    return out
"""
ONE_BIT = """
@mechanism(
    adjacent={"answer": discrete_distance()},
    requires="0 < low < high < 1 and 0 < f < 1",
    epsilon="CLAIM",
)
def one_bit(answer: bool, low: float, high: float, f: float) -> bool:
    kept = answer
    if bernoulli(f):
        kept = bernoulli(0.5)
    if kept:
        return bernoulli(high)
    return bernoulli(low)
"""
RATES = """
@mechanism(adjacent={"b": discrete_distance()}, requires="0 < p < q and BELOW", epsilon="log(q/p)")
def two_rates(b: bool, p: float, q: float) -> bool:
    return bernoulli(q) if b else bernoulli(p)
"""


@pytest.mark.parametrize("text", [RAPPOR, ONE_BIT])
def test_the_permanent_answer_bounds_what_is_made_of_it(text: str) -> None:
    """Erlingsson, Pihur & Korolova 2014; a coin that takes the place with f lies with f/2."""
    for claim in ("log((1 - f/2)/(f/2))", "log((2 - f)/f)"):
        outcome = prove_apart(from_text(text.replace("CLAIM", claim)))
        assert outcome.within, str(outcome)
    outcome = prove_apart(from_text(text.replace("CLAIM", "log((1 - f)/f)")))
    assert not outcome.within, str(outcome)


@pytest.mark.parametrize(("below", "true"), [("p + q <= 1", True), ("q < 1", False)])
def test_the_other_outcome_tells_less_where_both_chances_are_low(below: str, true: bool) -> None:
    outcome = prove_apart(from_text(RATES.replace("BELOW", below)))
    assert outcome.within is true, str(outcome)
