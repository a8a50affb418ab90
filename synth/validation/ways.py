"""Draws that fall on one of few values, so that the law of an outcome can be listed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

Shares = Sequence[tuple[Any, float]]
Draw = Callable[[Shares], Any]
"""One of some values, each with its chance."""

_Outcome = TypeVar("_Outcome", bound=Hashable)


class TooManyError(Exception):
    """There are too many ways in which draws may fall."""


def law(run: Callable[[Draw], _Outcome], most: int) -> dict[_Outcome, float]:
    """The chance of each outcome of a run, over at most so many ways.  Raises TooManyError."""
    found: dict[_Outcome, float] = defaultdict(float)
    waiting: list[tuple[int, ...]] = [()]
    for _ in range(most):
        if not waiting:
            return dict(found)
        way = _Way(waiting.pop(), waiting)
        outcome = run(way.draw)
        found[outcome] += way.chance
    raise TooManyError


class _Way:
    """One way in which draws fall: as said at first, then on the first value, while the others are noted."""

    def __init__(self, said: tuple[int, ...], others: list[tuple[int, ...]]) -> None:
        self.said = said
        self.others = others
        self.fallen: tuple[int, ...] = ()
        self.chance = 1.0

    def draw(self, shares: Shares) -> Any:
        """One of the values."""
        possible = [(value, chance) for value, chance in shares if chance > 0]
        count = len(self.fallen)
        if count < len(self.said):
            place = self.said[count]
        else:
            place = 0
            self.others.extend((*self.fallen, other) for other in range(1, len(possible)))
        value, share = possible[place]
        self.fallen += (place,)
        self.chance *= share
        return value


def differ(one: dict[Any, float], other: dict[Any, float]) -> bool:
    """Whether two laws are not the same, up to rounding."""
    return any(abs(one.get(key, 0) - other.get(key, 0)) > 1e-6 for key in one.keys() | other.keys())
