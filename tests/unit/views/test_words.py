"""Invariants and couplings in words say what the formulas say."""

from __future__ import annotations

import pytest

from synth.views.html.words import case_words, invariant_words
from synth.views.results import SiteCase


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("threshold⟨2⟩ == threshold⟨1⟩ + 1", "threshold is 1 larger in run 2."),
        ("best⟨2⟩ <= best⟨1⟩ + 1", "best is at most 1 larger in run 2."),
        ("best⟨2⟩ >= best⟨1⟩ - 2", "best is at most 2 smaller in run 2."),
        ("winner⟨2⟩ == winner⟨1⟩", "winner is the same in both runs."),
        ("best⟨2⟩ > best⟨1⟩", "best is larger in run 2."),
        ("block⟨2⟩ - block⟨1⟩ <= b", "block is at most b larger in run 2."),
        ("block⟨2⟩ - block⟨1⟩ >= -b", "block is at most b smaller in run 2."),
        ("abs(total⟨2⟩ - total⟨1⟩) <= 1", "total differs by at most 1 between the runs."),
        ("cost <= eps/2", "what has been paid so far is at most eps/2."),
        ("cost <= 0", "nothing has been paid so far."),
        ("i >= 0", "i is at least 0."),
        (
            "result < len(q) or cost <= eps/2",
            "if result is at least len(q), then what has been paid so far is at most eps/2.",
        ),
        (
            "winner⟨1⟩ != b or iterations <= 0 or best⟨2⟩ > best⟨1⟩",
            "if in run 1 winner is b and iterations is above 0, then best is larger in run 2.",
        ),
        ("x⟨2⟩ != x⟨1⟩ + 1", "x is not +1 away from run 1's in run 2."),
    ],
)
def test_an_invariant_in_words(formula: str, words: str) -> None:
    assert invariant_words(formula) == words


@pytest.mark.parametrize(
    ("case", "words"),
    [
        (SiteCase("always", "shift", "1", "eps/2"), "run 2's draw is run 1's plus 1. This costs eps/2."),
        (
            SiteCase("line 16: condition false next", "null", "q[i]⟨2⟩ - q[i]⟨1⟩", "0"),
            "If the condition in line 16 comes out false next: run 2 draws the same noise as run 1 around its"
            " own centre. This costs nothing.",
        ),
        (
            SiteCase("always", "shift", "0", "eps"),
            "run 2 draws the same value as run 1, whatever the centres are. This costs eps.",
        ),
        (
            SiteCase("otherwise", "equal", "0", "0"),
            "Otherwise: both runs draw the same value. This costs nothing.",
        ),
    ],
)
def test_a_coupling_in_words(case: SiteCase, words: str) -> None:
    assert case_words(case) == words
