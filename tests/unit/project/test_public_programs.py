"""The programs under ``benchmarks/public``: each has a claim, a source, a truth and a reason, and is read."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from typing import Any

import pytest

from synth.app.benchmark.truths import read_truths
from synth.trusted.frontend.reader import read_program

FOLDER = Path(__file__).parents[3] / "benchmarks" / "public"
TRUTH: dict[str, Any] = tomllib.loads((FOLDER / "truth.toml").read_text())
RECORDS: dict[str, dict[str, Any]] = {entry["function"]: entry for entry in TRUTH["mechanism"]}
FILES = sorted(path.name for path in FOLDER.glob("*.py"))
NEEDED = {"function", "origin", "path", "holds", "inputs", "why", "shown", "decided"}


def test_each_mechanism_has_one_truth() -> None:
    assert len(RECORDS) == len(TRUTH["mechanism"])
    assert [truth.function for truth in read_truths(FOLDER)] == list(RECORDS)
    assert {name.partition("::")[0] for name in RECORDS} == set(FILES)


def test_each_origin_is_stated_and_used() -> None:
    assert {entry["origin"] for entry in RECORDS.values()} == set(TRUTH["origin"])
    for origin in TRUTH["origin"].values():
        assert set(origin) == {"repository", "version", "licence", "paper"}


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_a_truth_is_complete(record: dict[str, Any]) -> None:
    assert NEEDED <= set(record) <= NEEDED | {"least", "theirs", "open"}
    assert all(record[name] for name in ("path", "inputs", "why"))
    assert len(record["shown"]) >= 2
    assert record["theirs"] if record["decided"] else True
    least = record.get("least", "0")
    assert least != "none" or not record["holds"]
    ast.parse(least, mode="eval")


@pytest.mark.parametrize("name", FILES)
def test_all_mechanisms_of_a_file_are_read_and_have_truths(name: str) -> None:
    mechanisms = read_program(FOLDER / name).mechanisms
    assert {f"{name}::{mechanism.name}" for mechanism in mechanisms} == {
        function for function in RECORDS if function.startswith(f"{name}::")
    }
