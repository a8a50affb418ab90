"""docs/rocq.md says how long each file is, and which rows are covered, as they are."""

from __future__ import annotations

import re

import pytest

from tests import ROOT
from tests.completeness.test_rocq import MECHANISMS

PAGE = (ROOT / "docs" / "rocq.md").read_text(encoding="utf-8")
FOLDER = ROOT / "synth" / "rocq"
LINES = dict(re.findall(r"^\| `(\w+\.(?:v|py))` \| ([\d,]+) \|", PAGE, re.MULTILINE))
THEORIES = sorted(path.name for path in (FOLDER / "theories").glob("*.v"))


def test_each_theory_has_its_line() -> None:
    assert {name for name in LINES if name.endswith(".v")} == set(THEORIES)


@pytest.mark.parametrize("name", [*THEORIES, "statement.py", "statement_reader.py"])
def test_a_file_is_as_long_as_the_page_says(name: str) -> None:
    file = FOLDER / "theories" / name if name.endswith(".v") else FOLDER / name
    assert int(LINES[name].replace(",", "")) == len(file.read_text(encoding="utf-8").splitlines())


def test_the_rows_with_seconds_are_those_that_are_compiled() -> None:
    covered = PAGE.partition("## What is covered")[2].partition("The other rows")[0]
    rows = re.findall(r"`(\w+)` \| \d+ \|", covered)
    assert sorted(rows) == sorted(item.partition("::")[2] for item in MECHANISMS)
    assert f"these {len(rows)} go" in covered
