"""The probability of an output, computed backward: from each point on, by cases of the next draw.

A draw is cut where the next comparisons turn, and in two again and again, until what follows is clear
on each part, or the parts are as fine as allowed.  A branch that a part leaves open gives the hull of
both ways.  So every number is an enclosure, for any fineness and wherever draws are cut.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions
from synth.trusted.witness.boxes import (
    Exhausted,
    Incomplete,
    Scope,
    Undefined,
    bounded,
    evaluate,
    number,
    truth,
)
from synth.trusted.witness.chances import ALWAYS, NEVER, Chance, Scale, complement, mass
from synth.trusted.witness.flat import Branch, flatten
from synth.trusted.witness.outcomes import outcomes
from synth.trusted.witness.turns import turns
from synth.trusted.witness.values import (
    Box,
    End,
    Exact,
    Infinity,
    Number,
    Truth,
    Value,
    box,
    conjunction,
    equal,
    less,
    plus,
)

Row = tuple[Value, ...]

_MAX_STEPS = 100_000

_MAX_DEPTH = 1500
"""Behind so many draws and open branches in a row nothing is known: any probability is possible."""

_ANYTHING = Chance(NEVER.low, ALWAYS.high)
"""What is known there: one object, so that no draw is cut for it."""


@dataclass(frozen=True)
class Range:
    """Numbers from ``low`` on, and below ``high``."""

    low: End
    high: End


Wanted = Exact | Range
"""What a part of the output must be; truth values count as 0 and 1."""


@dataclass(frozen=True)
class TargetOutput:
    """The output asked for, flat: values, and the entries of each list."""

    values: tuple[Wanted, ...]
    lists: tuple[tuple[tuple[Wanted, ...], ...], ...]


@dataclass(frozen=True)
class Fineness:
    """Parts of reals are at least ``width`` wide; what has less mass than ``negligible`` is not cut."""

    width: Fraction
    negligible: Decimal
    deadline: float


@dataclass(frozen=True)
class Here:
    """A state: scalars (and lengths), and the lists whose entries matter."""

    values: dict[str, Value]
    lists: dict[str, tuple[Row, ...]]

    def with_value(self, name: str, value: Value) -> Here:
        """The state with a variable assigned."""
        return Here({**self.values, name: value}, self.lists)

    def is_boxed(self) -> bool:
        """Whether something is only known to lie in a box."""
        entries = (value for rows in self.lists.values() for row in rows for value in row)
        values = (*self.values.values(), *entries)
        return any(isinstance(value, Box) or value is Truth.UNKNOWN for value in values)


@dataclass
class Backward:
    """Probabilities of one output on one input.  ``entries`` and ``lengths`` are the input's."""

    mechanism: ir.Mechanism
    wish: TargetOutput
    entries: Mapping[str, Mapping[tuple[int, ...], Value]]
    lengths: Mapping[str, int]
    fineness: Fineness
    known: dict[object, Chance] = field(default_factory=dict)
    supposed: dict[object, Chance] = field(default_factory=dict)
    met: set[object] = field(default_factory=set)
    depth: int = 0

    def __post_init__(self) -> None:
        self.growing = _growing(self.mechanism)
        read = _read_lists(self.mechanism)
        returned = {name for item in _returns(self.mechanism) for name in item.lists}
        self.kept = frozenset(read | (returned - self.growing.keys()))
        self.flat = flatten(self.mechanism.body, frozenset(returned - self.growing.keys()))

    def chance(self, scalars: Mapping[str, Value]) -> Chance:
        """The probability of the output.  Raises Incomplete, Undefined."""
        return self._from(0, Here(dict(scalars), {}))

    def _from(self, place: int, here: Here) -> Chance:
        live = self.flat.live[place]
        values = {name: value for name, value in here.values.items() if name in live}
        lists = {name: rows for name, rows in here.lists.items() if name in live}
        key = (place, tuple(sorted(values.items())), tuple(sorted(lists.items())))
        if key in self.supposed:
            self.met.add(key)
            return self.supposed[key]
        found = self.known.get(key)
        if found is None and self.depth >= _MAX_DEPTH:
            return _ANYTHING
        if found is None:
            if time.monotonic() > self.fineness.deadline:
                raise Exhausted("it takes too long")
            here = Here(values, lists)
            found = self._supposing(key, NEVER, place, here)
            if key in self.met:
                found = found.share(found.plus(complement(self._supposing(key, ALWAYS, place, here))))
                self.met.discard(key)
            self.known[key] = found
        return found

    def _supposing(self, key: object, chance: Chance, place: int, here: Here) -> Chance:
        """The chance of the output, if runs that come back to this state had that chance from there on.

        With r if that is 0, and s if it is 1, each p of a run that comes back satisfies p = r + (s - r)·p, so
        p = r/(r + (1 - s)).  What was computed while this was supposed is forgotten.  What the boxes are too
        coarse to tell may be told once they are cut.
        """
        self.supposed[key] = chance
        before = len(self.known)
        self.depth += 1
        try:
            return self._run(place, here)
        except Exhausted:
            raise
        except Incomplete:
            if not here.is_boxed():
                raise
            return Chance(NEVER.low, ALWAYS.high)
        finally:
            self.depth -= 1
            del self.supposed[key]
            while key in self.met and len(self.known) > before:
                self.known.popitem()

    def _run(self, place: int, here: Here) -> Chance:
        """From an instruction on: to the next draw, or the end."""
        unsure, start = False, place
        for _ in range(_MAX_STEPS):
            scope = self._scope(here)
            item = self.flat.code[place]
            place += 1
            match item:
                case ir.Assign(target=target, value=value):
                    here = here.with_value(target, evaluate(value, scope))
                case ir.NewList(target=target):
                    here = here.with_value(f"{target}#len", 0)
                    if target in self.kept:
                        here = Here(here.values, {**here.lists, target: ()})
                case ir.Append():
                    found, here = self._appended(item, here, scope)
                    if found is Truth.FALSE:
                        return NEVER
                    unsure = unsure or found is Truth.UNKNOWN
                case Branch(condition=None, otherwise=there):
                    place = there
                case Branch(condition=condition, otherwise=there):
                    assert condition is not None
                    found = truth(evaluate(condition, scope))
                    if found is Truth.UNKNOWN:
                        return _perhaps(self._from(place, here).joined(self._from(there, here)), unsure)
                    place = place if found is Truth.TRUE else there
                case ir.Assume(condition=condition) | ir.Obligation(condition=condition):
                    found = truth(evaluate(condition, scope))
                    unsure = unsure or found is Truth.UNKNOWN
                    if found is Truth.FALSE:
                        return NEVER if isinstance(item, ir.Assume) else self._undefined(here, item.reason)
                case ir.Draw() if place - 1 != start:  # many ways may lead here
                    return _perhaps(self._from(place - 1, here), unsure)
                case ir.Draw():
                    return _perhaps(self._draw(item, place, here, scope), unsure)
                case ir.Choose():
                    return _perhaps(self._chosen(item, place, here, scope), unsure)
                case ir.Return():
                    return _perhaps(self._returned(item, here, scope), unsure)
        raise Exhausted("a run takes too many steps")

    def _scope(self, here: Here) -> Scope:
        return Scope(here.values, here.lists, self.entries, self.lengths)

    def _undefined(self, here: Here, reason: str) -> Chance:
        """Nothing is known where boxes may be to blame; else the program is undefined on this input."""
        if here.is_boxed():
            return Chance(NEVER.low, ALWAYS.high)
        raise Undefined(reason)

    # --- the output -------------------------------------------------------------------------

    def _appended(self, item: ir.Append, here: Here, scope: Scope) -> tuple[Truth, Here]:
        """Whether the entry is as wished (for lists that can be compared as they grow), and the new state."""
        row = tuple(evaluate(value, scope) for value in item.values)
        length = here.values[f"{item.target}#len"]
        assert isinstance(length, int)
        found = Truth.TRUE
        if item.target in self.growing:
            wished = self.wish.lists[self.growing[item.target]]
            found = _same(row, wished[length]) if length < len(wished) else Truth.FALSE
        lists = here.lists
        if item.target in lists:
            lists = {**lists, item.target: (*lists[item.target], row)}
        return found, Here({**here.values, f"{item.target}#len": length + 1}, lists)

    def _returned(self, item: ir.Return, here: Here, scope: Scope) -> Chance:
        parts = [_same(tuple(evaluate(value, scope) for value in item.values), self.wish.values)]
        for name, rows in zip(item.lists, self.wish.lists, strict=True):
            if here.values[f"{name}#len"] != len(rows):
                return NEVER
            if name not in self.growing:
                parts += [_same(row, wish) for row, wish in zip(here.lists[name], rows, strict=True)]
        return {Truth.FALSE: NEVER, Truth.TRUE: ALWAYS}.get(
            conjunction(parts), Chance(NEVER.low, ALWAYS.high)
        )

    # --- draws ------------------------------------------------------------------------------

    def _draw(self, item: ir.Draw, place: int, here: Here, scope: Scope) -> Chance:
        center = number(evaluate(item.arguments[0], scope))
        scale = _scale(number(evaluate(item.arguments[1], scope)))
        size = bounded(box(scale).high)
        integer = item.sort is ir.Sort.INT
        one_sided = item.distribution == "exponential"
        zones = [_moved(zone, center) for zone in turns(self.flat, place, item.target, scope)]

        def inside(part: Box) -> Chance:
            return self._from(place, here.with_value(item.target, plus(center, part)))

        everything = Box(0 if one_sided else Infinity.BELOW, Infinity.ABOVE, not integer)
        work = [(everything, inside(everything))]
        total = NEVER
        while work:
            part, found = work.pop()
            weight = mass(item.distribution, integer, scale, part)
            gap = weight.high * (found.high - found.low)
            cut = [] if gap <= self.fineness.negligible else self._pieces(part, integer, size, zones)
            pieces = [(piece, inside(piece)) for piece in cut]
            if all(other is found for _, other in pieces):  # the very state is reached from all of the part
                total = total.plus(weight.times(found))
            else:
                work += pieces
        return total

    def _chosen(self, item: ir.Choose, place: int, here: Here, scope: Scope) -> Chance:
        try:
            found = list(outcomes(item, scope))
        except Undefined as error:
            return self._undefined(here, str(error))
        total = NEVER
        for outcome, weight in found:
            total = total.plus(weight.times(self._from(place, here.with_value(item.target, outcome))))
        return total

    def _pieces(self, part: Box, integer: bool, scale: Fraction, zones: list[Box]) -> list[Box]:
        """The part in two; none if it can't be cut further, or if cutting it tells nothing.

        It is cut where the next comparisons turn, then at a multiple of the width.  In a zone where the
        outcome of a comparison depends on something else that is only known to lie in a box, no cut helps.
        """
        if integer and part.low == part.high:
            return []
        for zone in zones:
            for end, above in ((zone.low, False), (zone.high, True)):
                if not isinstance(end, Infinity):
                    cut = (math.floor(end) + 1 if above else math.ceil(end)) if integer else end
                    if part.low < cut < part.high or (integer and part.low < cut == part.high):
                        return _cut(part, cut, integer)
        if any(zone.low < zone.high and zone.low <= part.low and part.high <= zone.high for zone in zones):
            return []
        step = Fraction(1) if integer else self.fineness.width
        low, high = part.low, part.high
        if isinstance(low, Infinity) and isinstance(high, Infinity):
            middle = 0
        elif isinstance(high, Infinity):
            least = math.floor(bounded(low) / step)
            middle = max(2 * least, least + math.ceil(scale / step))
        elif isinstance(low, Infinity):
            most = math.ceil(high / step)
            middle = min(2 * most, most - math.ceil(scale / step))
        else:
            middle = math.floor((low + high) / (2 * step)) + (1 if integer else 0)
        if integer:
            return _cut(part, int(middle * step), True)
        return _cut(part, middle * step, False) if part.low < middle * step < part.high else []


