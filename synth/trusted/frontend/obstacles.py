"""All that keeps one function from being read, instead of the first of it only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from synth.trusted.errors import ProgramError


class ObstructedError(Exception):
    """A function that can't be read; ``errors`` are its obstacles, by their place."""

    def __init__(self, errors: Iterable[ProgramError]) -> None:
        super().__init__()
        self.errors = _in_order(errors)

    def of(self, function: str) -> tuple[ProgramError, ...]:
        """Return the obstacles with the name of the function."""
        return tuple(replace(error, function=function) for error in self.errors)


def _in_order(errors: Iterable[ProgramError]) -> tuple[ProgramError, ...]:
    """Sort by place; of several at one place the first that was found stays."""
    first: dict[tuple[int, int], ProgramError] = {}
    for error in errors:
        first.setdefault((error.line or 0, error.column or 0), error)
    return tuple(first[place] for place in sorted(first))
