"""The report of a proof is a view of its certificate: golden reports of golden certificates."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from synth.trusted.kernel.check import parse
from synth.trusted.reading import program_in
from synth.views.certificate.report import proved, with_table
from synth.views.console.results import Report
from synth.views.results import Result
from tests.unit.views.exporting import GOLDEN, MECHANISMS, golden


def _result(name: str) -> Result:
    certificate = parse(golden(name))
    mechanism = program_in(
        certificate.text, certificate.mechanism, certificate.lines, certificate.specification
    )
    assert mechanism is not None
    return with_table(proved(mechanism, certificate, golden(name)), certificate)


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_golden_reports(name: str) -> None:
    written = StringIO()
    Report(Console(file=written, highlight=False, markup=False, emoji=False, width=1000)).result(
        _result(name)
    )
    assert written.getvalue() == (GOLDEN / f"{name}.report.txt").read_text(encoding="utf-8")