def _cut(part: Box, place: Exact, integer: bool) -> list[Box]:
    """The part below a place, and from there on."""
    if integer:
        return [Box(part.low, int(place) - 1), Box(int(place), part.high)]
    return [Box(part.low, place, True), Box(place, part.high, True)]


def _moved(zone: Box, center: Number) -> Box:
    """Where noise around the center is, if the sum is in the zone."""
    content = box(center)
    return box(plus(zone, Box(-content.high, -content.low)))


def _scale(value: Number) -> Scale:
    """A positive scale, or a box around one that is irrational.  Raises Incomplete, Undefined."""
    content = box(value)
    if content.high <= 0:
        raise Undefined("a scale that is not positive")
    if content.low <= 0 or isinstance(content.high, Infinity):
        raise Incomplete("a scale that depends on noise")
    return content if isinstance(value, Box) else Fraction(value)


def _perhaps(chance: Chance, unsure: bool) -> Chance:
    """The chance if what came before is sure to be so, else anything up to it."""
    return Chance(NEVER.low, chance.high) if unsure else chance


def _same(row: Row, wished: tuple[Wanted, ...]) -> Truth:
    """Whether parts of an output are as wished."""
    return conjunction([_fits(value, wish) for value, wish in zip(row, wished, strict=True)])


