"""A process that waits for its arguments says what the command says, and nothing where nobody asks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest

from tests.unit.app.invocation import FALSE, PROVED, Write

READY = [sys.executable, "-m", "synth.app.ready"]
COMMAND = [sys.executable, "-m", "synth", "prove"]
TAKEN = {"seconds", "seconds_checking", "effort"}
"""What is a matter of time."""


def line_of(arguments: list[str], *accepted: str) -> str:
    return json.dumps({"arguments": arguments, "accepted": accepted}) + "\n"


def said(text: str) -> Any:
    found = json.loads(text)
    for result in found["results"]:
        for name in TAKEN:
            result.pop(name)
    return found


@pytest.mark.parametrize("program", [PROVED, FALSE])
def test_it_says_what_the_command_says(write: Write, program: str) -> None:
    arguments = [str(write("p.py", program)), "--json"]
    ready = subprocess.run(READY, input=line_of(arguments), text=True, capture_output=True)
    command = subprocess.run([*COMMAND, *arguments], text=True, capture_output=True)
    assert said(ready.stdout) == said(command.stdout)
    assert (ready.returncode, ready.stderr) == (command.returncode, command.stderr)


def test_it_writes_down_what_was_accepted_and_that_is_not_checked_again(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SYNTH_CACHE", str(tmp_path / "cache"))
    arguments, known, seconds = [str(write("p.py", PROVED)), "--json"], [], []
    for _ in range(2):
        with TemporaryFile() as file:
            command = [*READY, str(file.fileno())]
            line = line_of(arguments, *known)
            ready = subprocess.run(
                command, input=line, text=True, stdout=subprocess.PIPE, pass_fds=[file.fileno()], check=True
            )
            file.seek(0)
            known = json.loads(file.read())
        seconds.append(json.loads(ready.stdout)["results"][0]["seconds_checking"])
    assert len(known) == 1 and seconds[0] > 0 == seconds[1]


def test_wrong_usage_is_said_as_the_command_says_it(tmp_path: Path) -> None:
    arguments = ["--no-such-option", "p.py"]
    ready = subprocess.run(READY, input=line_of(arguments), text=True, capture_output=True, cwd=tmp_path)
    command = subprocess.run([*COMMAND, *arguments], text=True, capture_output=True, cwd=tmp_path)
    assert (ready.returncode, ready.stdout, ready.stderr) == (2, command.stdout, command.stderr)


LATE = """
import sys
from synth.app.loading import load_command
load_command()
before = set(sys.modules)
from synth.app.cli import main
try:
    main(["prove", *sys.argv[1:]])
except SystemExit:
    print(sorted(name for name in set(sys.modules) - before if name.startswith("synth.")))
"""


def test_all_that_a_proof_needs_is_loaded_before_it_is_asked_for(write: Write) -> None:
    command = [sys.executable, "-c", LATE, str(write("p.py", PROVED)), "--json", "--workers=1"]
    done = subprocess.run(command, text=True, capture_output=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_it_ends_silently_where_nobody_asks() -> None:
    ended = subprocess.run(READY, input="", text=True, capture_output=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
