"""Outputs and sets of outputs, in the flat form of ``Return``: values, and entries of lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from synth.refuter.exact.forms import Exact, Range, Wanted
from synth.refuter.exact.inputs import written
from synth.refuter.exact.laws import Bound


@dataclass(frozen=True)
class Event:
    """The outputs whose parts equal those wanted, or lie in the range wanted."""

    values: tuple[Wanted, ...]
    lists: tuple[tuple[tuple[Wanted, ...], ...], ...]

    def parts(self) -> tuple[Wanted, ...]:
        """All parts, in order."""
        return (*self.values, *(item for rows in self.lists for row in rows for item in row))

    def with_parts(self, parts: Sequence[Wanted]) -> Event:
        """The event of the same shape with these parts."""
        rest = iter(parts)
        values = tuple(next(rest) for _ in self.values)
        lists = (tuple(tuple(next(rest) for _ in row) for row in rows) for rows in self.lists)
        return Event(values, tuple(lists))

    def json(self) -> dict[str, Any]:
        """The event as plain data; a range is ``{"from": …, "to": …}`` without its end, None for no end."""
        return {
            "values": [_plain(item) for item in self.values],
            "lists": [[[_plain(item) for item in row] for row in rows] for rows in self.lists],
        }


def disjoint(one: Event, two: Event) -> bool:
    """Whether no output is in both."""
    if [len(rows) for rows in one.lists] != [len(rows) for rows in two.lists]:
        return True
    return any(_apart(left, right) for left, right in zip(one.parts(), two.parts(), strict=True))


def _apart(one: Wanted, two: Wanted) -> bool:
    if not isinstance(one, Range):
        return not _holds(two, one)
    if not isinstance(two, Range):
        return not _holds(one, two)
    return one.high <= two.low or two.high <= one.low


def _holds(part: Wanted, value: Exact) -> bool:
    return part.low <= value < part.high if isinstance(part, Range) else part == value


def _plain(item: Wanted) -> Any:
    if not isinstance(item, Range):
        return written(item)
    return {"from": _end(item.low), "to": _end(item.high)}


def _end(bound: Bound) -> Any:
    return None if isinstance(bound, float) else written(bound)
