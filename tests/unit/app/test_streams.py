"""Standard output in another encoding, full, closed or without a reader; standard error that is lost."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import pytest

from synth.app.cli import main
from synth.app.streams import NOTATION, OutputStream
from tests import ROOT

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.is_char_device(), reason="there is no /dev/full")

PROGRAM = """
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def noisy(x: float, eps: float) -> float:
    return laplace(x, 1 / eps)
"""

LIST = """
[[mechanism]]
file = "p.py"
name = "noisy"
verdict = "proved"
epsilon = "eps"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program, its proof, and a list for the benchmark."""
    folder = tmp_path_factory.mktemp("streams")
    (folder / "p.py").write_text(PROGRAM, encoding="utf-8")
    (folder / "list.toml").write_text(LIST, encoding="utf-8")
    command = ["prove", folder / "p.py", "--no-cache", "--certificate", folder / "proof.json"]
    with pytest.raises(SystemExit) as end:
        main(list(map(str, command)))
    assert not end.value.code
    return folder


NUMBERS = ["--input", "x=1", "--input", "eps=1"]
COMMANDS = {
    "prove": ["prove", "p.py", "--no-cache"],
    "refute": ["refute", "p.py", "--epsilon", "eps/2", "--set", "eps=1"],
    "check": ["check", "proof.json"],
    "probability": ["probability", "p.py", *NUMBERS],
    "precision": ["precision", "proof.json", "--set", "eps=1", "--range", "-8", "8", "--grid", "1/64"],
    "templates": ["templates"],
    "bench": ["bench", "list.toml"],
}
DOCUMENTS = {
    "text": ["export", "proof.json", "--to", "text"],
    "latex": ["export", "proof.json", "--to", "latex"],
    "smtlib": ["export", "proof.json", "--to", "smtlib", "--output", "FOLDER"],
    "help": ["--help"],
    "help of a command": ["precision", "--help"],
}


ALL = {**COMMANDS, **DOCUMENTS}

Status = Callable[[list[str], TextIO], int]


@pytest.fixture
def status(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Status:
    """Run a command in this process, printing to a stream; its exit status."""
    monkeypatch.chdir(folder)

    def of(arguments: list[str], stream: TextIO) -> int:
        target = str(tmp_path / "folder")
        with monkeypatch.context() as context, pytest.raises(SystemExit) as end:
            context.setattr(sys, "stdout", stream)
            main([target if item == "FOLDER" else item for item in arguments])
        return int(end.value.code or 0)

    return of


def _stream(descriptor: int) -> TextIO:
    return io.TextIOWrapper(io.BufferedWriter(OutputStream(descriptor, "w")), "utf-8", NOTATION)


@needs_full
@pytest.mark.parametrize("arguments", ALL.values(), ids=ALL)
def test_a_verdict_that_is_lost_is_none(
    status: Status, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """It has neither the status of a verdict nor a traceback, and the stream can be closed."""
    with _stream(os.open(FULL, os.O_WRONLY)) as full:
        assert status(arguments, full) == 74
    assert capsys.readouterr().err == "synth: error: the output can't be written: No space left on device\n"


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_nobody_reads_the_json(
    status: Status, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with _stream(writing) as stream:
        assert status([*arguments, "--json"], stream) == 74
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("arguments", ALL.values(), ids=ALL)
def test_letters_that_are_not_there_are_written_in_ascii(
    status: Status, arguments: list[str], encoding: str
) -> None:
    content = io.BytesIO()
    assert status(arguments, io.TextIOWrapper(content, encoding, NOTATION)) == 0
    text = content.getvalue().decode(encoding)
    assert text
    assert "\\u" not in text.replace("\\usepackage", "").replace("\\uparrow", "")


def test_the_notation() -> None:
    assert "x⟨1⟩ ≤ ε·δ₂ ☃ 😀".encode("ascii", NOTATION) == rb"x<1> <= epsilon*delta_2 \u2603 \U0001f600"
    assert "q⟨1⟩ – \udcff".encode("cp1252", NOTATION) == b"q<1> \x96 \\udcff"
    assert json.loads('"\udcff"'.encode("utf-8", NOTATION)) == "\udcff"


# --- in a process of its own ----------------------------------------------------------------


def _shell(command: str, folder: Path, **environment: str) -> list[str]:
    """What a shell prints whose command calls ``synth``; no traceback is among it."""
    script = f'synth() {{ "{sys.executable}" -m synth "$@"; }}\n{command}'
    done = subprocess.run(
        ["/bin/sh", "-c", script],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        check=True,
    )
    text = done.stdout.decode("utf-8")
    assert "Traceback" not in text
    assert "Exception ignored" not in text
    return text.splitlines()


def test_closed_streams(folder: Path) -> None:
    closed = "synth: error: the output can't be written: standard output is closed"
    assert _shell("synth check proof.json >&-; echo $?", folder) == [closed, "74"]
    assert _shell("synth prove p.py --json <&- >&- 2>&-; echo $?", folder) == ["74"]
    found = _shell("synth check proof.json 2>&-; echo $?", folder)
    assert found[0].startswith("proof.json: valid")
    assert found[-1] == "0"


@needs_full
def test_messages_that_are_lost(folder: Path) -> None:
    """The exit status says enough."""
    assert _shell("synth prove gone.py 2>/dev/full; echo $?; synth prov 2>&-; echo $?", folder) == ["4", "2"]


def test_the_plain_locale(folder: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    found = _shell("synth export proof.json --to text; echo $?", folder, **plain)
    assert found[-1] == "0"
    assert any("<1>" in line for line in found)
    found = _shell(
        "cp p.py naïve.py; synth prove naïve.py; echo $?; synth prove ä.py; echo $?", folder, **plain
    )
    assert found[0].startswith("noisy: proved")
    assert found[-2:] == ["synth: error: \\udcc3\\udca4.py: no such file", "4"]
