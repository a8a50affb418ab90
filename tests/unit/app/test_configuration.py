"""``[tool.synth]``: what the command line leaves out stands in pyproject.toml; nothing there is ignored."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.app.invocation import FALSE, PROVED, UNREADABLE, Run, Write, invoke_apart


@pytest.fixture(autouse=True)
def in_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run() -> Run:
    """Nothing but the folder is changed here."""
    return invoke_apart


def configured(write: Write, text: str) -> None:
    write("pyproject.toml", f"[tool.synth]\n{text}\n")


def test_paths_are_proved_from_any_folder_below(
    write: Write, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("src/good.py", PROVED), write("src/wrong.py", FALSE), write("other/bad.py", UNREADABLE)
    configured(write, 'paths = ["src/good.py", "src/wrong.py::too_little"]')
    assert [item["verdict"] for item in run("prove", "--json").results()] == ["proved", "refuted"]
    monkeypatch.chdir(tmp_path / "other")
    found = run("prove", "--json").results()
    assert [item["file"] for item in found] == ["../src/good.py", "../src/wrong.py"]


def test_the_command_line_wins(write: Write, run: Run) -> None:
    good, _ = write("good.py", PROVED), write("wrong.py", FALSE)
    configured(write, 'paths = ["wrong.py"]\noutput-format = "concise"\ntimeout = 30')
    concise = run("prove", good)
    assert concise.status == 0 and "line  draw" not in concise.out
    assert "line  draw" in run("prove", good, "--output-format", "full").out
    assert run("prove", good, "--json").results()[0]["mechanism"] == "noisy"


def test_isolated_reads_no_file(write: Write, run: Run) -> None:
    configured(write, "nonsense = 1")
    good = write("good.py", PROVED)
    assert run("prove", good).status == 2
    assert run("prove", "--isolated", good).status == 0
    assert run("prove", "--help").status == 0


SPEC = """
[[mechanism]]
function = "plain.py::noisy"
types = { x = "float", eps = "float" }
adjacent = { x = "absolute_distance(1)" }
requires = "eps > 0"
epsilon = "eps"
"""
PLAIN = """
import numpy as np


def noisy(x, eps):
    return x + np.random.laplace(0, 1 / eps)
"""


def test_a_specification_is_read(write: Write, run: Run) -> None:
    write("privacy.toml", SPEC), write("plain.py", PLAIN)
    configured(write, 'spec = "privacy.toml"')
    assert [item["epsilon"] for item in run("prove", "--json").results()] == ["eps"]
    assert [item["epsilon"] for item in run("prove", "plain.py", "--json").results()] == ["eps"]
    stated = ("--type", "x=float", "--type", "eps=float", "--adjacent", "x=absolute_distance(2)")
    beside = run("prove", "plain.py::noisy", *stated, "--requires", "eps > 0", "--json")
    assert [item["epsilon"] for item in beside.results()] == ["2*eps"]


def test_a_specification_of_the_command_line_takes_the_place_of_paths(write: Write, run: Run) -> None:
    spec, _, _ = write("privacy.toml", SPEC), write("plain.py", PLAIN), write("wrong.py", FALSE)
    configured(write, 'paths = ["wrong.py"]')
    assert [item["verdict"] for item in run("prove", "--spec", spec, "--json").results()] == ["proved"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("timeuot = 3", "no key 'timeuot'; did you mean 'timeout'?"),
        ("cluster = 'tcp://host:1'", "no key 'cluster'"),
        ("timeout = true", "timeout is a positive number"),
        ("timeout = 0", "timeout is a positive number"),
        ("timeout = nan", "timeout is a positive number"),
        ("paths = 'src'", "paths is a list"),
        ("paths = ['-']", "paths is a list"),
        ("output-format = 'xml'", "output-format is one of full, concise"),
        ("output-format = []", "output-format is one of"),
        ("workers = 1.5", "workers is a positive whole number"),
        ("spec = 3", "spec is a file"),
        ("x = ", "not a TOML file"),
    ],
)
def test_what_has_another_form_is_refused(write: Write, run: Run, text: str, said: str) -> None:
    configured(write, text)
    found = run("prove", write("good.py", PROVED))
    assert found.status == 2 and said in found.err and "pyproject.toml" in found.err and not found.out


def test_a_file_without_the_table_is_passed_over(
    write: Write, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured(write, 'paths = ["good.py"]')
    write("good.py", PROVED), write("part/pyproject.toml", "[tool.ruff]\n")
    monkeypatch.chdir(tmp_path / "part")
    assert run("prove").status == 0
    (tmp_path / "part" / ".git").mkdir()
    assert run("prove").status == 2
