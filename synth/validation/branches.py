"""Which ways the comparisons and tests of a text have gone, and how near they came to the other ways.

Source: Korel, "Automated software test data generation", IEEE TSE 1990 (branch functions).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from synth.validation.values import Array, Value, is_number, plain

Branch = tuple[int, int, bool]
"""A comparison of the text, by its node and its place in a chain, and how it comes out."""

_FLAT = 1.0
"""The distance where nothing says which way is nearer."""


@dataclass
class Branches:
    """How near runs have come to each way of each test that they came to: 0 where one has gone it."""

    distances: dict[Branch, float] = field(default_factory=dict)

    def note(self, node: ast.expr, place: int, came_out: bool, distance: float = _FLAT) -> None:
        """Note that a test came out so, so far from coming out otherwise."""
        self._lower((id(node), place, came_out), 0.0)
        self._lower((id(node), place, not came_out), distance)

    def note_comparison(self, node: ast.Compare, place: int, left: Value, right: Value, found: Value) -> None:
        """Note what a comparison of numbers gives, of arrays entry by entry."""
        for one, two, outcome in _entries(left, right, found):
            if isinstance(outcome, bool):
                self.note(node, place, outcome, _distance(one, two))

    def note_truth(self, node: ast.expr, value: Value, came_out: bool) -> None:
        """Note whether a value is true."""
        value = plain(value)
        if is_number(value) and not isinstance(value, bool):
            self.note(node, 0, came_out, _distance(value, 0))
        elif isinstance(value, list | tuple | dict | set):
            self.note(node, 0, came_out, _distance(len(value), 0))
        else:
            self.note(node, 0, came_out)

    def note_rounds(self, node: ast.expr, values: Value) -> None:
        """Note whether a loop over these goes round."""
        if isinstance(values, range):
            self.note(node, 0, bool(values), _FLAT + abs(values.stop - values.start))
        elif isinstance(values, list | tuple):
            self.note(node, 0, bool(values), _FLAT + len(values))

    def add(self, other: Branches) -> None:
        """Note what another run has met."""
        for branch, distance in other.distances.items():
            self._lower(branch, distance)

    def distance(self, branch: Branch) -> float:
        """How near runs have come to it."""
        return self.distances.get(branch, float("inf"))

    @property
    def unmet(self) -> list[Branch]:
        """The ways that no run has gone, though it came to their test."""
        return [branch for branch, distance in self.distances.items() if distance > 0]

    def _lower(self, branch: Branch, distance: float) -> None:
        self.distances[branch] = min(distance, self.distance(branch))


def _entries(left: Value, right: Value, found: Value) -> Iterator[tuple[Value, Value, Value]]:
    if not isinstance(found, Array):
        yield left, right, plain(found)
        return
    for place, outcome in enumerate(found.entries):
        one, two = (item.entries[place] if _fits(item, found) else item for item in (left, right))
        yield one, two, plain(outcome)


def _fits(item: Value, found: Array) -> bool:
    return isinstance(item, Array) and len(item.entries) == len(found.entries)


def _distance(left: Value, right: Value) -> float:
    left, right = plain(left), plain(right)
    if is_number(left) and isinstance(right, range) and right:
        return _FLAT + float(max(right[0] - left, left - right[-1], 0))
    if is_number(left) and isinstance(right, list | tuple | dict | set):
        return min((_distance(left, item) for item in right), default=_FLAT)
    if not is_number(left) or not is_number(right):
        return _FLAT
    try:
        return _FLAT + abs(float(left - right))
    except OverflowError:
        return float("inf")
