"""Every program of the suite broken in one place: no longer proved at its bound, or for a stated reason."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import pytest

from synth.trusted.frontend.reader import read_source
from tests import ROOT
from tests.support.mutating import Mutant, mutants
from tests.support.proving import CAP, claimed, prove_apart

PRIVATE_KINDS = {"doubled scale": "more noise never costs more"}
PRIVATE = {
    "rappor:later limit:0": "one bit more does not depend on the value any more than the others",
    "exponential_by_noise:next index:0": "the scores of 2..n+1 are as sensitive as those of 1..n",
    "exponential_by_noise:previous index:0": "the scores of 0..n-1 are as sensitive as those of 1..n",
    **dict.fromkeys(
        (
            "public_answer:halved scale:0",
            "public_answer:no noise:0",
            "length_only:halved scale:0",
            "length_only:no noise:0",
            "length_only:doubled sensitivity:0",
        ),
        "the output does not depend on private data, with or without noise",
    ),
}
"""Mutants that keep the claim, and why; those on reals for the same reason as those on integers."""

HEAVY = {
    "sparse_vector_sequence:no noise:0",
    "numeric_svt_real:halved scale:0",
    "numeric_svt_real:halved scale:2",
    "numeric_svt_real:doubled scale:1",
    "numeric_svt_real:no noise:0",
    "numeric_svt_real:exact comparison:1",
    "numeric_svt_real:later limit:0",
    "numeric_svt_real:noise returned:0",
    "numeric_svt_real:noise returned:1",
    "between_thresholds_discrete:exact comparison:1",
    "between_thresholds:noise returned:0",
    "between_thresholds:doubled sensitivity:0",
    "between_thresholds:halved scale:0",
    "between_thresholds:halved scale:1",
}
"""Mutants on which the search tries many bounds in vain: no answer is an answer too."""

HEAVY_SECONDS = 15.0
"""How long those are watched for a wrong proof; a proof of a program of their size takes about one second."""

REAL = {"between_thresholds"}
"""Programs on reals, beside those whose name says so."""

DEFAULT_SHARE = 11
"""The default run takes one in so many mutants of the integer programs."""


def _suite() -> Iterator[tuple[Mutant, str]]:
    listed = tomllib.loads((ROOT / "benchmarks" / "expected.toml").read_text(encoding="utf-8"))
    for item in listed["mechanism"]:
        if item["verdict"] == "proved":
            for mutant in mutants(ROOT / "benchmarks" / item["file"], item["name"]):
                yield mutant, item["epsilon"]


def _reason(mutant: Mutant) -> str | None:
    return PRIVATE_KINDS.get(mutant.kind) or PRIVATE.get(mutant.label.replace("_real:", ":"))


def _cases() -> list[object]:
    found: list[object] = []
    for place, (mutant, claim) in enumerate(_suite()):
        real = mutant.name.endswith("_real") or mutant.name in REAL
        slow = mutant.label in HEAVY or real or place % DEFAULT_SHARE != 0
        marks = [pytest.mark.slow] if slow else []
        found.append(pytest.param(mutant, claim, id=mutant.label, marks=marks))
    return found


@pytest.mark.parametrize(("mutant", "claim"), _cases())
def test_mutant(mutant: Mutant, claim: str) -> None:
    """Proved at the old bound exactly if it is listed as private; and answered in time."""
    (mechanism,) = read_source(mutant.text, f"{mutant.label}.py")
    outcome = prove_apart(claimed(mechanism, claim), HEAVY_SECONDS if mutant.label in HEAVY else CAP)
    if mutant.label in HEAVY:
        assert outcome.verdict in ("unknown", "timeout"), f"{outcome}: take it out of the list"
    elif _reason(mutant) is None:
        assert outcome.verdict == "unknown", f"{outcome}\n{mutant.text}"
    else:
        assert outcome.verdict == "proved", f"{outcome}\n{mutant.text}"


def test_reasons_are_of_mutants() -> None:
    """No reason outlives its mutant, and each kind of mutation applies somewhere."""
    labels = {mutant.label for mutant, _ in _suite()}
    assert {*PRIVATE, *HEAVY} <= labels
    assert {mutant.kind for mutant, _ in _suite()} >= set(PRIVATE_KINDS)
    assert len(labels) > 200
