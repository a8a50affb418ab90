"""Every mechanism of the suite, its rewrites, the held-out ones and the broken ones: verdict and bound.

What the tool can't do yet stands in known_gaps.toml, with what it says instead; a gap that is
closed, or that has become another one, fails here until its entry is changed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from synth.trusted.frontend.reader import read_program
from synth.trusted.program import syntax as ir
from tests import ROOT
from tests.support.proving import CAP, SECONDS, Outcome, assert_bound, bound, claimed, from_file, prove_apart

GAPS = Path(__file__).parent / "known_gaps.toml"
FOLDERS = (
    "benchmarks",
    "tests/completeness/programs/variants",
    "tests/completeness/programs/heldout",
    "tests/completeness/programs/fuzzed",
    "tests/completeness/programs/styles",
    "tests/completeness/programs/adjacency",
    "tests/completeness/programs/arrays",
    "tests/completeness/programs/practice",
    "tests/completeness/programs/textbook",
    "tests/soundness/programs/broken",
)
SAMPLED = {
    "benchmarks": 4,
    "tests/completeness/programs/variants": 12,
    "tests/completeness/programs/heldout": 10,
    "tests/completeness/programs/fuzzed": 8,
    "tests/completeness/programs/styles": 20,
    "tests/completeness/programs/adjacency": 6,
    "tests/completeness/programs/arrays": 9,
    "tests/completeness/programs/practice": 16,
    "tests/completeness/programs/textbook": 20,
    "tests/soundness/programs/broken": 10,
}
"""Of these folders the default run takes one in so many; the others are marked slow.

Few of the benchmarks: ``synth bench --counts`` of ``.ci/run`` holds all that are proved against their bounds.
"""
HEAVY = frozenset(
    {
        "smart_sum_nested",
        "top_k_by_peeling",
        "max_on_grid",
        "first_above_each_half",
        "max_and_min",
        "adaptive_svt_hidden",
        "svt_two_counters",
        "min_from_the_same_draws",
        "limit_resets",
        "sequence_claimed_eps",
        "smart_sum_block_kept",
        "histogram_factor_two",
        "three_draws_of_integers",
        "histogram_by_comparison",
        "mean_and_variance",
        "median_by_exponential_mechanism",
        "median_by_noisy_max",
        "median_age",
        "mode_of_three",
        "mode_by_choices",
        "rounds",
        "votes_if_they_agree",
        "two_means",
        "rounds_of_mwem",
        "peeling_by_scores",
    }
)
"""Mechanisms that take many seconds."""


@dataclass(frozen=True)
class Gap:
    """What the tool says of a true mechanism instead of its least bound, and why."""

    outcome: str
    epsilon: str | None
    reason: str


@dataclass(frozen=True)
class Entry:
    """A line of an expected.toml: ``epsilon`` is the least bound, or the false claim."""

    folder: str
    file: str
    name: str
    proved: bool
    epsilon: str

    @property
    def key(self) -> tuple[str, str]:
        return f"{self.folder}/{self.file}", self.name

    def mechanism(self) -> ir.Mechanism:
        return from_file(ROOT / self.folder / self.file, self.name)

    def is_refused(self) -> bool:
        """Whether the reader refuses the mechanism; it is in the file, in any case."""
        path = ROOT / self.folder / self.file
        assert f"def {self.name}(" in path.read_text(encoding="utf-8")
        return read_program(path).mechanism(self.name) is None


@cache
def _gaps() -> dict[tuple[str, str], Gap]:
    found = {}
    for item in tomllib.loads(GAPS.read_text(encoding="utf-8"))["gap"]:
        found[item["file"], item["name"]] = Gap(item["outcome"], item.get("epsilon"), item["reason"])
    return found


def _entries() -> Iterator[Entry]:
    for folder in FOLDERS:
        listed = tomllib.loads((ROOT / folder / "expected.toml").read_text(encoding="utf-8"))
        for item in listed["mechanism"]:
            proved = item["verdict"] == "proved"
            yield Entry(folder, item["file"], item["name"], proved, item["epsilon" if proved else "claim"])


def _cases(proved: bool) -> list[object]:
    found: list[object] = []
    counts: dict[str, int] = {}
    for entry in _entries():
        if entry.proved is not proved:
            continue
        place = counts[entry.folder] = counts.get(entry.folder, -1) + 1
        slow = entry.name in HEAVY or place % SAMPLED.get(entry.folder, 1) != 0
        label = f"{Path(entry.folder).name}/{entry.file}::{entry.name}"
        found.append(pytest.param(entry, id=label, marks=[pytest.mark.slow] if slow else []))
    return found


@pytest.mark.parametrize("entry", _cases(True))
def test_least_bound(entry: Entry) -> None:
    """Proved with the least bound, or the known gap unchanged."""
    gap = _gaps().get(entry.key)
    if gap is not None and gap.outcome == "refused":
        assert entry.is_refused(), f"now read: correct the entry of {entry.name} in {GAPS.name}"
        return
    mechanism = entry.mechanism()
    if mechanism.delta is None:  # a delta is proved for the claimed epsilon alone
        mechanism = claimed(mechanism, None)
    outcome = prove_apart(mechanism, CAP if gap is None else SECONDS)
    if gap is None:
        assert_bound(mechanism, outcome, entry.epsilon)
    else:
        _assert_gap(mechanism, outcome, gap, entry)


def _assert_gap(mechanism: ir.Mechanism, outcome: Outcome, gap: Gap, entry: Entry) -> None:
    if outcome.verdict == "proved":
        assert outcome.epsilon is not None
        found = bound(mechanism, outcome.epsilon)
        if found == bound(mechanism, entry.epsilon):
            pytest.fail(f"now proved with its least bound: remove {entry.name} from {GAPS.name}")
        assert gap.outcome == "larger", f"now {outcome}: correct the entry in {GAPS.name}"
        assert gap.epsilon is not None
        assert found == bound(mechanism, gap.epsilon), f"now {outcome}: correct the entry in {GAPS.name}"
    else:
        assert gap.outcome == "unknown" and outcome.verdict in ("unknown", "timeout"), (
            f"now {outcome}: correct the entry in {GAPS.name}"
        )


@pytest.mark.parametrize("entry", _cases(False))
def test_false_claim(entry: Entry) -> None:
    """Never proved at the false claim; and answered in time, unless the reader lacks a construct."""
    gap = _gaps().get(entry.key)
    if gap is not None and gap.outcome == "refused":
        assert entry.is_refused(), f"now read: remove the entry of {entry.name} from {GAPS.name}"
        return
    outcome = prove_apart(claimed(entry.mechanism(), entry.epsilon))
    assert outcome.verdict == "unknown", str(outcome)


def test_gaps_are_of_listed_mechanisms() -> None:
    """No gap outlives its mechanism, and each is explained."""
    listed = {entry.key: entry for entry in _entries()}
    assert all(listed[key].proved or gap.outcome == "refused" for key, gap in _gaps().items())
    assert all(gap.reason for gap in _gaps().values())
    assert all(gap.outcome in ("unknown", "larger", "refused") for gap in _gaps().values())
