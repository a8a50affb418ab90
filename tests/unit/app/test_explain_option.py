"""``synth prove --explain``: the argument that ``export`` writes, and witnesses as calls that run."""

from __future__ import annotations

import re
from pathlib import Path

import synth
from synth.support.records import Record
from synth.views.console.calls import call_lines
from tests.unit.app.invocation import FALSE, PROVED, Run, Write


def test_the_argument_is_that_of_the_export(write: Write, run: Run, tmp_path: Path) -> None:
    path, kept = write("p.py", PROVED), tmp_path / "proof.json"
    found = run("prove", path, "--explain", "--certificate", kept)
    assert found.status == 0 and run("export", kept, "--to", "text").out.rstrip() in found.out


def test_a_witness_is_a_call_that_runs(write: Write, run: Run) -> None:
    found = run("prove", write("p.py", FALSE), "--explain")
    assert found.status == 1
    assert re.search(r"^    too_little\(x=-?\d+, eps=1\)$", found.out, re.M)
    (call,) = re.findall(r"^    (synth\.probability\(.*\))$", found.out, re.M)
    laws = eval(call, {"synth": synth})
    assert laws.adjacent and laws.mechanism == "too_little"


def test_it_is_for_people(write: Write, run: Run) -> None:
    found = run("prove", write("p.py", PROVED), "--explain", "--json")
    assert found.status == 2 and "--explain is for people" in found.err


def test_inputs_without_a_literal_make_no_call() -> None:
    inputs = {"left": {"x": "a text"}, "right": {"x": "another"}}
    assert list(call_lines("f", inputs, {}, "p.py::f")) == []
    inputs = {"left": {"x": "1/3"}, "right": {"x": [True, 2]}}
    assert "    f(x=Fraction(1, 3))" in list(call_lines("f", inputs, {}, "p.py::f"))


def test_names_of_files_are_quoted() -> None:
    inputs = {"left": {"x": 1}, "right": {"x": 0}}
    *_, last = call_lines("f", inputs, {}, "it's'); import os; ('.py::f")
    assert eval(
        last.strip().replace("synth.probability", "len_of"), {"len_of": lambda *a, **k: a[0]}
    ).startswith("it's'")


def test_records_are_calls_of_their_class() -> None:
    """The program makes such records; what reads numbers takes lists."""
    one, other = (
        [Record((1, True), ("Person", "age", "member"))],
        [Record((2, False), ("Person", "age", "member"))],
    )
    lines = list(call_lines("f", {"left": {"x": one}, "right": {"x": other}}, {"eps": 1}, "p.py::f"))
    assert lines[1:3] == [
        "    f(x=[Person(age=1, member=True)], eps=1)",
        "    f(x=[Person(age=2, member=False)], eps=1)",
    ]
    assert lines[-1] == (
        "    synth.probability('p.py::f', {'x': [[1, True]], 'eps': 1}, neighbour={'x': [[2, False]]})"
    )
