"""States of a run: what is known of the variables, how probable that is, and how states are split.

A sample stays a :class:`~synth.refuter.exact.forms.Noise` that is only known to lie in a range.  A comparison
cuts the range; mass is computed when the noise is not needed any more.  Where two samples are
compared, all but the newest are cut into cells first.  What two cells leave open (reals, tails) is
followed both ways in states that are not ``sure``: these count for upper bounds only.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from flint import arb

from synth.refuter.exact.forms import Form, Range, Value
from synth.refuter.exact.laws import Bound, Grid, Law, Noise, cells, mass, noise_in, pinned

Item = Value | Range
Entry = tuple[Item, ...]
"""An entry of a list: values, or ranges where noise was published as a range."""


class Settled(tuple[Entry, ...]):
    """Entries that depend on no noise; made by :func:`with_entry`, equal ones are one object."""

    __hash__ = object.__hash__
    __eq__ = object.__eq__


def with_entry(rows: tuple[Entry, ...], entry: Entry) -> tuple[Entry, ...]:
    """The rows with one more."""
    if (rows and not isinstance(rows, Settled)) or any(isinstance(item, Form) for item in entry):
        return (*rows, entry)
    return _settled(rows, entry)


@lru_cache(maxsize=1 << 16)
def _settled(rows: tuple[Entry, ...], entry: Entry) -> Settled:
    return Settled((*rows, entry))


@dataclass(frozen=True, slots=True)
class Comparison:
    """``form REL 0`` with REL one of ``<``, ``<=``, ``==``."""

    relation: str
    form: Form


class UndeterminedBranch(Exception):
    """A value depends on a comparison that noise leaves open."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison


class PrecisionLoss(Exception):
    """A value depends on noise in a way that needs single values of it."""

    def __init__(self, form: Form) -> None:
        self.form = form


class ManyParts(Exception):
    """A value is known in each of some parts of the state."""

    def __init__(self, parts: list[State]) -> None:
        self.parts = parts


class DroppedMass(Exception):
    """A value can't be computed; the state may give any output."""


@dataclass(slots=True)
class State:
    """One state of a run.  ``weight`` leaves out the mass of the noises; ``doubt`` counts guesses."""

    side: int
    values: dict[str, Value]
    weight: arb
    lists: dict[str, tuple[Entry, ...]] = field(default_factory=dict)
    noises: dict[int, Noise] = field(default_factory=dict)
    doubt: int = 0
    guesses: dict[Comparison, bool] = field(default_factory=dict)
    celled: frozenset[int] = frozenset()
    """Noises that are in one cell each while a question is asked: a value may be enclosed by their ends."""

    def mass(self) -> arb:
        """The probability of the state (an upper bound if it isn't sure)."""
        total = self.weight
        for noise in self.noises.values():
            total = total * noise.mass
        return total

    @property
    def sure(self) -> bool:
        """Whether runs surely come here with this probability; else it's an upper bound."""
        return self.doubt == 0

    def copy(self) -> State:
        """An independent copy."""
        parts = self.values.copy(), self.weight, self.lists.copy(), self.noises.copy()
        return State(self.side, *parts, self.doubt, self.guesses, self.celled)

    def append(self, name: str, entry: Entry) -> None:
        """Add an entry to a list, unless nothing reads its entries any more."""
        if name in self.lists:
            self.lists[name] = with_entry(self.lists[name], entry)

    def sample(self, law: Law) -> Form:
        """New noise of that law."""
        number = max(self.noises, default=-1) + 1
        self.noises[number] = noise_in(law, law.low, math.inf)
        return Form(0, ((number, 1),))

    def known(self, comparison: Comparison) -> bool | None:
        """Whether the comparison holds, if its noises' ranges (or a guess) tell."""
        form = comparison.form
        low, high = form.bounds(self.noises)
        continuous = form.is_continuous(self.noises)
        if comparison.relation == "==":
            if continuous or low > 0 or high < 0:
                return False
        elif high < 0 or (high == 0 and (continuous or comparison.relation == "<=")):
            return True
        elif low > 0 or (low == 0 and (continuous or comparison.relation == "<")):
            return False
        return self.guesses.get(comparison)

    def restricted(self, number: int, low: Bound, high: Bound) -> State:
        """The part where a noise lies in a smaller range; single integers are put in."""
        state = self.copy()
        law = self.noises[number].law
        if not (law.is_integer and low == high):
            state.noises[number] = noise_in(law, low, high)
            return state
        assert not isinstance(low, float)
        del state.noises[number]
        state.weight = state.weight * mass(law, low, low)
        for name, value in state.values.items():
            if isinstance(value, Form):
                state.values[name] = value.without(number, low)
        for name, entries in state.lists.items():
            if not isinstance(entries, Settled):
                state.lists[name] = tuple(
                    tuple(_put_in(item, number, low) for item in row) for row in entries
                )
        return state

    def pinned(self, number: int, low: Bound, high: Bound) -> State:
        """The part where a noise lies in a smaller range, taken to be in the middle of it."""
        if self.noises[number].law.is_integer and low == high:
            return self.restricted(number, low, high)
        state = self.copy()
        state.noises[number] = pinned(self.noises[number].law, low, high)
        return state

    def guessing(self, comparison: Comparison, truth: bool, most: int) -> State:
        """The state in which a comparison is guessed; counts at most ``most`` guesses."""
        state = self.copy()
        state.doubt = min(self.doubt + 1, most)
        state.guesses = {**self.guesses, comparison: truth}
        return state


