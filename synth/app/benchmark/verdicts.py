"""A run held against what is expected of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from synth.app.benchmark.expectations import Expectation
from synth.app.benchmark.measuring import Measured
from synth.bounds.rational_reading import is_evidently_larger, same_bound
from synth.support.statistics import READING, REFUTATION
from synth.views.results import PROVED, REFUTED, UNKNOWN

CORRECT_PROOF, CORRECT_REFUTATION = "correct proof", "correct refutation"
WRONG_PROOF, WRONG_ALARM, WEAK_PROOF = "wrong proof", "wrong alarm", "weak proof"
UNDECIDED, ERROR = "unknown", "error"
CLASSES = (CORRECT_PROOF, CORRECT_REFUTATION, WRONG_PROOF, WRONG_ALARM, WEAK_PROOF, UNDECIDED, ERROR)
"""As in software verification competitions; a weak proof shows a larger bound than the least."""

CORRECT = frozenset({CORRECT_PROOF, CORRECT_REFUTATION})
WRONG = frozenset({WRONG_PROOF, WRONG_ALARM, WEAK_PROOF})
"""What must not happen: two of these are unsound, the third is a step back."""

_SEARCH = ("tests", "strategies")
_INVARIANTS = ("obligations", "invariants")
_KERNEL = ("check",)
_REFUTATION = (REFUTATION,)
_REPORT = ("report", "termination")


@dataclass(frozen=True)
class Phases:
    """Where the seconds of a run went, on the clock.

    ``search`` is that for strategies (tests, and the loop of proposals and failures), ``invariants`` also
    the facts about single runs, ``kernel`` writing and checking the certificate.  ``startup`` is the rest:
    the interpreter, imports, the solvers' libraries, the templates, the processes.
    """

    startup: float
    reading: float
    search: float
    invariants: float
    kernel: float
    refutation: float
    report: float


@dataclass(frozen=True)
class Row:
    """One program of the benchmark.

    ``outcome`` is one of :data:`CLASSES`.  ``wrong proof``: a claim that is false, or a bound that is
    not evidently above the least; ``wrong alarm``: a true claim is refuted.  ``as_expected`` also says
    so of what is expected to be unknown.  ``checking`` is what checking the certificate took, as a part
    of what finding the proof took, ``synthesis_to_checking`` its inverse.
    """

    file: str
    mechanism: str
    outcome: str
    as_expected: bool
    expected: str
    expected_bound: str
    verdict: str | None
    epsilon: str | None
    seconds: float
    megabytes: float
    reason: str | None
    checking: float | None = None
    synthesis_to_checking: float | None = None
    phases: Phases | None = None
    solver_calls: Mapping[str, int] | None = None
    search: Mapping[str, int] | None = None
    certificate_bytes: int | None = None
    status: int = 0

    @property
    def calls(self) -> int | None:
        """The questions put to all solvers."""
        return None if self.solver_calls is None else sum(self.solver_calls.values())


def row_for(expected: Expectation, measured: Measured) -> Row:
    """The row of a program."""
    result = _result(measured) or {}
    verdict, epsilon = result.get("verdict"), result.get("epsilon")
    outcome = _outcome(expected, verdict, epsilon)
    effort = result.get("effort")
    finding, checking = _finding_and_checking(result)
    return Row(
        file=str(expected.file),
        mechanism=expected.name,
        outcome=outcome,
        as_expected=outcome in CORRECT or (outcome == UNDECIDED and expected.verdict == UNKNOWN),
        expected=expected.verdict,
        expected_bound=expected.shown,
        verdict=verdict,
        epsilon=epsilon,
        seconds=round(measured.seconds, 3),
        megabytes=round(measured.megabytes, 1),
        reason=result.get("reason") if result else _failure(measured),
        checking=round(checking / finding, 3) if finding and checking else None,
        synthesis_to_checking=round(finding / checking, 2) if finding and checking else None,
        phases=None if effort is None else _phases(measured.seconds, effort["phases"]),
        solver_calls=None if effort is None else effort["solver_calls"],
        search=None if effort is None else effort["search"],
        certificate_bytes=result.get("certificate_bytes"),
        status=measured.status,
    )


def _phases(seconds: float, spent: Mapping[str, float]) -> Phases:
    def total(names: Iterable[str]) -> float:
        return round(sum(spent.get(name, 0.0) for name in names), 3)

    reading = round(spent.get(READING, 0.0), 3)
    named = [total(names) for names in (_SEARCH, _INVARIANTS, _KERNEL, _REFUTATION, _REPORT)]
    return Phases(round(seconds - reading - sum(named), 3), reading, *named)


def _finding_and_checking(result: Mapping[str, Any]) -> tuple[float, float] | tuple[None, None]:
    """Seconds of finding a proof and of checking it, in one process."""
    checking = result.get("seconds_checking")
    return (None, None) if checking is None else (result["seconds"] - checking, checking)


def _outcome(expected: Expectation, verdict: str | None, epsilon: str | None) -> str:
    if verdict is None:
        return ERROR
    if verdict == PROVED:
        return _of_proof(expected, epsilon)
    if verdict == REFUTED:
        return CORRECT_REFUTATION if expected.verdict == REFUTED else WRONG_ALARM
    return UNDECIDED


def _of_proof(expected: Expectation, epsilon: str | None) -> str:
    if expected.verdict != PROVED or epsilon is None:
        return WRONG_PROOF
    if expected.epsilon is None or same_bound(epsilon, expected.epsilon):
        return CORRECT_PROOF
    return WEAK_PROOF if is_evidently_larger(epsilon, expected.epsilon) else WRONG_PROOF


def _result(measured: Measured) -> Mapping[str, Any] | None:
    try:
        results = json.loads(measured.output)["results"]
    except (ValueError, KeyError, TypeError):
        return None
    return results[0] if len(results) == 1 else None


def _failure(measured: Measured) -> str:
    lines = measured.errors.strip().splitlines()
    return lines[-1] if lines else f"ended with status {measured.status} and no result"
