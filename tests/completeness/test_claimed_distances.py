"""Where several numbers bound how far a sum moves, the claim says which of them the proof needs."""

from __future__ import annotations

import pytest

from tests.support.proving import from_text, prove_apart

SUM = """
@mechanism(
    adjacent={"x": change_one_distance("far")},
    requires="eps > 0 and b > 0 and far >= 0",
    epsilon="CLAIM",
)
def f(x: list[float], b: float, far: float, eps: float) -> float:
    s = 0.0
    for v in x:
        s += min(abs(v), b)
    return laplace(s, SCALE)
"""
MEAN = """
@mechanism(
    adjacent={"pay": change_one_distance("gap")},
    requires="eps > 0 and top > 0 and gap >= 0 and len(pay) > 0",
    epsilon="CLAIM",
)
def f(pay: list[float], top: float, gap: float, eps: float) -> float:
    i = 0
    total = 0.0
    while i < len(pay):
        kept = pay[i]
        if kept > top:
            kept = top
        elif kept < 0:
            kept = 0
        total = total + max(0, min(kept, top))
        i = i + 1
    return laplace(total / len(pay), SCALE)
"""


@pytest.mark.parametrize(
    ("text", "scale", "claim"),
    [
        (SUM, "b / eps", "eps"),
        pytest.param(SUM, "far / eps", "eps", marks=pytest.mark.slow),
        (SUM, "b / eps", "far * eps / b"),
        pytest.param(MEAN, "2 * top / (len(pay) * eps)", "eps / 2", marks=pytest.mark.slow),
    ],
)
def test_the_claim_chooses(text: str, scale: str, claim: str) -> None:
    if scale.startswith("far"):
        text = text.replace("far >= 0", "far > 0")
    outcome = prove_apart(from_text(text.replace("SCALE", scale).replace("CLAIM", claim)))
    assert outcome.verdict == "proved", str(outcome)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "scale", "claim"),
    [
        (SUM, "b / eps", "eps / 2"),
        (SUM, "b / (2 * eps)", "eps"),
        (MEAN, "top / (len(pay) * eps)", "eps / 2"),
    ],
)
def test_no_smaller_distance_is_chosen(text: str, scale: str, claim: str) -> None:
    outcome = prove_apart(from_text(text.replace("SCALE", scale).replace("CLAIM", claim)))
    assert outcome.verdict == "unknown", str(outcome)


BLOCKS = """
@mechanism(adjacent={"data": change_one_distance(1)}, requires="eps > 0 and size > 0", epsilon="CLAIM")
def f(data: list[float], size: int, eps: float) -> list[float]:
    told = []
    since = 0.0
    running = 0.0
    for place in range(len(data)):
        if (place + 1) % size != 0:
            since = since + data[place]
            running = running + laplace(0.0, 1 / eps) + data[place]
        else:
            running = running + since + data[place] + laplace(0.0, 1 / eps)
            since = 0.0
        told.append(running)
    return told
"""


@pytest.mark.parametrize(("claim", "verdict"), [("2 * eps", "proved"), ("size * eps / 2", "unknown")])
def test_the_claim_chooses_among_bounds_that_tests_cannot_tell_apart(claim: str, verdict: str) -> None:
    """Blocks of one or two entries cost size*eps, all others no more than two of them."""
    outcome = prove_apart(from_text(BLOCKS.replace("CLAIM", claim)))
    assert outcome.verdict == verdict, str(outcome)
