"""Sets of outputs against a claim with a δ: which outputs are worth taking in, and where to cut ranges.

On a pair of inputs the set that violates (ε, δ) most, if any does, is {o : p1(o) > e^ε · p2(o)}.  Of noise
only ranges are known; a range is cut further where what is worth taking in begins or ends.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from synth.refuter.exact.collecting import Cuts, Tally
from synth.refuter.exact.events import Event, disjoint
from synth.refuter.exact.forms import Range, Wanted
from synth.refuter.exact.laws import Bound
from synth.trusted.program import syntax as ir

_ROUNDS = 40
_AT_ONCE = 8
"""So many ranges are cut in each round,"""

_NEGLIGIBLE = 0.004
"""if they may hold this part of δ."""

_ENOUGH = 1.01
"""A gain of δ times this is a violation that is worth a closer look."""

_MAX_CROSSED = 2000
"""Of more outputs, overlapping ones are not looked for."""

Found = Mapping[Event, Tally]


@dataclass(frozen=True)
class Cell:
    """Outputs that are not told apart, with their likely probabilities on the two sides."""

    event: Event
    masses: tuple[float, float]


@dataclass(frozen=True)
class Sought:
    """The outputs that are worth taking in where ``side`` is the more probable one, at e^ε and δ."""

    side: int
    factor: float
    delta: float

    def gain(self, cell: Cell) -> float:
        """What taking a cell in adds to p1 - e^ε · p2."""
        return cell.masses[self.side] - self.factor * cell.masses[1 - self.side]

    def best(self, cells: Iterable[Cell]) -> list[Cell]:
        """The cells that are worth it, the best first."""
        return sorted((cell for cell in cells if self.gain(cell) > 0), key=self.gain, reverse=True)

    def open(self, cell: Cell) -> float:
        """What cutting a cell may add, at the most."""
        return min(cell.masses[self.side], self.factor * cell.masses[1 - self.side])


def cells_of(found: Found) -> list[Cell]:
    """All outputs; a range has the probability of the outputs in it that other paths give alone."""
    ranged = {event for event in found if any(isinstance(part, Range) for part in event.parts())}
    alone = [event for event in found if event not in ranged]
    crossed = bool(ranged) and len(found) <= _MAX_CROSSED
    cells = []
    for event, tally in found.items():
        inside = [other for other in alone if crossed and event in ranged and not disjoint(event, other)]
        masses = [tally.likely[side] + sum(found[other].likely[side] for other in inside) for side in (0, 1)]
        cells.append(Cell(event, (masses[0], masses[1])))
    return cells


def sharpened(
    mechanism: ir.Mechanism, first: Found, sought: Sequence[Sought], explore: Callable[[Cuts], Found]
) -> Found:
    """Outputs told apart as finely as it takes to see whether a set of them violates the claim.

    ``explore`` finds the outputs with more cuts.
    """
    found = first
    extra: set[int | Fraction] = set()
    for _ in range(_ROUNDS):
        cells = cells_of(found)
        places: dict[int | Fraction, float] = defaultdict(float)
        for item in sought:
            gain = sum(map(item.gain, item.best(cells)))
            if gain > item.delta * _ENOUGH:
                return found
            cuts = dict(_cuts(mechanism, cells, item))
            if gain + sum(cuts.values()) > item.delta:
                for place, hope in cuts.items():
                    places[place] += hope
        fresh = sorted(places.keys() - extra, key=lambda place: -places[place])[:_AT_ONCE]
        if not fresh:
            return found
        extra |= set(fresh)
        found = explore(tuple(extra))
    return found


# --- where to cut ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _Part:
    """A part of a cell's outputs: numbers from ``low`` up to, not including, ``high``."""

    low: Bound
    high: Bound
    cell: Cell


def _cuts(
    mechanism: ir.Mechanism, cells: Sequence[Cell], sought: Sought
) -> Iterator[tuple[int | Fraction, float]]:
    """Places to cut at, with what that may add to the gain."""
    for (place, example), line in _lines(mechanism, cells).items():
        integer = integer_parts(mechanism, example)[place]
        for part in _doubtful(line, sought):
            hope = sought.open(part.cell)
            cut = _inside(part, line, integer)
            if cut is not None and hope > _NEGLIGIBLE * sought.delta:
                yield cut, hope


