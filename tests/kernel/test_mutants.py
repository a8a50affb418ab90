"""Certificates with one thing changed: none that the kernel accepts is wrong."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from mutator import Mutant, changes, mutants
from oracle import at, is_bound, is_refuted, known, proof, same_program

from synth.kernel import solvers
from synth.kernel.check import INVALID, VALID, Unreadable, check

DEFAULT = ("above_threshold", "exponential_by_noise", "numeric_svt", "prefix_sum", "laplace_vector")
SUITE = (
    *DEFAULT,
    "report_noisy_max",
    "report_noisy_max_monotone",
    "sparse_vector_sequence",
    "svt_1",
    "partial_sum",
    "running_sum",
    "smart_sum",
    "svt_2",
    "svt_4",
    "above_threshold_fresh",
)
EACH, SECONDS = 60, 0.2
PARTS, EACH_PART, PART_SECONDS = 4, 250, 0.4
"""The slow run: disjoint parts of the mutants of each mechanism, as many of each at the most."""


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that hasn't answered in a second has not accepted."""
    monkeypatch.setattr(solvers, "MILLISECONDS", 1_000)


@pytest.mark.parametrize("name", DEFAULT)
def test_accepted_mutants_are_right(name: str) -> None:
    survey(name, EACH, SECONDS)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", SUITE)
def test_more_accepted_mutants_are_right(name: str, part: int) -> None:
    survey(name, EACH_PART, PART_SECONDS, part, PARTS)


@pytest.mark.slow
def test_there_are_enough_mutants() -> None:
    """For the slow run to try 10,000 different ones."""
    sizes = [len(list(changes(json.loads(proof(name))))) for name in SUITE]
    assert sum(min(size, PARTS * EACH_PART) for size in sizes) > 10_000


@pytest.mark.parametrize("name", ["exponential_by_noise", "prefix_sum", "laplace_vector"])
def test_wrong_programs_are_found_out(name: str) -> None:
    """The check of accepted programs is not blind: half of the noise is too little."""
    data = json.loads(proof(name))
    kinds = [(kind, text) for kind, path, text in changes(data) if path == ("program", "text")]
    halved = [text for kind, text in kinds if kind == "program: scale" and "0.5 *" in text]
    assert halved
    assert all(is_refuted(text, data["proved"]["epsilon"], 5.0) for text in halved)


def survey(name: str, number: int, seconds: float, part: int = 0, parts: int = 1) -> None:
    """Try that many mutants; print how many were rejected by which rule, or accepted and are right."""
    counts: Counter[str] = Counter()

    @seed(part)
    @settings(
        max_examples=number, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(mutants(json.loads(proof(name)), part, parts))
    def run(mutant: Mutant) -> None:
        counts[judged(name, mutant, seconds)] += 1

    run()
    print(f"{name}, part {part}: {counts.total()} mutants")
    for said, count in counts.most_common():
        print(f"{count:6} {said}")


def judged(name: str, mutant: Mutant, seconds: float) -> str:
    """What the kernel says of a mutant; fails if it accepts a wrong one."""
    try:
        found = check(json.dumps(mutant.data))
    except Unreadable:
        return "unreadable"
    if found.verdict != VALID:
        return f"rejected by [{found.rule}]" if found.verdict == INVALID else "a solver gave up"
    return f"accepted, {mutant.kind}: {justified(name, mutant, seconds)}"


def justified(name: str, mutant: Mutant, seconds: float) -> str:
    """Why an accepted mutant is right."""
    bound = mutant.data["proved"]["epsilon"]
    if mutant.of_program:
        text = mutant.data["program"]["text"]
        if same_program(text, known(name).text):
            return "the same program"
        assert not is_refuted(text, bound, seconds), mutant
        return "no witness against the bound"
    assert is_bound(name, bound), mutant
    claim = mutant.data["claim"]["epsilon"]
    if claim is not None:
        least = known(name)
        assert all(at(claim, point) >= at(least.least, point) for point in least.points), mutant
    return "a larger bound" if mutant.path[0] == "proved" else "another proof of the same bound"
