"""Programs that keep their budget, with draws that only a budget that lasts for a while reaches."""

from __future__ import annotations

import pytest

from synth.refuter.search.search import refute
from tests.support.proving import assert_bound, from_text, prove_apart

DOWN = """
@mechanism(
    adjacent={"counts": linf_distance(1)}, requires="cheap > 0 and dear > 0 and total >= 0", epsilon="total"
)
def f(counts: list[int], cheap: float, dear: float, total: float, many: int) -> list[int]:
    told = []
    rest = total
    for count in counts:
        if rest >= cheap:
            rest -= cheap
            rough = laplace(count, 1 / cheap)
            told.append(rough)
            if rough > many and dear <= rest:
                rest -= dear
                told.append(laplace(count, 1 / dear))
    return told
"""
UP = """
@mechanism(
    adjacent={"counts": linf_distance(1)}, requires="cheap > 0 and dear > 0 and total >= 0", epsilon="total"
)
def f(counts: list[int], cheap: float, dear: float, total: float) -> list[int]:
    told = []
    spent = 0.0
    for count in counts:
        if spent + cheap > total:
            break
        spent = cheap + spent
        rough = laplace(count, 1 / cheap)
        told.append(rough)
        if rough < 10 or spent + dear > total:
            continue
        told.append(laplace(count, 1 / dear))
        spent = spent + dear
    return told
"""


@pytest.mark.parametrize("text", [DOWN, UP], ids=["down", "up"])
def test_what_is_kept_of_a_budget_is_not_exceeded(text: str) -> None:
    mechanism = from_text(text)
    assert_bound(mechanism, prove_apart(mechanism), "total")


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [DOWN.replace("rest -= dear", "pass"), UP.replace("spent = spent + dear", "pass")],
    ids=["down", "up"],
)
def test_what_is_not_subtracted_is_spent_all_the_same(text: str) -> None:
    mechanism = from_text(text)
    assert prove_apart(mechanism).verdict != "proved"
    assert refute(mechanism, seconds=100, steps=3_000_000) is not None
