"""Each code is explained in one table, which the page of codes repeats; its examples are what they say."""

from __future__ import annotations

import re
import tomllib

import pytest

from synth.app.documents import unproved
from synth.app.explanations import Explanation, explanations
from synth.prover.acceptance import Unknown
from synth.prover.prove import Proved, prove
from synth.prover.templates.loading import load_templates
from synth.trusted.frontend.reader import read_source
from tests import ROOT

PAGE = (ROOT / "docs" / "codes.md").read_text(encoding="utf-8")
WRITTEN = tomllib.loads((ROOT / "synth" / "app" / "explanations.toml").read_text(encoding="utf-8"))
LONG = re.compile(r"^\| `([\w-]+)` \| (.*?) \| (.*) \|$", re.MULTILINE)
SHORT = re.compile(r"^\| `([\w-]+)` \|", re.MULTILINE)
EXAMPLES = [item for item in explanations().values() if item.before is not None]


def test_the_table_has_all_codes_of_the_page_and_no_others() -> None:
    assert sorted(explanations()) == sorted(SHORT.findall(PAGE))
    assert set(WRITTEN) <= set(explanations())


def test_the_page_says_what_the_table_says() -> None:
    rows = {code: do.replace("\\|", "|") for code, _, do in LONG.findall(PAGE) if code in WRITTEN}
    assert rows == {code: item["do"] for code, item in WRITTEN.items()}


@pytest.mark.parametrize("item", explanations().values(), ids=lambda item: item.code)
def test_each_says_what_why_and_what_to_do(item: Explanation) -> None:
    assert item.means and item.why and item.do
    assert (item.before is None) == (item.after is None)


def test_what_has_no_proof_has_a_reason_of_its_own() -> None:
    common = explanations()["noise-never-inside"].why
    assert explanations()["private-output"].why != common != explanations()["bound-misses-claim"].why


@pytest.mark.parametrize("item", EXAMPLES, ids=lambda item: item.code)
def test_an_example_is_told_the_code_and_proved_when_it_is_mended(item: Explanation) -> None:
    (before,), (after,) = (
        read_source(f"from synth.lang import *\n\n\n{text}", "p.py") for text in (item.before, item.after)
    )
    found = prove(before, load_templates())
    assert isinstance(found, Unknown) and unproved(before, found).code == item.code
    mended = prove(after, load_templates())
    assert isinstance(mended, Proved) and mended.checked.within_claim
