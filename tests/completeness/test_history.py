"""Bugs of the field's history, re-enacted: claims from before are refuted, those from after are proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import ROOT
from tests.unit.app.invocation import invoke

FOLDER = ROOT / "examples" / "history"
OPEN = {"threshold_after"}
"""Those that are not proved yet."""


def programs(when: str) -> list[Path]:
    found = sorted(FOLDER.glob(f"*_{when}.py"))
    assert len(found) == 5
    return [item for item in found if item.stem not in OPEN]


@pytest.mark.slow
@pytest.mark.parametrize("path", programs("before"), ids=lambda path: path.stem)
def test_what_went_wrong_is_refuted(path: Path) -> None:
    (row,) = invoke("prove", path, "--json").results()
    assert row["verdict"] == "refuted"


@pytest.mark.slow
@pytest.mark.parametrize("path", programs("after"), ids=lambda path: path.stem)
def test_what_was_mended_is_proved(path: Path) -> None:
    (row,) = invoke("prove", path, "--json").results()
    assert row["verdict"] == "proved"


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_what_has_no_proof_is_decided_for_its_inputs(order: tuple[int, int]) -> None:
    inputs = [f"--input=count={order[0]}", f"--neighbour=count={order[1]}"]
    assert invoke("lifting", FOLDER / "threshold_after.py", *inputs).status == 0
    statuses = {invoke("lifting", FOLDER / "threshold_before.py", *inputs).status}
    assert statuses == ({1} if order == (1, 0) else {0})


def test_the_page_names_all_of_them() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    for path in FOLDER.glob("*.py"):
        assert f"`{path.name}`" in page
