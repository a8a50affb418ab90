"""A program that runs otherwise than it is read gets no verdict, from no command."""

from __future__ import annotations

from pathlib import Path

import pytest

from synth.validation import comparison
from synth.validation.comparison import Comparison, Kind
from tests.unit.app.invocation import PROVED, Run


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "noisy.py"
    path.write_text(PROVED)
    return path


@pytest.fixture
def misread(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that is wrong about every program."""
    monkeypatch.setattr(comparison, "compare", lambda _: Comparison(Kind.DIFFERENT, 0, "on x = 1"))


def test_it_is_refused_with_its_place(run: Run, program: Path, misread: None) -> None:
    done = run("prove", program)
    message = "a defect of synth: this is read as another program; please report it: on x = 1"
    assert done.status == 4 and f"{program}:6:1: {message}" in done.err


def test_the_others_of_the_file_are_not_touched(
    run: Run, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = PROVED + PROVED.replace("noisy", "other").replace("from synth.lang import *\n", "")
    program.write_text(text)

    def wrong_about_one(mechanism: object) -> Comparison:
        is_one = getattr(mechanism, "name", "") == "noisy"
        return Comparison(Kind.DIFFERENT if is_one else Kind.SAME, 1, "on x = 1")

    monkeypatch.setattr(comparison, "compare", wrong_about_one)
    done = run("prove", program)
    assert "other" in done.out and "is read as another program" in done.err
    assert run("prove", f"{program}::other").status == 0


def test_a_document_about_it_is_invalid(
    run: Run, program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = tmp_path / "noisy.json"
    assert run("prove", program, "--certificate", document).status == 0
    assert run("check", document).status == 0
    monkeypatch.setattr(comparison, "compare", lambda _: Comparison(Kind.DIFFERENT, 0, "on x = 1"))
    done = run("check", document)
    assert done.status == 1 and "this is read as another program; please report it: on x = 1" in done.out
    done = run("precision", document, "--set", "eps=1", "--range", "-4", "4", "--grid", "1/64")
    assert done.status == 1 and "this is read as another program; please report it: on x = 1" in done.out


def test_an_error_in_a_run_is_no_verdict(run: Run, program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> Comparison:
        raise ArithmeticError

    monkeypatch.setattr(comparison, "compare", broken)
    assert run("prove", program).status == 0
