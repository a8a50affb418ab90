"""Entries of local lists that a run may still read: noise in the others need not be known any more.

Which index may be asked for is known from a state and from the assignments that it may still come to: a
counter only grows, and an index that is remembered is one that the counter had.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from synth.refuter.exact.forms import Value
from synth.refuter.exact.states import Entry, State, with_entry
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions, names

Body = tuple[ir.Statement, ...]

_EXACT_ROUNDS, _MAX_ROUNDS = 2, 12
"""So many times assignments are followed before what grows is taken to grow for ever; to be anything."""


@dataclass(frozen=True)
class Indices:
    """Integers: some, and all from ``first`` on, if it isn't None."""

    some: frozenset[int] = frozenset()
    first: int | float | None = None

    def __contains__(self, index: int) -> bool:
        return index in self.some or (self.first is not None and index >= self.first)

    def joined(self, other: Indices) -> Indices:
        """What is in one of both."""
        firsts = [item.first for item in (self, other) if item.first is not None]
        first = min(firsts, default=None)
        return Indices(
            frozenset(item for item in self.some | other.some if first is None or item < first), first
        )

    def moved(self, step: int) -> Indices:
        """All of them, plus a number."""
        return Indices(
            frozenset(item + step for item in self.some), None if self.first is None else self.first + step
        )


_ALL = Indices(first=-math.inf)


@dataclass(frozen=True)
class Ahead:
    """What may still happen from a point on: assignments, and reads of lists as pairs of name and index."""

    assigned: frozenset[tuple[str, ir.Expression | None]] = frozenset()
    reads: frozenset[tuple[str, ir.Expression]] = frozenset()

    def joined(self, other: Ahead) -> Ahead:
        """What may happen by one of both."""
        return Ahead(self.assigned | other.assigned, self.reads | other.reads)


def ahead_of(body: Body) -> dict[int, Ahead]:
    """Return what may still happen behind a branch or a block, and at a loop's head, by ids of statements."""
    found: dict[int, Ahead] = {}
    _walked(body, Ahead(), found)
    return found


def _walked(body: Body, after: Ahead, found: dict[int, Ahead]) -> Ahead:
    for statement in reversed(body):
        after = _before(statement, after, found)
    return after


def _before(statement: ir.Statement, after: Ahead, found: dict[int, Ahead]) -> Ahead:
    match statement:
        case ir.Return():
            return _own(statement)
        case ir.Loop(body=body):
            for inner in ir.statements(body):
                after = after.joined(_own(inner))
            found[id(statement)] = after
            return _walked(body, after, found)
        case ir.If(then=then, otherwise=otherwise):
            found[id(statement)] = after
            sides = _walked(then, after, found).joined(_walked(otherwise, after, found))
            return _own(statement).joined(sides)
        case ir.Block(body=body):
            found[id(statement)] = after
            return after.joined(_walked(body, after, found))
    return after.joined(_own(statement))


def _own(statement: ir.Statement) -> Ahead:
    reads = frozenset(
        (part.source, part.index)
        for expression in expressions(statement)
        for part in ir.subexpressions(expression)
        if isinstance(part, ir.Element)
    )
    match statement:
        case ir.Assign(target=target, value=value):
            return Ahead(frozenset({(target, value)}), reads)
        case ir.Draw(target=target):
            return Ahead(frozenset({(target, None)}), reads)
        case ir.Choose(target=target, index=index):
            return Ahead(frozenset({(target, None), (index, None)}), reads)
    return Ahead(reads=reads)


@dataclass
class Alive:
    """Says of a state which entries it may still read.

    ``lists`` are those of which some may be forgotten, ``live`` the variables that may be read as they are.
    """

    ahead: Ahead
    lists: Collection[str]
    live: Collection[str]
    known: dict[object, dict[str, Indices]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.reads = [item for item in self.ahead.reads if item[0] in self.lists]
        self.names = sorted(self._needed())
        self.assigned = [item for item in self.ahead.assigned if item[0] in self.names]

    def _needed(self) -> set[str]:
        """The variables that indices are made of, by way of what is assigned to them."""
        found = {name for _, index in self.reads for name in names(index)}
        while (
            more := {
                name
                for target, value in self.ahead.assigned
                if target in found and value is not None
                for name in names(value)
            }
            - found
        ):
            found |= more
        return found

    def forget(self, states: Iterable[State]) -> None:
        """Empty the entries that states can't read any more."""
        if self.lists:
            for state in states:
                self._forget(state)

    def _forget(self, state: State) -> None:
        if not any(state.lists.get(name) for name in self.lists):
            return
        alive = self._alive(state)
        for name in self.lists:
            rows = state.lists.get(name, ())
            kept = alive.get(name, Indices())
            if any(row and place not in kept for place, row in enumerate(rows)):
                fewer: tuple[Entry, ...] = ()
                for place, row in enumerate(rows):
                    fewer = with_entry(fewer, row if place in kept else ())
                state.lists[name] = fewer

    def _alive(self, state: State) -> dict[str, Indices]:
        key = tuple(state.values.get(name) if name in self.live else None for name in self.names)
        found = self.known.get(key)
        if found is None:
            values = self._values(dict(zip(self.names, key, strict=True)))
            found = {}
            for name, index in self.reads:
                found[name] = found.get(name, Indices()).joined(_indices(index, values))
            self.known[key] = found
        return found

    def _values(self, now: Mapping[str, Value | None]) -> dict[str, Indices]:
        """All values that the variables may have from now on."""
        values = {name: Indices() if value is None else _single(value) for name, value in now.items()}
        rounds = 0
        while True:
            before = dict(values)
            for target, value in self.assigned:
                got = _ALL if value is None else _indices(value, before)
                values[target] = values[target].joined(got)
            if values == before:
                return values
            rounds += 1
            if rounds > _EXACT_ROUNDS:
                values = {name: _grown(before[name], values[name], rounds) for name in values}


def _single(value: Value) -> Indices:
    return Indices(frozenset({value})) if type(value) is int else _ALL


def _grown(before: Indices, after: Indices, rounds: int) -> Indices:
    """What grew is taken to grow for ever; where that isn't the end of it, it may be anything."""
    if rounds > _MAX_ROUNDS and before != after:
        return _ALL
    new = after.some - before.some
    return after.joined(Indices(first=min(new))) if new else after


def _indices(index: ir.Expression, values: Mapping[str, Indices]) -> Indices:
    """The values that an expression may have."""
    match index:
        case ir.Constant(value=int(number)):
            return Indices(frozenset({number}))
        case ir.Variable(name=name):
            return values.get(name, _ALL)
        case ir.Operation(
            operator=ir.Operator.ADD,
            operands=(part, ir.Constant(value=int(step))) | (ir.Constant(value=int(step)), part),
        ):
            return _indices(part, values).moved(step)
        case ir.Operation(operator=ir.Operator.SUBTRACT, operands=(part, ir.Constant(value=int(step)))):
            return _indices(part, values).moved(-step)
        case ir.Operation(operator=ir.Operator.IF, operands=(_, then, otherwise)):
            return _indices(then, values).joined(_indices(otherwise, values))
    return _ALL
