"""Certificates to try precision on."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from synth.app.cli import main

PROGRAM = """
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def noisy(x: float, eps: float) -> float:
    return laplace(x, 1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def counted(x: int, eps: float) -> int:
    return laplace(x, 1 / eps)
"""


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the certificates of the mechanisms above."""
    folder = tmp_path_factory.mktemp("certificates")
    program = folder / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    done = CliRunner().invoke(main, ["prove", str(program), "--certificate", str(folder)])
    assert done.exit_code == 0, done.output
    return folder
