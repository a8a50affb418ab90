"""What is installed beside the code: types for users' programs, manual pages, a licence."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT

COUNT = """
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def noisy_count(x: int, eps: float) -> int:
    return laplace(x, scale=1 / eps)
"""
WRONG = COUNT.replace("-> int", "-> str")


def _mypy(folder: Path, *files: Path) -> subprocess.CompletedProcess[str]:
    """mypy as a user starts it, in a folder of the user's own."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", *map(str, files)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_strict_mypy_passes_on_programs(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "count.py").write_text(COUNT, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    programs = sorted((ROOT / "benchmarks" / "programs").glob("*.py"))
    done = _mypy(tmp_path, Path("count.py"), Path("wrong.py"), *programs)
    first, *others = done.stdout.splitlines()
    assert first.startswith("wrong.py:7: error: Incompatible return value type"), done.stdout + done.stderr
    assert len(others) == 1, done.stdout


def test_manual_pages_are_those_of_the_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("click_man")
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from man import FOLDER, pages  # type: ignore[import-not-found]

    kept = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.1")}
    assert kept == pages(), "run python docs/man.py"
