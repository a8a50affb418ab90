"""Beside a claim that is missed: the draw that passes it, and changes that were tried and hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from synth.app.documents import unproved
from synth.app.nearby import MAX_DRAWS, MAX_TRIED, hints
from synth.prover.acceptance import Unknown
from synth.prover.prove import Proved, prove
from synth.prover.templates.loading import load_templates
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from synth.views.results import Result

HEAD = "from synth.lang import *\n\n\n"
NUMBER = '@mechanism(epsilon="eps", adjacent={"x": absolute_distance(1)}, requires="eps > 0 and w > 0")\n'
QUERIES = '@mechanism(epsilon="eps", adjacent={"q": linf_distance(1)}, requires="eps > 0")\n'
TWICE = (
    NUMBER
    + """def f(x: float, w: float, eps: float) -> tuple[float, float]:
    a = laplace(x, 2 / eps)
    é = (laplace(
        x, 1 / eps))
    return a, é
"""
)
SUM = (
    QUERIES
    + """def f(q: list[int], eps: float) -> int:
    total = 0
    for v in q:
        total += v
    return laplace(total, 1 / eps)
"""
)
EACH = (
    QUERIES
    + """def f(q: list[int], eps: float) -> list[int]:
    out = []
    for v in q:
        noisy = laplace(v, 1 / eps)
        out.append(noisy)
    return out
"""
)


def mechanism(text: str) -> ir.Mechanism:
    (found,) = read_source(HEAD + text, "program.py")
    return found


def proves(candidate: ir.Mechanism) -> bool:
    found = prove(candidate, load_templates())
    return isinstance(found, Proved) and found.checked.within_claim


def told(text: str) -> tuple[ir.Mechanism, Result]:
    program = mechanism(text)
    found = prove(program, load_templates())
    if isinstance(found, Proved):
        assert not found.checked.within_claim
    assert isinstance(found, Unknown)
    return program, unproved(program, found)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (TWICE, "provable with scale 2/eps in line 8"),
        (
            NUMBER
            + """def f(x: float, w: float, eps: float) -> tuple[float, float]:
    return laplace(x, 1 / eps), laplace(x, 3 / eps)
""",
            "provable with scale 3/(2*eps) in line 6, column 23",
        ),
        (
            NUMBER.replace("absolute_distance(1)", "absolute_distance(3)")
            + "def f(x: float, w: float, eps: float) -> float:\n    return laplace(x, w / (2 * eps))\n",
            "provable if requires says 6 <= w",
        ),
        (
            NUMBER.replace("absolute_distance(1)", "absolute_distance('D')").replace(
                "eps > 0", "D > 0 and eps > 0"
            )
            + "def f(x: float, D: float, w: float, eps: float) -> float:\n    return laplace(x, w / eps)\n",
            "provable if requires says D <= w",
        ),
        (SUM, "provable if at most one entry of q differs"),
        (
            NUMBER + "def f(x: float, w: float, eps: float) -> float:\n    return laplace(w * x, 1 / eps)\n",
            "provable with scale w/eps in line 6",
        ),
        (
            NUMBER + "def f(x: float, w: float, eps: float) -> float:\n    return laplace(x, eps)\n",
            "provable with scale 1/eps in line 6",
        ),
    ],
    ids=[
        "more noise",
        "two in one line",
        "larger parameters",
        "a distance that is too large",
        "counts change by 1",
        "a factor",
        "the scale upside down",
    ],
)
def test_what_was_tried_and_holds_is_said(text: str, hint: str) -> None:
    said = list(hints(*told(text), proves))
    assert any(item.startswith(hint) for item in said), said


def test_the_draw_that_passes_the_claim_is_blamed() -> None:
    _, result = told(TWICE)
    assert (result.reason_line, result.reason_column) == (7, 10)
    assert result.epsilon == "3*eps/2" and [site.line for site in result.sites] == [6, 7]


def test_noise_in_a_loop_is_told_apart() -> None:
    _, result = told(EACH)
    assert (result.code, result.reason_line) == ("paid-in-each-iteration", 8)
    assert "costs eps in each iteration" in str(result.reason)


@pytest.mark.parametrize(
    ("claim", "body", "place"),
    [
        ('zcdp="1/2"', "    a = gaussian(x, 1)\n    return a, laplace(x, 1)\n", (7, 15)),
        ('gdp="1"', "    a = gaussian(x, 1)\n    return a, gaussian(x, 1)\n", (7, 15)),
    ],
)
def test_of_squares_the_draw_that_passes_the_claim_is_blamed(
    claim: str, body: str, place: tuple[int, int]
) -> None:
    head = NUMBER.replace('epsilon="eps"', claim)
    _, result = told(f"{head}def f(x: float, w: float, eps: float) -> tuple[float, float]:\n{body}")
    assert (result.code, result.reason_line, result.reason_column) == ("divergence-misses-claim", *place)


def test_squares_of_noise_in_a_loop_are_blamed() -> None:
    text = EACH.replace("list[int]", "list[float]").replace("laplace", "gaussian")
    _, result = told(text.replace('epsilon="eps"', 'gdp="1/eps"').replace("1 / eps", "eps"))
    assert (result.code, result.reason_line) == ("divergence-misses-claim", 8)


def _never(candidate: ir.Mechanism) -> bool:
    return False


@pytest.mark.parametrize("text", [TWICE, SUM, EACH])
def test_what_is_not_proved_is_not_said(text: str) -> None:
    program, result = told(text)
    bound = [f'provable with epsilon="{result.epsilon}"'] if result.epsilon else []
    assert list(hints(program, result, _never)) == bound


def test_few_are_tried() -> None:
    program, result = told(TWICE)
    tried: list[ir.Mechanism] = []

    def count(candidate: ir.Mechanism) -> bool:
        tried.append(candidate)
        return False

    list(hints(program, result, count))
    assert 0 < len(tried) <= MAX_TRIED
    draw = next(item for item in ir.statements(program.body) if isinstance(item, ir.Draw))
    large = replace(program, body=(*[draw] * (MAX_DRAWS + 1), *program.body))
    assert not list(hints(large, result, _unasked()))


def _unasked() -> Callable[[ir.Mechanism], bool]:
    def proves(candidate: ir.Mechanism) -> bool:
        raise AssertionError("asked")

    return proves
