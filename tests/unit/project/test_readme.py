"""tests/README.md: its paths exist, its table has every test file, and says which are slow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import ROOT

TESTS = ROOT / "tests"
TABLE = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (TESTS / "README.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("|")
][2:]
ALL = set(TESTS.rglob("test_*.py"))


def _files(pattern: str) -> set[Path]:
    """The files that a pattern of the table stands for: all that a folder holds, if it ends in a slash."""
    return set(TESTS.glob(f"{pattern}**/*.py" if pattern.endswith("/") else pattern))


def _patterns(row: list[str]) -> Iterator[str]:
    return iter(re.findall(r"`([^`]+)`", row[2]))


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0])
def test_a_row_names_files_that_exist_and_says_which_are_slow(row: list[str]) -> None:
    named = {pattern: _files(pattern) for pattern in _patterns(row)}
    assert named and all(named.values()), [pattern for pattern, files in named.items() if not files]
    mark = "pytest.mark." + "slow"
    slow = any(mark in path.read_text(encoding="utf-8") for files in named.values() for path in files)
    assert row[3] == ("yes" if slow else "")


def test_every_test_file_is_in_the_table() -> None:
    listed = {path for row in TABLE for pattern in _patterns(row) for path in _files(pattern)}
    assert not sorted(ALL - listed)
