"""Certificates with one thing changed: none that the kernel accepts is wrong.  The hunt tries the others."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from synth.trusted.kernel import solvers
from tests.support.mutator import Mutant, changes, mutants
from tests.support.oracle import is_refuted, judged, proof

DEFAULT = ("above_threshold", "exponential_by_noise", "numeric_svt", "prefix_sum", "laplace_vector")
EACH, SECONDS = 60, 0.2


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that hasn't answered in a second has not accepted."""
    monkeypatch.setattr(solvers, "MILLISECONDS", 1_000)


@pytest.mark.parametrize("name", DEFAULT)
def test_accepted_mutants_are_right(name: str) -> None:
    survey(name, EACH, SECONDS)


@pytest.mark.parametrize("name", ["exponential_by_noise", "prefix_sum", "laplace_vector"])
def test_wrong_programs_are_found_out(name: str) -> None:
    """The check of accepted programs is not blind: half of the noise is too little."""
    data = json.loads(proof(name))
    kinds = [(kind, text) for kind, path, text in changes(data) if path == ("program", "text")]
    halved = [text for kind, text in kinds if kind == "program: scale" and "0.5 *" in text]
    assert halved
    assert all(is_refuted(text, data["proved"]["epsilon"], 5.0) for text in halved)


def survey(name: str, number: int, seconds: float) -> None:
    """Try that many mutants; print how many were rejected by which rule, or accepted and are right."""
    counts: Counter[str] = Counter()

    @seed(0)
    @settings(
        max_examples=number, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(mutants(json.loads(proof(name))))
    def run(mutant: Mutant) -> None:
        counts[judged(name, mutant, seconds)] += 1

    run()
    print(f"{name}: {counts.total()} mutants")
    for said, count in counts.most_common():
        print(f"{count:6} {said}")
