"""Runs on a busy machine, held against each other (benchmarks/scaling/steady.py)."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from benchmarks.scaling import steady
from synth.app.benchmark.expectations import Expectation
from synth.app.benchmark.measuring import Measured
from synth.app.benchmark.verdicts import Row, row_for

ARGUMENTS = ["above_threshold", "svt_1", "--runs", "3", "--load", "0"]


def runs(epsilon: str) -> object:
    """Runs of which the second says something else of svt_1."""

    def run(chosen: Sequence[Expectation], number: int) -> list[Row]:
        return [row(item, epsilon if (number, item.name) == (1, "svt_1") else "eps") for item in chosen]

    return run


def row(item: Expectation, epsilon: str) -> Row:
    result = {"verdict": "proved", "epsilon": epsilon, "certificate_bytes": 10}
    return row_for(item, Measured(0, json.dumps({"results": [result]}), "", 1.0, 50.0))


def test_the_same_rows(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(steady, "_run", runs("eps"))
    assert steady.main(ARGUMENTS) == 0
    shown = capsys.readouterr().out
    assert "| `svt_1` | 1 | 1 | proved | `eps` | 1.00 | 1.00 |" in shown
    assert "3 runs of 2 mechanisms beside 0 busy processes: the same rows" in shown


def test_another_row(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(steady, "_run", runs("2*eps"))
    assert steady.main(ARGUMENTS) == 1
    shown = capsys.readouterr().out
    assert "differs from the first in runs [2]: ('weak proof', 'proved', '2*eps')" in shown
    assert "not the same rows" in shown


def test_the_load_ends() -> None:
    with steady.load(1):
        pass


def test_the_usual_ones_are_in_the_suite() -> None:
    listed = {item.name for item in steady.read_list(steady.HERE.parent / "expected.toml")}
    assert set(steady.USUAL) <= listed
