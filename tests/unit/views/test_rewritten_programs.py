"""What is said of a proof about the program behind steps: which these are, and which names they add."""

from __future__ import annotations

from functools import cache

from synth.trusted.kernel.check import parse
from synth.trusted.reading import program_in
from synth.views.certificate.latex import latex
from synth.views.certificate.report import proved, with_table
from synth.views.certificate.steps import reading
from synth.views.certificate.text import text
from tests.support.proving import proof_of

ANY_ABOVE = """from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def f(q: list[float], t: float, eps: float) -> bool:
    threshold = laplace(t, 1 / eps)
    return any(laplace(x, 1 / eps) >= threshold for x in q)
"""
PLAIN = """from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def f(x: float, eps: float) -> float:
    return laplace(x, 1 / eps)
"""


@cache
def document(program: str) -> str:
    return proof_of(program)


def test_the_steps_are_named_and_what_they_add_is_told() -> None:
    shown = " ".join(text(reading(parse(document(ANY_ABOVE)))).split())
    assert "behind the steps SameNoise, Linger, which keep the law of the output" in shown
    assert "left₀ a flag that the steps have added" in shown
    assert "the steps SameNoise, Linger" in latex(reading(parse(document(ANY_ABOVE))))


def test_a_report_says_which_name_is_not_of_the_text() -> None:
    mechanism = program_in(ANY_ABOVE, "f")
    assert mechanism is not None
    found = parse(document(ANY_ABOVE))
    notes = with_table(proved(mechanism, found, document(ANY_ABOVE)), found).notes
    added = "left is a variable of the program that the proof is about, of which the output has the same law"
    assert added in notes


def test_without_steps_nothing_is_said_of_any() -> None:
    shown = text(reading(parse(document(PLAIN))))
    assert "rewritten" not in shown and "steps" not in shown
