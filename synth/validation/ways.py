"""Draws that fall on one of few values, so that the law of an outcome can be listed.

Where there is much noise, that of the first draws: later noise falls as its place says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from synth.validation.values import NotComputed

Shares = Sequence[tuple[Any, float]]
Law = dict[Any, float]
"""Chances of outcomes."""


_CHOICE = "choice"
"""Draws that aren't noise."""


@dataclass(frozen=True)
class Falling:
    """How noise falls: so much of a way on both of its values, what comes later on one, by turns, or on 0.

    It falls so much farther from 0 than its scale.
    """

    free: int = 4
    later: tuple[int, ...] = (1, 0, 0, 1, 1, 0, 1)
    far: int = 0


STILL = Falling(0, ())
"""All noise is 0, so that neither the order of draws matters nor their signs."""


class Draw(Protocol):
    """Draws one of some values, each with its chance."""

    def __call__(self, shares: Shares, name: str = _CHOICE) -> Any:
        """One of the values; ``name`` is that of the distribution."""


class TooManyError(Exception):
    """There are too many ways in which draws may fall."""


@dataclass(frozen=True)
class Followed:
    """The law of the outcomes of a run, the names of distributions, and the most draws on one way.

    ``is_by_turns`` says that not all noise fell on both of its values.
    """

    law: Law
    names: frozenset[str]
    draws: int
    is_by_turns: bool


def followed(run: Callable[[Draw], Hashable], most: int, falling: Falling) -> Followed:
    """The chance of each outcome of a run, over at most so many ways.  Raises TooManyError."""
    found: Law = defaultdict(float)
    names: set[str] = set()
    draws, is_by_turns = 0, False
    waiting: list[tuple[int, ...]] = [()]
    for _ in range(most):
        if not waiting:
            return Followed(dict(found), frozenset(names), draws, is_by_turns)
        way = _Way(waiting.pop(), waiting, names, falling)
        outcome = run(way.draw)
        found[outcome] += way.chance
        draws = max(draws, len(way.fallen))
        is_by_turns = is_by_turns or way.noises > falling.free
    raise TooManyError


class _Way:
    """One way in which draws fall: as said at first, then on the first value, while the others are noted."""

    def __init__(
        self, said: tuple[int, ...], others: list[tuple[int, ...]], names: set[str], falling: Falling
    ) -> None:
        self.said = said
        self.others = others
        self.names = names
        self.falling = falling
        self.fallen: tuple[int, ...] = ()
        self.noises = 0
        self.chance = 1.0

    def draw(self, shares: Shares, name: str = _CHOICE) -> Any:
        """One of the values."""
        self.names.add(name)
        possible = [(value, chance) for value, chance in shares if chance > 0]
        if not possible:
            raise NotComputed("a draw of nothing")
        if name == _CHOICE:
            return self._fallen(possible)
        value = self._fallen(self._of_noise(possible))
        return value + self.falling.far * ((value > 0) - (value < 0))

    def _of_noise(self, possible: Shares) -> Shares:
        self.noises += 1
        if self.noises <= self.falling.free:
            return possible
        later = self.falling.later
        if not later:
            return [(possible[0][0] * 0, 1.0)]
        return [(possible[later[self.noises % len(later)]][0], 1.0)]

    def _fallen(self, possible: Shares) -> Any:
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
