"""docs/paper_mapping.md: each ``file: name`` is defined, and each row says here, as, or not.

Each rule of the kernel has a row that names its theorems in Rocq, or says why there are none.
"""

from __future__ import annotations

import re
from typing import get_args

import pytest

from synth.trusted.kernel.certificate import COMPOSE
from synth.trusted.kernel.rules import whole
from synth.trusted.kernel.rules.lifting import LIFT
from synth.trusted.kernel.rules.safety import SAFE
from synth.trusted.kernel.rules.structural import RULES
from synth.trusted.steps.rewriting import Step
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


# --- what Rocq has proved of the kernel's rules -----------------------------------------------

PROVED = TEXT.partition("## The rules of the kernel, and what Rocq has proved of them")[2]
PROVED_ROWS = [row for row in ROWS if "|".join(row) in PROVED]
OF_THE_WHOLE = {whole.ROOT, whole.UNTIL, whole.MIX, COMPOSE, LIFT, SAFE, "Conseq", "Seq", "Cond-R"}


def bracketed(text: str) -> set[str]:
    return set(re.findall(r"\[([\w-]+)\]", text))


def test_each_rule_and_each_step_has_a_row_about_rocq() -> None:
    steps = {step.rule for step in get_args(Step)}
    page = (ROOT / "docs" / "certificates.md").read_text(encoding="utf-8").partition("## The rules")[2]
    asked = {name for line in re.findall(r"^\| (\[.*?) \|", page, re.MULTILINE) for name in bracketed(line)}
    rows = set().union(*(bracketed(row[0]) for row in PROVED_ROWS))
    assert rows == set(RULES) | OF_THE_WHOLE | steps
    assert asked <= rows


@pytest.mark.parametrize("row", PROVED_ROWS, ids=lambda row: row[0].strip())
def test_a_row_about_rocq_names_theorems(row: list[str]) -> None:
    named = [span.partition(": ") for span in spans(row[2])]
    assert row[2].strip().startswith("here") == bool(named)
    for path, _, names in named:
        assert path.startswith("rocq/theories/")
        text = (ROOT / "synth" / path).read_text(encoding="utf-8")
        assert set(names.split(", ")) <= set(re.findall(r"^(?:Theorem|Lemma) (\w+)", text, re.MULTILINE))