def _lines(mechanism: ir.Mechanism, cells: Iterable[Cell]) -> dict[tuple[int, Event], list[_Part]]:
    """The cells that agree in all parts but one, in the order of that part."""
    lines: dict[tuple[int, Event], list[_Part]] = defaultdict(list)
    for cell in cells:
        parts = cell.event.parts()
        integers = integer_parts(mechanism, cell.event)
        for place, part in enumerate(parts):
            ends = _ends(part, integers[place])
            if ends is not None:
                rest = cell.event.with_parts([*parts[:place], 0, *parts[place + 1 :]])
                lines[place, rest].append(_Part(*ends, cell))
    for line in lines.values():
        line.sort(key=lambda part: (part.low, part.high))
    return lines


def _ends(part: Wanted, integer: bool) -> tuple[Bound, Bound] | None:
    if isinstance(part, Range):
        return part.low, part.high
    return (part, part + 1) if integer else None


def _doubtful(line: Sequence[_Part], sought: Sought) -> Iterator[_Part]:
    """On both sides of where the outputs worth taking in begin or end; beyond the last of the others."""
    worth = [sought.gain(part.cell) > 0 for part in line]
    for number, part in enumerate(line):
        around = worth[max(number - 1, 0) : number + 2]
        outside = isinstance(part.low, float) or isinstance(part.high, float)
        if (True in around and False in around) or (outside and not worth[number]):
            yield part


def _inside(part: _Part, line: Sequence[_Part], integer: bool) -> int | Fraction | None:
    """A place inside the part: its middle, or as far away again as the line's known ends are apart."""
    if isinstance(part.low, float) or isinstance(part.high, float):
        known = [end for item in line for end in (item.low, item.high) if not isinstance(end, float)]
        if not known:
            return 0
        wide = max(math.ceil(known[-1] - known[0]), 1)
        if not isinstance(part.low, float):
            return part.low + wide
        return 0 if isinstance(part.high, float) else part.high - wide
    if integer and part.high - part.low <= 1:
        return None
    middle = Fraction(part.low + part.high) / 2
    return math.floor(middle) if integer else middle


# --- outputs --------------------------------------------------------------------------------


def integer_parts(mechanism: ir.Mechanism, event: Event) -> list[bool]:
    """Which parts of an output are integers."""
    end = next(item for item in ir.statements(mechanism.body) if isinstance(item, ir.Return))
    sorts = [value.sort for value in end.values]
    for name, rows in zip(end.lists, event.lists, strict=True):
        sorts += [sort for _ in rows for sort in mechanism.lists[name].components]
    return [sort is ir.Sort.INT for sort in sorts]


def apart(cells: Iterable[Cell]) -> list[Cell]:
    """The cells that have no output in common with an earlier one."""
    kept: list[Cell] = []
    for cell in cells:
        if all(disjoint(cell.event, other.event) for other in kept):
            kept.append(cell)
    return kept


def joined(mechanism: ir.Mechanism, events: Sequence[Event]) -> tuple[Event, ...]:
    """The same outputs in fewer events: neighbouring numbers and ranges become one range."""
    found = list(events)
    for place in range(max((len(event.parts()) for event in events), default=0)):
        found = list(_joined_at(mechanism, found, place))
    return tuple(found)


def _joined_at(mechanism: ir.Mechanism, events: Iterable[Event], place: int) -> Iterator[Event]:
    fitting = [Cell(event, (0.0, 0.0)) for event in events]
    seen: set[Event] = set()
    for (where, rest), line in _lines(mechanism, fitting).items():
        if where != place:
            continue
        integer = integer_parts(mechanism, rest)[place]
        seen |= {part.cell.event for part in line}
        low, high = line[0].low, line[0].high
        for part in line[1:]:
            if part.low == high:
                high = part.high
            else:
                yield _with_range(rest, place, low, high, integer)
                low, high = part.low, part.high
        yield _with_range(rest, place, low, high, integer)
    yield from (cell.event for cell in fitting if cell.event not in seen)


def _with_range(event: Event, place: int, low: Bound, high: Bound, integer: bool) -> Event:
    parts = list(event.parts())
    single = integer and high - low == 1 and not isinstance(low, float)
    parts[place] = low if single and not isinstance(low, float) else Range(low, high)
    return event.with_parts(parts)
