"""Looks for what has a distance of 0, by changing one number at a time.

Source: Korel, "Automated software test data generation", IEEE TSE 1990 (the alternating variable method).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

_T = TypeVar("_T")

Move = Callable[[_T, int], _T | None]
"""What is so many steps from another one; None where nothing is."""

_STEPS = (1, -1, 20, -20, 400, -400, 10_000)
"""What is tried first of a number; the longer ones where short ones change nothing."""


@dataclass
class Descent(Generic[_T]):
    """The way to a distance of 0: the nearest so far, how near it is, and how often one may still look.

    ``distance`` is None when enough was looked at.
    """

    moves: Sequence[Move[_T]]
    distance: Callable[[_T], float | None]
    at: _T
    best: float
    left: int

    def is_met(self) -> bool:
        """Go on by each number that can be changed until the distance is 0, or none comes nearer."""
        while self.best > 0 and any(self._goes(move) for move in self.moves):
            pass
        return self.best == 0

    def is_met_from(self, start: _T | None) -> bool:
        """Whether the distance becomes 0 from another one on."""
        found = None if start is None else self._measured(start)
        if start is None or found is None:
            return False
        self.at, self.best = start, found
        return self.is_met()

    def _goes(self, move: Move[_T]) -> bool:
        """Go on by one number as long as that comes nearer."""
        before, is_nearer = self.best, True
        while is_nearer and self.best > 0:
            is_nearer = any(self._goes_on(move, step) for step in _STEPS)
        return self.best < before

    def _goes_on(self, move: Move[_T], step: int) -> bool:
        """Go on by steps that are twice as long each time."""
        before = self.best
        while self.best > 0 and (tried := move(self.at, step)) is not None:
            found = self._measured(tried)
            if found is None or found >= self.best:
                break
            self.at, self.best, step = tried, found, 2 * step
        return self.best < before

    def _measured(self, tried: _T) -> float | None:
        self.left -= 1
        return self.distance(tried) if self.left >= 0 else None