def _fits(value: Value, wish: Wanted) -> Truth:
    if isinstance(value, Truth):
        value = {Truth.FALSE: 0, Truth.TRUE: 1}.get(value, Box(0, 1))
    if not isinstance(wish, Range):
        return equal(value, wish)
    above = Truth.TRUE if isinstance(wish.low, Infinity) else less(wish.low, value, True)
    below = Truth.TRUE if isinstance(wish.high, Infinity) else less(value, wish.high, False)
    return conjunction((above, below))


def _growing(mechanism: ir.Mechanism) -> dict[str, int]:
    """Lists that all returns give out in the same place, made once and outside of loops."""
    layouts = {item.lists for item in _returns(mechanism)}
    if len(layouts) != 1:
        return {}
    (layout,) = layouts
    uses = Counter(layout)
    made = Counter(item.target for item in ir.statements(mechanism.body) if isinstance(item, ir.NewList))
    again = {item.target for item in _looped(mechanism.body) if isinstance(item, ir.NewList)}
    return {
        name: place
        for place, name in enumerate(layout)
        if uses[name] == 1 and made[name] == 1 and name not in again
    }


def _looped(body: tuple[ir.Statement, ...]) -> list[ir.Statement]:
    found: list[ir.Statement] = []
    for statement in body:
        for inner in ir.blocks(statement):
            found += list(ir.statements(inner)) if isinstance(statement, ir.Loop) else _looped(inner)
    return found


def _returns(mechanism: ir.Mechanism) -> list[ir.Return]:
    return [item for item in ir.statements(mechanism.body) if isinstance(item, ir.Return)]


def _read_lists(mechanism: ir.Mechanism) -> set[str]:
    return {
        part.source
        for statement in ir.statements(mechanism.body)
        for expression in expressions(statement)
        for part in ir.subexpressions(expression)
        if isinstance(part, ir.Element)
    }
