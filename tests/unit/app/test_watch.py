"""``synth watch`` proves again when a file is saved, and ends with Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.unit.app.invocation import FALSE, PROVED, Run, Write

Watched = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    """Start the command; it ends with the test."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str, folder: Path = tmp_path) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "synth", "watch", *arguments, "--output-format=jsonl"]
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=folder,
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # whoever runs the tests
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def result(process: subprocess.Popen[str]) -> dict[str, Any]:
    """The next result that is printed."""
    assert process.stdout is not None
    for line in process.stdout:
        said: dict[str, Any] = json.loads(line)
        if "verdict" in said:
            return said
    raise AssertionError("it has ended")


def verdict(process: subprocess.Popen[str]) -> str:
    """The next verdict that is printed."""
    return str(result(process)["verdict"])


def verdict_of(process: subprocess.Popen[str], mechanism: str) -> str:
    """The next verdict on a mechanism; others may be printed again before."""
    said = result(process)
    while said["mechanism"] != mechanism:
        said = result(process)
    return str(said["verdict"])


def replaced(path: Path, text: str) -> None:
    """Save as editors do: a new file takes the place of the old one."""
    beside = path.with_suffix(".new")
    beside.write_text(text)
    os.replace(beside, path)


def test_a_saved_file_is_proved_again(write: Write, watched: Watched) -> None:
    path = write("p.py", PROVED)
    process = watched(str(path))
    assert verdict(process) == "proved"
    replaced(path, FALSE)
    assert verdict_of(process, "too_little") == "refuted"
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130


def test_what_did_not_change_is_not_checked_again(
    write: Write, watched: Watched, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SYNTH_CACHE", str(tmp_path / "cache"))
    path = write("p.py", PROVED)
    process = watched(str(path))
    first = result(process)
    assert process.stdout is not None and "exit_status" in process.stdout.readline()
    replaced(path, f"# A remark.\n{path.read_text()}")
    second = result(process)
    assert (first["verdict"], second["verdict"]) == ("proved", "proved")
    assert first["seconds_checking"] > 0 and second["seconds_checking"] == 0
    assert second["line"] == first["line"] + 1


def test_what_a_file_imports_from_a_package_is_watched(write: Write, watched: Watched) -> None:
    write("tools/__init__.py", "")
    helper = write("tools/inner/__init__.py", "").parent / "numbers.py"
    helper.write_text("FACTOR = 1\n")
    path = write(
        "p.py",
        "from synth.lang import *\nfrom tools.inner.numbers import FACTOR\n\n\n"
        '@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="1")\n'
        "def f(x: int) -> int:\n    return laplace(x, FACTOR)\n",
    )
    process = watched(str(path))
    assert verdict(process) == "proved"
    replaced(helper, "FACTOR = 0.5\n")
    assert verdict(process) == "refuted"


def test_the_paths_of_the_project_are_watched(write: Write, watched: Watched) -> None:
    path = write("src/p.py", PROVED)
    write("pyproject.toml", '[tool.synth]\npaths = ["src"]\n')
    process = watched()
    assert verdict(process) == "proved"
    path.write_text("@mechanism(")  # nothing is proved, and it goes on
    replaced(path, PROVED)
    assert verdict(process) == "proved"


def test_options_of_a_folder_above_are_watched_and_what_they_name_from_then_on(
    write: Write, watched: Watched, tmp_path: Path
) -> None:
    write("src/p.py", PROVED)
    other = write("other/q.py", FALSE)
    options = write("pyproject.toml", '[tool.synth]\npaths = ["src"]\n')
    process = watched(folder=tmp_path / "src")
    assert verdict(process) == "proved"
    replaced(options, "[tool.synth]\npaths = 3\n")  # said, and it goes on
    replaced(options, '[tool.synth]\npaths = ["other"]\n')
    assert verdict(process) == "refuted"
    replaced(other, PROVED)
    runs_before_and_after = 2  # the options may have been seen twice
    assert any(verdict(process) == "proved" for _ in range(runs_before_and_after))


@pytest.mark.parametrize("arguments", [(), ("-",), ("p.py", "--no-such-option"), ("p.py", "--timeout=0")])
def test_wrong_usage_is_said_at_once(run: Run, arguments: tuple[str, ...]) -> None:
    assert run("watch", *arguments).status == 2
