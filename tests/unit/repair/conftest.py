"""The fixtures of tests of the command line."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tests.unit.app.invocation import Run, Write, invoke, invoke_apart


@pytest.fixture
def run(request: pytest.FixtureRequest) -> Run:
    """Run the command line, in this process if the test may change something here."""
    return invoke if "monkeypatch" in request.fixturenames else invoke_apart


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file into the test's own folder."""

    def to_file(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip(), encoding="utf-8")
        return path

    return to_file
