"""Draws by weights under facts: the vertex cover, changed in one place."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from synth.trusted.frontend.reader import read_source
from tests import ROOT
from tests.support.proving import prove_apart

TEXT = (ROOT / "benchmarks" / "programs" / "vertex_cover.py").read_text(encoding="utf-8")
W = "w = 4 / eps * sqrt(n / (n - i))"

PRIVATE = {
    "larger weights": (W, "w = 8 / eps * sqrt(n / (n - i))"),
    "larger in each round": (W, "w = 4 / eps * n"),
    "as many candidates in each round": ("choice(n - i,", "choice(n,"),
}
NOT_PRIVATE = {
    "smaller weights": (W, "w = 3 / eps * sqrt(n / (n - i))"),
    "the same weight in each round": (W, "w = 4 / eps"),
    "no weight": ("+ w))", "))"),
    "an edge more": ("(v == t or v == u)", "(v == t or v == u or v == t + 1)"),
    "degrees differ by 2": ("linf_distance(1, monotone", "linf_distance(2, monotone"),
    "both orders may cost": (", monotone=True", ""),
    "vertices stay": ("rest = without(rest, v)", "rest = without(rest, v + 1)"),
    "the sets are not followed": ("        rest = without(rest, v)\n", ""),
    "degrees may be negative": ('        "degree(S, v) >= 0",\n', ""),
    "any degree may differ": ("one(degree(S, v)) == two(degree(S, v)) or ", "0 <= one(degree(S, v)) or "),
    "the edge may come back": ('        "not edge(without(S, v)) or edge(S) and v != t and v != u",\n', ""),
    "vertices may be listed twice": ('        "place(S, vertex(S, j)) == j",\n', ""),
    "scores for weights": ("log(degree(rest, vertex(rest, r)) + w)", "degree(rest, vertex(rest, r)) + w"),
}


DEFAULT = {"larger weights"}
"""The default run takes none of the others: without a proof the search goes on for long."""


def _cases(changes: Mapping[str, tuple[str, str]]) -> list[object]:
    return [
        pytest.param(change, id=name, marks=[] if name in DEFAULT else [pytest.mark.slow])
        for name, change in changes.items()
    ]


def changed(old: str, new: str) -> str:
    assert TEXT.count(old) == 1
    return TEXT.replace(old, new)


@pytest.mark.parametrize("change", _cases(PRIVATE))
def test_a_change_that_keeps_the_claim(change: tuple[str, str]) -> None:
    (mechanism,) = read_source(changed(*change), "vertex_cover.py")
    assert prove_apart(mechanism).verdict == "proved"


@pytest.mark.parametrize("change", _cases(NOT_PRIVATE))
def test_a_change_that_breaks_the_proof(change: tuple[str, str]) -> None:
    (mechanism,) = read_source(changed(*change), "vertex_cover.py")
    assert prove_apart(mechanism, 30.0).verdict in ("unknown", "timeout")


def test_without_the_order_the_bound_is_that_of_one_judgment_for_both() -> None:
    """CertiPriv, § 6.4: apRHL gives 5ε/4, the two orders apart give ε."""
    text = changed(", monotone=True", "").replace('    epsilon="eps",\n', "")
    (mechanism,) = read_source(text, "vertex_cover.py")
    found = prove_apart(mechanism)
    assert (found.verdict, found.epsilon) == ("proved", "5*eps/4")
