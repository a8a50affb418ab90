"""A program without loops and lists, where their sizes are plain numbers.

Each round of a loop is written out, each entry of a list becomes a variable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from synth.trusted.normal_form.decision_trees import ONE, ZERO, Intractable, fork
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, with_expressions
from synth.trusted.program.linear_forms import linear
from synth.trusted.program.substitution import mapped

MAX_STATEMENTS = 400
"""Statements that are written out, at the most."""


@dataclass(frozen=True)
class _Known:
    """What is known on the way to a statement: variables that are numbers, and the lengths of lists."""

    numbers: Mapping[str, ir.Constant]
    lengths: Mapping[str, int]

    def setting(self, name: str, value: ir.Constant | None) -> _Known:
        rest = {other: item for other, item in self.numbers.items() if other != name}
        return replace(self, numbers=rest if value is None else {**rest, name: value})

    def joined(self, other: _Known | None) -> _Known:
        """What is known where two ways meet.  Raises Intractable for lists of different lengths."""
        if other is None:
            return self
        if self.lengths != other.lengths:
            raise Intractable
        same = {name: value for name, value in self.numbers.items() if other.numbers.get(name) == value}
        return replace(self, numbers=same)


def unfolded(mechanism: ir.Mechanism) -> Body:
    """The body without loops and lists; what is returned of a list are its entries.

    Raises Intractable where sizes are no numbers, or there are too many statements.
    """
    unfolder = _Unfolder(mechanism.lists)
    body, _ = unfolder.body(mechanism.body, _fixed(mechanism))
    if len(unfolder.shapes) > 1:
        raise Intractable
    return body


def _fixed(mechanism: ir.Mechanism) -> _Known:
    """The lengths and integer parameters that ``requires`` says are numbers: no other inputs count."""
    public = {item.name for item in mechanism.parameters if item.metric is None}
    known = _Known({}, {})
    for item in tuple(builders.conjuncts(mechanism.requires)) * 2:
        if isinstance(item, ir.Operation) and item.operator is ir.Operator.EQUAL:
            left, right = (linear(_expression(side, known)) for side in item.operands)
            gap = left.plus(right, -1)
            match [*gap.parts.items()]:
                case [(ir.Length(sequence=name), 1 | -1 as times)] if name not in mechanism.lists:
                    known = replace(known, lengths={**known.lengths, name: -gap.constant * times})
                case [(ir.Variable(name=name, sort=ir.Sort.INT), 1 | -1 as times)] if name in public:
                    known = known.setting(name, builders.integer(-gap.constant * times))
    return known


@dataclass
class _Unfolder:
    """``exits`` is what is known where blocks are left, ``shapes`` are the lengths of returned lists."""

    lists: Mapping[str, ir.ListType]
    exits: dict[str, _Known] = field(default_factory=dict)
    shapes: set[tuple[int, ...]] = field(default_factory=set)
    written: int = 0

    def body(self, body: Body, known: _Known | None) -> tuple[Body, _Known | None]:
        """The statements up to where control can't come; what is known behind them, None if it can't."""
        result: list[ir.Statement] = []
        for statement in body:
            if known is None:
                break
            self.written += 1
            if self.written > MAX_STATEMENTS:
                raise Intractable
            more, known = self._statement(statement, known)
            result += more
        return tuple(result), known

    def _statement(self, statement: ir.Statement, known: _Known) -> tuple[Body, _Known | None]:
        match statement:
            case ir.Assign(target=target, value=value):
                value = _expression(value, known)
                number = value if isinstance(value, ir.Constant) and value.sort is ir.Sort.INT else None
                return (replace(statement, value=value),), known.setting(target, number)
            case ir.Choose(target=target):
                choice = with_expressions(statement, lambda item: _expression(item, known))
                return (choice,), known.setting(target, None)
            case ir.Obligation(condition=condition):
                return (replace(statement, condition=_expression(condition, known)),), known
            case ir.NewList(target=target):
                return (), replace(known, lengths={**known.lengths, target: 0})
            case ir.Append():
                return self._append(statement, known)
            case ir.If():
                return self._branch(statement, known)
            case ir.Block(label=label, body=inner):
                around = self.exits.pop(label, None)
                inner, behind = self.body(inner, known)
                left = self.exits.pop(label, None)
                if around is not None:
                    self.exits[label] = around
                after = behind if left is None else left.joined(behind)
                return (replace(statement, body=inner),), after
            case ir.Loop():
                return self._loop(statement, known)
            case ir.Exit(label=label):
                self.exits[label] = known.joined(self.exits.get(label))
                return (statement,), None
            case ir.Return(values=values, lists=lists):
                self.shapes.add(tuple(known.lengths[name] for name in lists))
                entries = (item for name in lists for item in self._entries(name, known))
                plain = (*(_expression(item, known) for item in values), *entries)
                return (replace(statement, values=plain, lists=()),), None
            case _:
                raise Intractable

    def _append(self, statement: ir.Append, known: _Known) -> tuple[Body, _Known]:
        name, place = statement.target, known.lengths[statement.target]
        entries = tuple(
            ir.Assign(_entry(name, place, component), _expression(value, known), statement.span)
            for component, value in enumerate(statement.values)
        )
        return entries, replace(known, lengths={**known.lengths, name: place + 1})

    def _entries(self, name: str, known: _Known) -> tuple[ir.Expression, ...]:
        return tuple(
            ir.Variable(_entry(name, place, component), sort)
            for place in range(known.lengths[name])
            for component, sort in enumerate(self.lists[name].components)
        )

    def _branch(self, statement: ir.If, known: _Known) -> tuple[Body, _Known | None]:
        condition = _expression(statement.condition, known)
        decided = fork(condition, ONE, ZERO)
        if decided in (ONE, ZERO):
            return self.body(statement.then if decided == ONE else statement.otherwise, known)
        then, first = self.body(statement.then, known)
        otherwise, second = self.body(statement.otherwise, known)
        after = second if first is None else first.joined(second)
        return (replace(statement, condition=condition, then=then, otherwise=otherwise),), after

    def _loop(self, statement: ir.Loop, known: _Known | None) -> tuple[Body, None]:
        """Rounds until one is left for sure."""
        result: list[ir.Statement] = []
        while known is not None:
            before = known.numbers
            inner, known = self.body(statement.body, known)
            result += inner
            if known is not None and known.numbers == before:
                raise Intractable
        return tuple(result), None


def _expression(expression: ir.Expression, known: _Known) -> ir.Expression:
    """With numbers in place of what is known, and entries of lists as variables."""

    def change(item: ir.Expression) -> ir.Expression | None:
        match item:
            case ir.Variable(name=name):
                return known.numbers.get(name)
            case ir.Length(sequence=sequence) if sequence in known.lengths:
                return builders.integer(known.lengths[sequence])
            case ir.Element(source=source, index=index, component=component, sort=sort):
                place = linear(_expression(index, known))
                if place.parts or not 0 <= place.constant < known.lengths.get(source, 0):
                    raise Intractable
                return ir.Variable(_entry(source, int(place.constant), component), sort)
            case _:
                return None

    return _folded(mapped(expression, change))


def _folded(expression: ir.Expression) -> ir.Expression:
    if expression.sort is not ir.Sort.INT or isinstance(expression, ir.Constant | ir.Variable):
        return expression
    found = linear(expression)
    return expression if found.parts else builders.integer(int(found.constant))


def _entry(name: str, place: int, component: int) -> str:
    """A name that no variable has: hidden ones are ``temp%6.1``, for any number and component."""
    return f"%{name}[{place}].{component}"
