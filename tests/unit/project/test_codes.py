"""Each code about proofs, certificates and witnesses is produced by what codes.toml names."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import synth.prover.codes
import synth.trusted.logic.codes
import synth.trusted.steps.equivalence_codes
import synth.trusted.steps.fusion_codes
import synth.trusted.witness.codes
from synth.prover.acceptance import Unknown
from synth.prover.product.clause_builder import Unsupported
from synth.prover.prove import prove
from synth.prover.templates.loading import load_templates
from synth.trusted.frontend.reader import read_source
from synth.trusted.kernel import check as kernel
from synth.trusted.logic.rejection import Rejected
from synth.trusted.reasons import Coded
from synth.trusted.steps.equivalence_codes import Different
from synth.trusted.witness import check as witness
from synth.views.results import Result
from tests import ROOT

TABLE = tomllib.loads(Path(__file__).with_name("codes.toml").read_text(encoding="utf-8"))
CODES: dict[str, type[Coded]] = {
    "kernel": synth.trusted.logic.codes.Code,
    "same noise": synth.trusted.steps.equivalence_codes.Code,
    "fused draws": synth.trusted.steps.fusion_codes.FusionCode,
    "witness": synth.trusted.witness.codes.Code,
    "prover": synth.prover.codes.Code,
}
PROGRAMS: dict[str, str] = TABLE["prover"]["programs"]
TESTS: dict[str, dict[str, str]] = {
    "kernel": TABLE["kernel"],
    "witness": TABLE["witness"],
    "prover": TABLE["prover"]["tests"],
    "raised": TABLE["raised"],
}
HEAD = "from math import exp, log, sqrt\n\nfrom synth.lang import *\n\n\n"
LIMITS = {
    code.id: re.compile(re.sub(r"\\\{.*?\\\}", ".+", re.escape(str(code.value))))
    for code in CODES["kernel"]
    if re.sub(r"\{.*?\}", "", str(code.value)).strip("' ")
}
"""What a text with that code looks like, of all that have words of their own."""

Seen = dict[str, dict[str, set[str]]]
"""Codes by test and by who gave them."""


class Recorder:
    """A plugin that notes which codes verdicts have while a test runs."""

    def __init__(self) -> None:
        self.test = ""
        self.seen: Seen = defaultdict(lambda: defaultdict(set))
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self.test = item.nodeid

    def note(self, kind: str, code: Coded) -> None:
        self.seen[self.test][kind].add(code.id)

    def result(self, found: Result) -> None:
        """What is shown of a mechanism."""
        if found.code is not None:
            self.seen[self.test]["prover"].add(found.code)

    def verdict(self, found: kernel.Verdict) -> None:
        """What a verdict of the kernel says; where a solver gave up, also the limit that its text names."""
        if found.code is not None:
            self.note("kernel", found.code)
        if found.verdict == kernel.INCOMPLETE:
            named = {code for code, text in LIMITS.items() if text.search(found.reason or "")}
            self.seen[self.test]["kernel"] |= named


def watched(monkeypatch: pytest.MonkeyPatch, kind: type[Any], note: Callable[[Any], None]) -> None:
    """Have each new value of a class noted."""
    build = kind.__init__

    def noted(self: Any, *arguments: Any, **named: Any) -> None:
        build(self, *arguments, **named)
        note(self)

    monkeypatch.setattr(kind, "__init__", noted)


def recorded() -> Seen:
    """The codes that the tests of the table have, each run once."""
    recorder = Recorder()
    names = sorted({name for section in TESTS.values() for name in section.values()})
    with pytest.MonkeyPatch.context() as patch:
        watched(patch, kernel.Verdict, recorder.verdict)
        watched(patch, witness.Verdict, lambda found: found.code and recorder.note("witness", found.code))
        watched(patch, Unknown, lambda found: recorder.note("prover", found.why.code))
        watched(patch, Result, recorder.result)
        watched(patch, Unsupported, lambda found: recorder.note("prover", found.why.code))
        watched(patch, Rejected, lambda found: recorder.note("raised", found.why.code))
        watched(patch, Different, lambda found: recorder.note("raised", found.why.code))
        options = ("-o", "addopts=", "-p", "no:cacheprovider", "-p", "no:xdist", "-q", "--rootdir", str(ROOT))
        status = pytest.main([*options, *(f"{ROOT}/{name}" for name in names)], plugins=[recorder])
    assert status == pytest.ExitCode.OK, recorder.failed or "a test that codes.toml names is not there"
    return recorder.seen


def test_each_test_produces_its_code() -> None:
    """One test: each process that had some of them would run all of the table's."""
    seen = recorded()
    rows = [(kind, code, name) for kind, named in TESTS.items() for code, name in named.items()]
    assert not [row for row in rows if row[1] not in seen[row[2]][row[0]]]


@pytest.mark.parametrize("code", PROGRAMS)
def test_a_program_produces_its_code(code: str) -> None:
    (mechanism,) = read_source(HEAD + PROGRAMS[code], "program.py")
    found = prove(mechanism, load_templates())
    assert isinstance(found, Unknown) and found.why.code.id == code


def test_each_code_is_produced_once() -> None:
    rows = [*TABLE["kernel"], *TABLE["raised"], *TABLE["witness"], *PROGRAMS, *TESTS["prover"]]
    assert sorted(rows) == sorted(code.id for table in CODES.values() for code in table)


def test_docs_list_them() -> None:
    page = (ROOT / "docs" / "codes.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE)
    assert {code.id for table in CODES.values() for code in table} <= set(listed)
    assert len(listed) == len(set(listed))
