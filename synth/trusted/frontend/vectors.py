"""Noise around a whole list: one independent draw per entry, appended to a list of its own.

``laplace(xs, s)`` is read as the loop ``for x in xs: ys.append(laplace(x, s))`` over a fresh list ``ys``;
around a list display, whose length is known, the draws stand one after the other.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import layout, records, store, values
from synth.trusted.frontend.context import Context, Hidden
from synth.trusted.frontend.inference import UnresolvedError
from synth.trusted.frontend.values import (
    ListLiteral,
    ListValue,
    ParameterValue,
    RecordsValue,
    ScalarValue,
    Value,
)
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions
from synth.trusted.program.flow import finish_block

Noise = Callable[[ir.Expression], Value]
"""Emits one draw around a number, and gives its value."""


Entry = Callable[[ir.Expression], ir.Expression]
"""The entry at an index, as a number."""


def is_list(value: Value) -> bool:
    """Whether a value has entries that each get noise."""
    match value:
        case ListValue() | ListLiteral() | RecordsValue():
            return True
        case ParameterValue(parameter):
            return parameter.kind is ir.ParameterKind.SEQUENCE
        case _:
            return False


def is_drawn(context: Context, name: str) -> bool:
    """Whether a list is the one that noise around another list was drawn into."""
    return context.is_made_as(name, Hidden.VECTOR)


def around(context: Context, node: ast.Call, center_node: ast.expr, center: Value, noise: Noise) -> Value:
    """The list of noisy entries; ``center_node`` is where the centre stands, for messages.

    Raises ProgramError if the entries are no numbers.
    """
    match center:
        case ListLiteral(items):
            return _in_turn(context, center_node, items, noise)
        case ParameterValue(ir.Parameter(name=name)) | ListValue(name):
            return _loop(context, node, name, partial(_entry, context, center_node, center), noise)
        case RecordsValue(present=None, is_tuple=False):
            numbers = partial(_entry, context, center_node, center)
            return _loop(context, node, center.columns[0].name, numbers, noise)
        case RecordsValue():
            message = "noise around a list of records is not supported: draw in a loop over its numbers"
            if center.present is not None:
                message = "the number of draws would be the number of records, which is private"
            raise context.error(center_node, Refusal.NOISE_AROUND_LIST, message)
        case _:
            raise AssertionError("no list")


def named(context: Context, target: str, value: Value, node: ast.expr) -> Value:
    """The value; noise that the last statements drew into a hidden list is drawn into ``target`` itself.

    Raises ProgramError if it is noise around ``target``, which is still needed then.
    """
    match value, context.body[-3:]:
        case ListValue(hidden, fresh=True), [ir.NewList(target=made) as new, counter, loop] if made == hidden:
            if not is_drawn(context, hidden):
                return value
            store.check_not_iterating(context, target, node, "reassigned")
            if target in _read(loop):
                raise context.error(
                    node,
                    Refusal.NOISE_AROUND_LIST,
                    "a list can't be replaced by noise around it; use another name",
                )
            alternatives = context.inference.add_entries(target, context.inference.entries(hidden))
            moved = _into(target, alternatives, loop)
            context.body[-3:] = [replace(new, target=target), counter, moved]
            context.changed_lists.append(target)
            return ListValue(target)
        case _:
            return value


def _in_turn(context: Context, node: ast.expr, items: tuple[Value, ...], noise: Noise) -> Value:
    numbers = [_number(context, node, item) for item in items]
    sort = ir.Sort.REAL if any(number.sort is ir.Sort.REAL for number in numbers) else ir.Sort.INT
    return ListLiteral(tuple(noise(builders.convert(number, sort)) for number in numbers))


def _loop(context: Context, node: ast.Call, name: str, entry: Entry, noise: Noise) -> Value:
    span = context.source.span(node)
    result, label = context.temporary(Hidden.VECTOR), f"break%{context.number()}"
    counter = ir.Variable(context.temporary("loop"), ir.Sort.INT)
    context.emit(ir.NewList(result, span))
    context.emit(ir.Assign(counter.name, builders.ZERO, span))
    with context.nested() as inside:
        ended = builders.negate(builders.less(counter, ir.Length(name)))
        context.emit(ir.If(0, ended, (ir.Exit(label, span),), (), span))
        store.append(context, result, noise(entry(counter)), node)
        context.emit(ir.Assign(counter.name, builders.add(counter, builders.ONE), span))
    loop = ir.Loop(0, tuple(inside), span, counter.name, ir.Length(name))
    context.body.extend(finish_block(label, (loop,)))
    return ListValue(result, fresh=True)


def _entry(context: Context, node: ast.expr, center: Value, index: ir.Expression) -> ir.Expression:
    """An entry of a sequence or local list, as a number."""
    match center:
        case ParameterValue(parameter):
            return _number(context, node, ScalarValue(ir.Read(parameter.name, (index,), parameter.sort)))
        case RecordsValue():
            return _number(context, node, records.entry(center, index))
        case ListValue(name):
            alternatives = context.inference.entries(name)
            value = layout.decode(name, index, alternatives)
            if value is not None:
                return _number(context, node, value)
            if alternatives:
                raise UnresolvedError(_refused(context, node, "entries of several shapes"))
    raise UnresolvedError(context.error(node, Refusal.TYPE_UNKNOWN, "nothing is ever appended to this list"))


def _number(context: Context, node: ast.expr, value: Value) -> ir.Expression:
    """An entry as the centre of a draw.  Raises ProgramError unless it is a number."""
    if isinstance(value, ScalarValue) and value.expression.sort is not ir.Sort.BOOL:
        return value.expression
    words = {
        values.TupleValue: "tuples",
        ListValue: "lists",
        ListLiteral: "lists",
        ScalarValue: "truth values",
    }
    raise _refused(context, node, words.get(type(value), "entries that may be None"))


def _refused(context: Context, node: ast.expr, entries: str) -> ProgramError:
    message = f"noise around a list of {entries} is not supported: its entries must be numbers"
    return context.error(node, Refusal.NOISE_AROUND_LIST, message)


def _read(statement: ir.Statement) -> set[str]:
    """The lists that a statement reads."""
    found: set[str] = set()
    for part in ir.statements((statement,)):
        for expression in expressions(part):
            for inner in ir.subexpressions(expression):
                match inner:
                    case ir.Element(source=name) | ir.Length(sequence=name):
                        found.add(name)
    return found


def _into(target: str, alternatives: ir.Alternatives, statement: ir.Statement) -> ir.Statement:
    """The statement, with the number that it appends in ``target``, whose entries have those shapes."""
    match statement:
        case ir.Append(values=(number,)):
            return replace(statement, target=target, values=layout.encode(ScalarValue(number), alternatives))
        case ir.Block(body=body) | ir.Loop(body=body):
            return replace(statement, body=tuple(_into(target, alternatives, inner) for inner in body))
        case _:
            return statement
