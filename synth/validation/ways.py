"""Draws that fall on one of few values, so that the law of an outcome can be listed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from synth.validation.values import NotComputed

Shares = Sequence[tuple[Any, float]]
Law = dict[Any, float]
"""Chances of outcomes."""


class Draw(Protocol):
    """Draws one of some values, each with its chance."""

    def __call__(self, shares: Shares, name: str = "choice") -> Any:
        """One of the values; ``name`` is that of the distribution."""


class TooManyError(Exception):
    """There are too many ways in which draws may fall."""


@dataclass(frozen=True)
class Followed:
    """The law of the outcomes of a run, the names of distributions, and the most draws on one way."""

    law: Law
    names: frozenset[str]
    draws: int


def followed(run: Callable[[Draw], Hashable], most: int) -> Followed:
    """The chance of each outcome of a run, over at most so many ways.  Raises TooManyError."""
    found: Law = defaultdict(float)
    names: set[str] = set()
    draws = 0
    waiting: list[tuple[int, ...]] = [()]
    for _ in range(most):
        if not waiting:
            return Followed(dict(found), frozenset(names), draws)
        way = _Way(waiting.pop(), waiting, names)
        outcome = run(way.draw)
        found[outcome] += way.chance
        draws = max(draws, len(way.fallen))
    raise TooManyError


class _Way:
    """One way in which draws fall: as said at first, then on the first value, while the others are noted."""

    def __init__(self, said: tuple[int, ...], others: list[tuple[int, ...]], names: set[str]) -> None:
        self.said = said
        self.others = others
        self.names = names
        self.fallen: tuple[int, ...] = ()
        self.chance = 1.0

    def draw(self, shares: Shares, name: str = "choice") -> Any:
        """One of the values."""
        self.names.add(name)
        possible = [(value, chance) for value, chance in shares if chance > 0]
        if not possible:
            raise NotComputed("a draw of nothing")
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


def differ(one: Law, other: Law) -> bool:
    """Whether two laws are not the same, up to rounding."""
    return any(abs(one.get(key, 0) - other.get(key, 0)) > 1e-6 for key in one.keys() | other.keys())
