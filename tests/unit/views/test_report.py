"""The report of a proof is a view of its certificate: golden reports of golden certificates."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from synth.prover.prove import Proved, prove
from synth.prover.templates.loading import load_templates
from synth.trusted.frontend.reader import read_source
from synth.trusted.kernel.check import parse
from synth.trusted.reading import program_in
from synth.views.certificate.report import proved, with_table
from synth.views.console.results import Report
from synth.views.results import Result
from tests.unit.views.exporting import GOLDEN, MECHANISMS, golden


def _result(name: str) -> Result:
    certificate = parse(golden(name))
    about = certificate.program
    mechanism = program_in(about.text, about.mechanism, about.lines, about.specification)
    assert mechanism is not None
    return with_table(proved(mechanism, certificate, golden(name)), certificate)


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_golden_reports(name: str) -> None:
    written = StringIO()
    Report(Console(file=written, highlight=False, markup=False, emoji=False, width=1000)).result(
        _result(name)
    )
    assert written.getvalue() == (GOLDEN / f"{name}.report.txt").read_text(encoding="utf-8")


CHOSEN = """from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def chosen(x: int, n: int, eps: float) -> int:
    for i in range(n):
        noise = laplace(x if i > 3 else 2 * x, 1 / eps)
    return n
"""


def test_a_condition_on_what_agrees_stands_in_the_table() -> None:
    (mechanism,) = read_source(CHOSEN, "chosen.py")
    found = prove(mechanism, load_templates())
    assert isinstance(found, Proved)
    certificate = parse(found.certificate)
    (site,) = with_table(proved(mechanism, certificate, found.certificate), certificate).sites
    assert site.draw == "noise = laplace(x if 3 < i else 2*x, 1/eps)"
    (case,) = site.cases
    assert case.k == "(x⟨2⟩ if i >= 4 else 2*x⟨2⟩) - (x⟨1⟩ if i >= 4 else 2*x⟨1⟩)"
