"""A program without a proof is told the first place that is to blame, and what is wrong there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from synth.prover import obstacles
from synth.prover.acceptance import Unknown
from synth.prover.horn.horn import Purpose
from synth.prover.prove import prove
from synth.prover.templates.loading import load_templates
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir

HEAD = 'from synth.lang import *\n\n\n@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")\n'
PROGRAMS = {
    "private-output": (
        """def f(x: int, eps: float) -> tuple[int, int]:
    noise = laplace(0, 1 / eps)
    noisy = laplace(x, 1 / eps)
    return noisy, x
""",
        (8, 5),
        "value 2 of the 2 in what is returned differs between two adjacent inputs",
    ),
    "private-branch": (
        """def f(x: int, eps: float) -> int:
    i = 0
    n = 0
    while i < x:
        i += 1
        n += laplace(1, 1 / eps)
    return n
""",
        (8, 5),
        "no noise has a say in it",
    ),
    "output-not-matched": (
        """def f(x: int, eps: float) -> int:
    y = laplace(0, 1 / eps)
    return x + y - y
""",
        (7, 5),
        "makes what is returned the same in two runs",
    ),
    "branch-not-matched": (
        """def f(x: int, eps: float) -> int:
    noise = laplace(0, 1 / eps)
    n = 0
    while n < x * noise:
        n += laplace(1, 1 / eps)
    return n
""",
        (8, 5),
        "two runs go the same way",
    ),
    "distance-unbounded": (
        """def f(x: int, eps: float) -> int:
    square = x * x
    return laplace(square, 1 / eps)
""",
        (7, 12),
        "square differs by at most 5 between two adjacent ones",
    ),
    "not-shown-for-all": (
        """def f(x: int, eps: float) -> int:
    noisy = laplace(x, 1 / eps)
    if x > 1000:
        return 1000
    return noisy
""",
        (7, 5),
        "what works on small inputs is not shown for all",
    ),
}


@pytest.mark.parametrize("code", PROGRAMS)
def test_the_first_place_is_blamed(code: str) -> None:
    text, place, words = PROGRAMS[code]
    found = _unproved(text)
    assert found.why.code.id == code and words in found.reason
    assert found.span is not None and (found.span.line, found.span.column) == place


def test_of_a_choice_the_scores_are_blamed_and_no_noise() -> None:
    found = _unproved(
        """def f(x: int, eps: float) -> int:
    return choice(5, lambda r: eps * x * x * r)
"""
    )
    assert found.why.code.id == "not-shown-for-all" and "the scores differ by" in found.reason
    assert found.span is not None and found.span.line == 6


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("return [x for _ in range(n)]", "what is appended to a list differs"),
        ("return copies(x, n)", "what is appended to out differs"),
    ],
)
def test_lists_have_the_names_that_the_program_gives_them(text: str, words: str) -> None:
    helper = (
        "def copies(x, n):\n    out = []\n    for _ in range(n):\n        out.append(x)\n    return out\n"
    )
    assert words in _unproved(f"def f(x: int, n: int, eps: float):\n    {text}\n\n\n{helper}").reason


def test_a_goal_about_costs_that_no_draw_explains(monkeypatch: pytest.MonkeyPatch) -> None:
    explain = obstacles._unshown

    def elsewhere(product: object, purpose: Purpose) -> object:
        return explain(product, replace(purpose, span=ir.Span(1, 1)))  # type: ignore[arg-type]

    monkeypatch.setattr(obstacles, "_unshown", elsewhere)
    assert _unproved(PROGRAMS["distance-unbounded"][0]).why.code.id == "shift-not-paid"


def _unproved(text: str) -> Unknown:
    (mechanism,) = read_source(HEAD + text, "program.py")
    found = prove(mechanism, load_templates())
    assert isinstance(found, Unknown)
    return found
