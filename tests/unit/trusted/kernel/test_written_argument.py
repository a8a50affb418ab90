"""docs/certificates.md and the kernel speak of the same rules."""

from __future__ import annotations

import re

import pytest

from synth.trusted.kernel.certificate import COMPOSE
from synth.trusted.kernel.rules.laplace import COUPLINGS
from synth.trusted.kernel.rules.lifting import LIFT
from synth.trusted.kernel.rules.safety import SAFE
from synth.trusted.kernel.rules.structural import RULES
from synth.trusted.kernel.rules.whole import MIX, ROOT, UNTIL
from tests import ROOT as REPOSITORY

TEXT = (REPOSITORY / "docs" / "certificates.md").read_text()
OF_THE_WHOLE = {ROOT, COMPOSE, UNTIL, MIX, LIFT, SAFE, "Conseq", "Seq", "Cond-R"}
"""Rules that no single statement is about, and the premise of [Cond-L]."""
KNOWN = {*RULES, *COUPLINGS, *OF_THE_WHOLE}


def table() -> set[str]:
    """The rules in the first column of the table of rules."""
    section = TEXT.split("## The rules")[1].split("\n### ")[0]
    rows = re.findall(r"^\| (\[[^|]*) \|", section, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"\[([\w-]+)\]", row)}


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_each_rule_has_its_row(name: str) -> None:
    assert name in table()


def test_each_row_has_its_rule() -> None:
    assert table() <= KNOWN


def test_each_rule_that_is_spoken_of_is_known() -> None:
    spoken = set(re.findall(r"\[([A-Z]\w*(?:-\w+)?)\]", TEXT))
    elsewhere = {"Samp", "WhileExt", "Claim", "Limits"}  # in the paper only, or named by `synth check`
    assert spoken - elsewhere <= KNOWN
