"""Exit statuses.  Those of verdicts are in :mod:`synth.results`."""

from __future__ import annotations

from collections.abc import Iterable

WRONG_USAGE = 2
UNFINISHED = 3
UNREADABLE = 4
DEFECT = 70
UNWRITTEN = 74
INTERRUPTED = 130

_WORST_FIRST = (DEFECT, UNREADABLE, UNWRITTEN, 1, UNFINISHED, 0)
"""1 is the status of what is refuted, invalid or wrong."""


def worst(statuses: Iterable[int]) -> int:
    """The exit status of several results."""
    return min(statuses, key=_WORST_FIRST.index, default=0)
