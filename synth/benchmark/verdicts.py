"""A run held against what is expected of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from synth.benchmark.expectations import Expectation
from synth.benchmark.measuring import Measured
from synth.logic.rational_reading import same_bound
from synth.results import PROVED, REFUTED, UNKNOWN

CORRECT, UNDECIDED, WRONG, ERROR = "correct", "unknown", "wrong", "error"
CLASSES = (CORRECT, UNDECIDED, WRONG, ERROR)


@dataclass(frozen=True)
class Row:
    """One program of the benchmark.

    ``outcome``: ``correct`` (the verdict and bound that are expected), ``unknown``, ``wrong`` (a
    false claim proved, a true one refuted, another bound than the least) or ``error``.
    ``checking`` is what checking the certificate took, as a part of what finding the proof took.
    """

    file: str
    mechanism: str
    outcome: str
    expected: str
    expected_bound: str
    verdict: str | None
    epsilon: str | None
    seconds: float
    megabytes: float
    reason: str | None
    checking: float | None = None


def judged(expected: Expectation, measured: Measured) -> Row:
    """The row of a program."""
    result = _result(measured)
    verdict, epsilon = (result or {}).get("verdict"), (result or {}).get("epsilon")
    return Row(
        file=str(expected.file),
        mechanism=expected.name,
        outcome=_outcome(expected, verdict, epsilon),
        expected=expected.verdict,
        expected_bound=expected.shown,
        verdict=verdict,
        epsilon=epsilon,
        seconds=round(measured.seconds, 3),
        megabytes=round(measured.megabytes, 1),
        reason=result.get("reason") if result else _failure(measured),
        checking=_checking(result or {}),
    )


def _checking(result: Mapping[str, Any]) -> float | None:
    """Checking over finding, in one process."""
    checking = result.get("seconds_checking")
    return None if checking is None else round(checking / (result["seconds"] - checking), 3)


def _outcome(expected: Expectation, verdict: str | None, epsilon: str | None) -> str:
    if verdict is None:
        return ERROR
    if verdict == UNKNOWN:
        return CORRECT if expected.verdict == UNKNOWN else UNDECIDED
    if verdict != expected.verdict:
        return WRONG
    if verdict == PROVED and expected.epsilon is not None:
        return CORRECT if epsilon is not None and same_bound(epsilon, expected.epsilon) else WRONG
    return CORRECT


def _result(measured: Measured) -> Mapping[str, Any] | None:
    try:
        results = json.loads(measured.output)["results"]
    except (ValueError, KeyError, TypeError):
        return None
    return results[0] if len(results) == 1 else None


def _failure(measured: Measured) -> str:
    lines = measured.errors.strip().splitlines()
    return lines[-1] if lines else f"ended with status {measured.status} and no result"


__all__ = ["CLASSES", "CORRECT", "ERROR", "REFUTED", "UNDECIDED", "WRONG", "Row", "judged"]