def _put_in(item: Item, number: int, value: int | Fraction) -> Item:
    return item.without(number, value) if isinstance(item, Form) else item


# --- splitting ------------------------------------------------------------------------------


def split(state: State, comparison: Comparison, grid: Grid) -> list[State]:
    """Parts of the state in which the comparison is known, or nearer to be."""
    *older, (newest, factor) = comparison.form.terms
    for number, _ in older:
        if state.noises[number].point is not None:
            continue
        if not grid.points and (zone := _zone(state, comparison, number)):
            return [state.restricted(number, *part) for part in zone]
        pinned = any(noise.point is not None for noise in state.noises.values())
        cut = _parts(state.noises[number], grid.coarser() if pinned else grid, comparison.relation == "==")
        if grid.points:
            return [state.pinned(number, *part) for part in cut]
        if len(cut) > 1:
            return [state.restricted(number, *part) for part in cut]
    noise = state.noises[newest]
    low, high = comparison.form.constant, comparison.form.constant
    if older:
        low, high = Form(comparison.form.constant, tuple(older)).bounds(state.noises)  # type: ignore[assignment]
    roots = {_root(end, factor) for end in (low, high) if not isinstance(end, float)}
    parts = _cut(noise, roots, factor > 0, comparison.relation)
    if len(parts) > 1:
        return [state.restricted(newest, *part) for part in parts]
    if grid.sure:
        return []
    return [state.guessing(comparison, truth, grid.doubts) for truth in (True, False)]


def _zone(state: State, comparison: Comparison, number: int) -> list[tuple[Bound, Bound]]:
    """The range of a noise, cut where the others of a comparison begin to tell its outcome; else none."""
    form = comparison.form
    factor = dict(form.terms)[number]
    others = Form(form.constant, tuple(term for term in form.terms if term[0] != number)).bounds(state.noises)
    if any(isinstance(end, float) for end in others):
        return []
    roots = {_root(end, factor) for end in others if not isinstance(end, float)}
    parts = _cut(state.noises[number], roots, factor > 0, comparison.relation)
    return parts if len(parts) > 1 else []


def cut_between(state: State, form: Form, cuts: Iterable[int | Fraction]) -> list[State]:
    """Parts of the state in which it is known between which of the cuts the form's newest noise puts it.

    The others have to be points.
    """
    *older, (newest, factor) = form.terms
    constant = form.constant
    for number, coefficient in older:
        point = state.noises[number].point
        assert point is not None
        constant += coefficient * point
    roots = {_root(constant - cut, factor) for cut in cuts}
    parts = _cut(state.noises[newest], roots, factor > 0, "<")
    return [state.restricted(newest, *part) for part in parts]


def cut_at(state: State, number: int, places: Iterable[int | Fraction]) -> list[State]:
    """Parts of the state in which it is known between which of the places a noise lies."""
    parts = _cut(state.noises[number], places, True, "<")
    return [state.restricted(number, *part) for part in parts] if len(parts) > 1 else [state]


def _root(constant: int | Fraction, factor: int | Fraction) -> int | Fraction:
    """Where ``constant + factor · v`` is 0."""
    if factor in (1, -1):
        return -constant * factor
    return -constant / Fraction(factor)


def _parts(noise: Noise, grid: Grid, single: bool) -> tuple[tuple[Bound, Bound], ...]:
    """The cells of a noise, or its single values where that is asked for and they are finitely many."""
    finite = not (isinstance(noise.low, float) or isinstance(noise.high, float))
    if single and noise.law.is_integer and finite:
        return tuple((value, value) for value in range(int(noise.low), int(noise.high) + 1))
    return cells(noise, grid)


def _cut(noise: Noise, roots: Iterable[int | Fraction], up: bool, relation: str) -> list[tuple[Bound, Bound]]:
    """The range of a noise v, cut where ``v REL root`` (``root REL v`` if not ``up``) changes."""
    if not noise.law.is_integer:
        inner: list[Bound] = sorted(root for root in roots if noise.low < root < noise.high)
        return list(zip([noise.low, *inner], [*inner, noise.high], strict=True))
    starts: set[int] = set()
    for root in roots:
        below, above = math.floor(root), math.ceil(root)
        if relation == "==":
            starts |= {above, below + 1}
        else:
            starts.add(below + 1 if (relation == "<=") == up else above)
    first = sorted(start for start in starts if noise.low < start <= noise.high)
    return list(zip([noise.low, *first], [*(start - 1 for start in first), noise.high], strict=True))


def points(state: State, form: Form, grid: Grid) -> list[State]:
    """Parts of the state in which a noise of the form is a single value, or of reals in a cell.

    Raises DroppedMass where all of them are.
    """
    for number, _ in form.terms:
        noise = state.noises[number]
        if noise.law.is_integer:
            parts = _parts(noise, grid, True)
            if len(parts) > 1:
                return [state.restricted(number, *part) for part in parts]
        elif number not in state.celled:
            return _celled(state, number, grid)
    raise DroppedMass


def _celled(state: State, number: int, grid: Grid) -> list[State]:
    """Parts of the state in which a noise is in one cell."""
    if state.noises[number].point is not None:
        found = [state.copy()]
    else:
        cut = state.pinned if grid.points else state.restricted
        fitting = grid.coarser() if state.celled else grid
        found = [cut(number, *part) for part in cells(state.noises[number], fitting)]
    for item in found:
        item.celled = state.celled | {number}
    return found
