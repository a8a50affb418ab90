"""What a proof takes: wall time by phase, the questions put to solvers, and what the search tries."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

LOADING, REPORT, TERMINATION, REFUTATION, NEARBY, READING = (
    "loading",
    "report",
    "termination",
    "refutation",
    "nearby",
    "reading",
)
"""Phases around those of the prover, which are named as it reports them (``strategies``, ``check``)."""

STRATEGIES, RUNS = "strategies", "runs"
"""What the search tries: strategies that are to be proved, and second runs that follow a strategy."""

_asked: Counter[str] = Counter()
_tried: Counter[str] = Counter()


def asked(solver: str, questions: int = 1) -> None:
    """Count questions put to a solver in this process."""
    _asked[solver] += questions


def count_calls(calls: Mapping[str, int]) -> None:
    """Count the questions that a check put to solvers."""
    _asked.update(calls)


def tried(what: str) -> None:
    """Count a try of the search in this process."""
    _tried[what] += 1


@dataclass(frozen=True)
class Effort:
    """Wall seconds by phase, how many questions each solver was asked, and how much the search tried."""

    phases: Mapping[str, float]
    solver_calls: Mapping[str, int]
    search: Mapping[str, int] = field(default_factory=dict)

    def with_reading(self, seconds: float) -> Effort:
        """With the time to read the program, which the parent process spends, once for a file."""
        return replace(self, phases={READING: round(seconds, 4), **self.phases})


class Stopwatch:
    """Adds up wall time by phase from its making on; one phase follows the other."""

    def __init__(self, phase: str) -> None:
        self._phase, self._since = phase, time.monotonic()
        self._spent: dict[str, float] = {}
        self._asked_before, self._tried_before = Counter(_asked), Counter(_tried)

    def enter(self, phase: str) -> None:
        """End the phase before, and go over to this one."""
        now = time.monotonic()
        self._spent[self._phase] = self._spent.get(self._phase, 0.0) + now - self._since
        self._phase, self._since = phase, now

    def effort(self) -> Effort:
        """What was spent up to now."""
        self.enter(self._phase)
        phases = {phase: round(seconds, 4) for phase, seconds in self._spent.items()}
        asked_since, tried_since = _asked - self._asked_before, _tried - self._tried_before
        return Effort(phases, dict(sorted(asked_since.items())), dict(sorted(tried_since.items())))
