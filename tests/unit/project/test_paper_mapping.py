"""docs/paper_mapping.md: each ``file: name`` is defined, and each row says here, as, or not."""

from __future__ import annotations

import re

import pytest

from tests import ROOT
from tests.support.named import defined, file_of, spans

TEXT = (ROOT / "docs" / "paper_mapping.md").read_text(encoding="utf-8")
ROWS = [
    re.split(r"(?<!\\)\|", line.strip())[1:-1]
    for line in TEXT.splitlines()
    if line.startswith("| ") and line.split("|")[3].strip() != "where"
]
REFERENCES = sorted(set(spans(TEXT)))


@pytest.mark.parametrize("reference", REFERENCES)
def test_a_reference_is_defined(reference: str) -> None:
    path, _, names = reference.partition("::") if "::" in reference else reference.partition(": ")
    file = file_of(path)
    assert file is not None, f"no file {path}"
    missing = [name for name in names.split(", ") if name and name not in defined(file)]
    assert not missing, f"{path} defines no {missing}"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip())
def test_a_row_says_where(row: list[str]) -> None:
    _, _, where = (cell.strip() for cell in row)
    assert re.match(r"here\b|as |not\b", where), where
    if where.startswith("not"):
        assert "because" in where
    elif where.startswith("here"):
        assert "`" in where or "](" in where


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (ROOT / "docs" / target).is_file(), target
