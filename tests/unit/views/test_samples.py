"""What is said of a proof about a sample: which bound is the sample's, and which that of every record."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from synth.app.page_extras import of_proof
from synth.trusted.kernel.certificate import Certificate
from synth.trusted.kernel.check import parse
from synth.trusted.reading import program_in
from synth.views.certificate.latex import latex
from synth.views.certificate.report import proved, with_table
from synth.views.certificate.steps import reading
from synth.views.certificate.text import text
from synth.views.html.pages import CHECKED, Program, page
from synth.views.results import Result
from tests.support.proving import proof_of
from tests.unit.app.invocation import invoke

LAPLACE = """from synth.lang import *


@mechanism(adjacent={"data": add_remove_distance()}, requires="eps > 0 and 0 <= p and p <= 1")
def f(data: list[int], p: float, eps: float):
    n = 0
    for v in data:
        if bernoulli(p):
            n += 1
    return laplace(n, 1 / eps)
"""
GAUSSIAN = """from synth.lang import *


@mechanism(
    adjacent={"data": add_remove_distance()}, epsilon="log((9 + exp(1))/10)", delta="1/1000"
)
def f(data: list[int]):
    n = 0
    for v in data:
        if bernoulli(0.1):
            n += 1
    return gaussian(n, sqrt(2 * log(125)))
"""
FINITE = """from synth.lang import *


@mechanism(adjacent={"bits": change_one_distance()}, requires="len(bits) == 2")
def f(bits: list[bool]):
    n = 0
    i = 0
    while i < 2:
        if bits[i]:
            if bernoulli(0.5):
                n += 1
        i += 1
    if bernoulli(0.25):
        return n <= 0
    return n > 0
"""


@cache
def _document(program: str) -> str:
    return proof_of(program)


def _certificate(program: str) -> Certificate:
    return parse(_document(program))


def _result(program: str) -> Result:
    found = _certificate(program)
    mechanism = program_in(program, "f")
    assert mechanism is not None
    return with_table(proved(mechanism, found, _document(program)), found)


@pytest.mark.parametrize(
    ("program", "cost", "total"),
    [
        (LAPLACE, "eps", "In all that is at most eps."),
        (GAUSSIAN, "1, 1/100", "In all that is at most 1, and what is lost sums up to at most 1/100."),
    ],
)
def test_what_is_derived_is_the_bound_of_every_record(program: str, cost: str, total: str) -> None:
    shown = " ".join(text(reading(_certificate(program))).split())
    head, derived = shown.split("The argument")
    assert "⊢ f ~⟨log(" in head and "f.every, which costs" in head
    assert total in derived
    assert f"⊢ f.every ~⟨{cost}" in derived and "log(exp" not in derived and "log((exp" not in derived


def test_the_figures_derive_the_bound_of_every_record() -> None:
    written = latex(reading(_certificate(LAPLACE)))
    goal, root = (line for line in written.splitlines() if r"\mathsf{M}\sim" in line)
    assert "log" in goal
    assert "log" not in root
    assert "Qardaji" in written


def test_the_table_is_about_every_record() -> None:
    for program, epsilon, delta in ((LAPLACE, "eps", "0"), (GAUSSIAN, "1", "1/100")):
        result = _result(program)
        assert result.of_every_record is not None
        assert (result.of_every_record.epsilon, result.of_every_record.delta) == (epsilon, delta)
        assert result.epsilon != epsilon
    assert any("it costs (1, 1/100); less" in note for note in _result(GAUSSIAN).notes)


def test_a_page_argues_about_every_record() -> None:
    result = _result(LAPLACE)
    extras = of_proof(_document(LAPLACE), result.sites)
    shown = page(result, Program(LAPLACE), extras, CHECKED)
    assert "every record" in shown.argument[0]
    assert any("add up to at most eps." in sentence for sentence in shown.argument)
    ledgers = [moment.ledger for run in shown.runs for moment in run.moments]
    assert ledgers and all(item is not None and item.paid == item.bound for item in ledgers)


def test_the_chances_of_another_program_are_not_shown() -> None:
    found = _certificate(FINITE)
    assert found.sampled is not None and reading(found).law is not None
    assert of_proof(_document(FINITE), _result(FINITE).sites).distributions is None
    assert "exp(log(3)) times" in text(reading(found))


def test_the_graph_names_the_program_that_it_is_of(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    path.write_text(_document(LAPLACE), encoding="utf-8")
    shown = invoke("export", path, "--to", "graph").out
    assert "bernoulli" not in shown
    assert json.loads(shown)["mechanism"] == "f.every"
