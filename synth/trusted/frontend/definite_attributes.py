"""Attributes have values where they are read, and lists with two names are one list."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from synth.trusted.frontend import flattening
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions


def mention(name: str, shape: ir.Shape) -> ir.Expression | None:
    """Something true that reads the attribute of that name; None where nothing is kept of its value.

    Where it is read without being assigned Python raises, whatever is asked of it.
    """
    read: list[ir.Expression] = [ir.Variable(*item) for item in flattening.components(name, shape)]
    read += [ir.Length(name)] if isinstance(shape, ir.ListShape) else []
    return next((ir.Operation(ir.Operator.EQUAL, (item, item), ir.Sort.BOOL) for item in read), None)


State = frozenset[str] | None
"""The variables that have a value for sure; None where control can't come."""


def unassigned(body: tuple[ir.Statement, ...], places: Collection[str]) -> Iterator[tuple[str, ir.Span]]:
    """Give the attributes of objects that may be read before they are assigned, with a place behind it."""
    flow = _Flow(frozenset(places))
    flow.body(body, frozenset())
    yield from flow.found.items()


@dataclass
class _Flow:
    places: frozenset[str]
    found: dict[str, ir.Span] = field(default_factory=dict)
    exits: dict[str, list[State]] = field(default_factory=dict)
    last: ir.Span = field(default=ir.Span(1, 1))

    def body(self, body: tuple[ir.Statement, ...], state: State) -> State:
        """The state behind the statements."""
        for statement in body:
            if state is None:
                return None
            state = self._statement(statement, state)
        return state

    def _statement(self, statement: ir.Statement, state: frozenset[str]) -> State:
        self.last = getattr(statement, "span", self.last)
        match statement:
            case ir.If(then=then, otherwise=otherwise):
                self._read(statement, state)
                return _meet((self.body(then, state), self.body(otherwise, state)))
            case ir.Block(label=label, body=inner):
                outer = self.exits.pop(label, [])
                end = self.body(inner, state)
                left = self.exits.pop(label, [])
                self.exits[label] = outer
                return _meet((end, *left))
            case ir.Loop(body=inner):
                self.body(inner, state)
                return None
            case ir.Exit(label=label):
                self.exits.setdefault(label, []).append(state)
                return None
            case ir.Return():
                self._read(statement, state)
                return None
            case ir.Assign(target=target) | ir.Draw(target=target) | ir.Choose(target=target):
                self._read(statement, state)
                return state | {target}
            case ir.NewList(target=target):
                return state | {target}
        self._read(statement, state)
        return state

    def _read(self, statement: ir.Statement, state: frozenset[str]) -> None:
        names = {name for expression in expressions(statement) for name in _names(expression)}
        names |= set(statement.lists) if isinstance(statement, ir.Return) else set()
        names |= {statement.target} if isinstance(statement, ir.Append) else set()
        for name in sorted(names - state):
            if name.partition(".")[0] in self.places:
                self.found.setdefault(name, self.last)


def _names(expression: ir.Expression) -> Iterator[str]:
    for part in ir.subexpressions(expression):
        match part:
            case ir.Variable(name) | ir.Length(name) | ir.Element(source=name):
                yield name


def _meet(states: Iterable[State]) -> State:
    known = [state for state in states if state is not None]
    return frozenset.intersection(*known) if known else None


def remade(
    body: tuple[ir.Statement, ...], names: Collection[str], emptied: Collection[tuple[str, ir.Span]]
) -> Iterator[tuple[str, ir.Span]]:
    """Give those lists that are made in more than one place, besides where they are emptied."""
    places: dict[str, list[ir.Span]] = {}
    for statement in ir.statements(body):
        if not isinstance(statement, ir.NewList) or statement.target not in names:
            continue
        if (statement.target, statement.span) not in emptied:
            places.setdefault(statement.target, []).append(statement.span)
    yield from ((name, spans[-1]) for name, spans in places.items() if len(spans) > 1)
