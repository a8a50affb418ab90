"""What a proof takes: wall time by phase, and the questions put to solvers."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

LOADING, REPORT, TERMINATION, REFUTATION, NEARBY, READING = (
    "loading",
    "report",
    "termination",
    "refutation",
    "nearby",
    "reading",
)
"""Phases around those of the prover, which are named as it reports them (``strategies``, ``check``)."""

_asked: Counter[str] = Counter()


def asked(solver: str, questions: int = 1) -> None:
    """Count questions put to a solver in this process."""
    _asked[solver] += questions


def count_calls(calls: Mapping[str, int]) -> None:
    """Count the questions that a check put to solvers."""
    _asked.update(calls)


@dataclass(frozen=True)
class Effort:
    """Wall seconds by phase, and how many questions each solver was asked."""

    phases: Mapping[str, float]
    solver_calls: Mapping[str, int]

    def with_reading(self, seconds: float) -> Effort:
        """With the time to read the program, which the parent process spends, once for a file."""
        return replace(self, phases={READING: round(seconds, 4), **self.phases})


class Stopwatch:
    """Adds up wall time by phase from its making on; one phase follows the other."""

    def __init__(self, phase: str) -> None:
        self._phase, self._since = phase, time.monotonic()
        self._spent: dict[str, float] = {}
        self._asked_before = Counter(_asked)

    def enter(self, phase: str) -> None:
        """End the phase before, and go over to this one."""
        now = time.monotonic()
        self._spent[self._phase] = self._spent.get(self._phase, 0.0) + now - self._since
        self._phase, self._since = phase, now

    def effort(self) -> Effort:
        """What was spent up to now."""
        self.enter(self._phase)
        phases = {phase: round(seconds, 4) for phase, seconds in self._spent.items()}
        return Effort(phases, dict(sorted((_asked - self._asked_before).items())))
