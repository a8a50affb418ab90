"""Exit statuses.  Those of verdicts are in :mod:`synth.views.results`."""

from __future__ import annotations

from collections.abc import Iterable

from synth.trusted.errors import InternalError, OutputError, SynthError, UnfinishedError, UsageError

WRONG_USAGE = 2
UNFINISHED = 3
UNREADABLE = 4
DEFECT = 70
UNWRITTEN = 74
INTERRUPTED = 130

_OF_ERRORS = {
    UsageError: WRONG_USAGE,
    UnfinishedError: UNFINISHED,
    OutputError: UNWRITTEN,
    InternalError: DEFECT,
}
"""All other errors are about what can't be read."""

_WORST_FIRST = (DEFECT, UNREADABLE, UNWRITTEN, 1, UNFINISHED, 0)
"""1 is the status of what is refuted, invalid or wrong."""


def worst(statuses: Iterable[int]) -> int:
    """The exit status of several results."""
    return min(statuses, key=_WORST_FIRST.index, default=0)


def status_of(error: SynthError) -> int:
    """The exit status that an error stands for."""
    return next((status for kind, status in _OF_ERRORS.items() if isinstance(error, kind)), UNREADABLE)
