"""``synth export``: where it writes, what it refuses, and with which exit status."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from synth.app.cli import main
from tests.unit.views.exporting import GOLDEN, edited, golden

CERTIFICATE = GOLDEN / "above_threshold.json"


@dataclass(frozen=True)
class Done:
    """What a run of the command line gave."""

    status: int
    out: str
    err: str


def export(*arguments: str | Path) -> Done:
    """Run ``synth export``."""
    result = CliRunner().invoke(main, ["export", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return Done(result.exit_code, result.stdout, result.stderr)


def test_text_goes_to_standard_output_or_a_file(tmp_path: Path) -> None:
    shown = export(CERTIFICATE, "--to", "text")
    written = export(CERTIFICATE, "--to", "text", "--output", tmp_path / "proof.txt")
    assert (shown.status, shown.err, written) == (0, "", Done(0, "", ""))
    assert shown.out == (tmp_path / "proof.txt").read_text(encoding="utf-8")
    assert [item.name for item in tmp_path.iterdir()] == ["proof.txt"]


def test_latex_goes_to_standard_output() -> None:
    assert export(CERTIFICATE, "--to", "latex").out.startswith(r"\documentclass")


def test_smtlib_goes_into_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert export(CERTIFICATE, "--to", "smtlib").status == 0
    folder = tmp_path / "above_threshold.smtlib"
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    assert {item["file"] for item in index["conditions"]} == {item.name for item in folder.glob("*.smt2")}
    assert [item.name for item in tmp_path.iterdir()] == ["above_threshold.smtlib"]


def test_the_folder_may_exist_if_it_is_empty(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    assert export(CERTIFICATE, "--to", "smtlib", "--output", tmp_path / "here").status == 0
    again = export(CERTIFICATE, "--to", "smtlib", "--output", tmp_path / "here")
    assert again.status == 2
    assert "exists already" in again.err


def test_proofs_lie_beside_their_queries(tmp_path: Path) -> None:
    done = export(CERTIFICATE, "--to", "smtlib", "--proofs", "--output", tmp_path / "proved")
    assert done.status == 0
    for script in (tmp_path / "proved").glob("*.smt2"):
        assert script.with_suffix(".cpc").is_file()


def test_a_rocq_file_states_what_the_certificate_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    done = export(CERTIFICATE, "--to", "rocq", "--output", tmp_path / "proof.v")
    assert done.status == 0
    assert "Theorem private : statement." in (tmp_path / "proof.v").read_text(encoding="utf-8")


def test_without_a_compiler_it_is_said_that_nobody_knows_whether_rocq_accepts_the_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert "whether Rocq accepts the proof is not known" in export(CERTIFICATE, "--to", "rocq").err


@pytest.mark.parametrize("accepts", [True, False])
def test_what_rocq_does_not_accept_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, accepts: bool
) -> None:
    """A compiler that takes the theories for right, and says yes or no to the proof."""
    compiler = tmp_path / "bin" / "coqc"
    compiler.parent.mkdir()
    answer = "" if accepts else 'echo "Error: Tactic failure: run 1 comes alone to draw 0%nat." >&2; exit 1'
    compiler.write_text(
        f'#!/bin/sh\ncase "$*" in\n*mechanism/Proof.v) {answer} ;;\n'
        "*) echo 'Closed under the global context' ;;\nesac\n",
        encoding="utf-8",
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", str(compiler.parent))
    monkeypatch.setenv("SYNTH_CACHE", "")
    done = export(CERTIFICATE, "--to", "rocq", "--output", tmp_path / "proof.v")
    assert done.status == (0 if accepts else 3)
    assert (tmp_path / "proof.v").exists() == accepts
    assert accepts or "run 1 comes alone to draw 0" in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--to", "poem"),
        ("--to", "text", "--proofs"),
        ("--to", "text", "--output", "."),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    assert export(CERTIFICATE, *arguments).status == 2


@pytest.mark.parametrize("form", ["text", "latex", "smtlib"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the text ends too early"),
        ("{]", "key must be a string"),
        ("{}", "missing or unknown"),
        (golden("above_threshold").replace("laplace(t", "laplace(u"), "not the hash"),
        (edited("above_threshold", lambda data: data["program"].update(mechanism="other")), "no mechanism"),
        (edited("above_threshold", lambda data: data["derivation"]["premises"].pop()), "a sequence of 7"),
        (edited("above_threshold", lambda data: data["safety"].update({"0": "|\x1b|"})), "can't be printed"),
    ],
)
def test_no_certificate(form: str, content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(content, encoding="utf-8")
    done = export(path, "--to", form, "--output", tmp_path / "out")
    assert (done.status, done.out) == (4, "")
    assert message in done.err
    assert done.err.startswith(f"synth: error: {path}: ")
    assert done.err.count("\n") == 1 and "\x1b" not in done.err
    assert [item.name for item in tmp_path.iterdir()] == ["wrong.json"]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    done = export(tmp_path / "nothing.json", "--to", "text")
    assert (done.status, done.out) == (4, "")
    assert "can't be read" in done.err


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    for form in ("text", "smtlib"):
        done = export(CERTIFICATE, "--to", form, "--output", tmp_path / "no" / "such")
        assert (done.status, done.out) == (74, "")
        target = tmp_path / "no" / "such"
        assert done.err == f"synth: error: {target}: can't be written: there is no folder {target.parent}\n"
