"""The theories, compiled once for all tests of this folder."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from synth.app.rocq import BESIDE, MISSING, THEORIES, compile_theories


@pytest.fixture(scope="session")
def folder() -> Iterator[Path]:
    """The theories, with those that no proof needs."""
    if shutil.which("coqc") is None:
        pytest.fail(MISSING)
    with TemporaryDirectory() as made:
        compile_theories(Path("theories"), Path(made), time.monotonic() + 600, (*THEORIES, *BESIDE))
        yield Path(made)
