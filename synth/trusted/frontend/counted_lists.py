"""Lists of which nothing but the length is asked: a number counts what is appended."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import changed, expressions
from synth.trusted.program.substitution import mapped

Body = tuple[ir.Statement, ...]


def counted(body: Body) -> Body:
    """The body with an integer in the place of each local list whose entries are not read or returned."""
    lists = {item.target for item in ir.statements(body) if isinstance(item, ir.NewList)}
    return _counted(frozenset(lists - set(_looked_at(body))), body)


def _looked_at(body: Body) -> Iterator[str]:
    """The lists of which entries are read or returned."""
    for statement in ir.statements(body):
        if isinstance(statement, ir.Return):
            yield from statement.lists
        for expression in expressions(statement):
            yield from (part.source for part in ir.subexpressions(expression) if isinstance(part, ir.Element))


def _counted(lists: frozenset[str], body: Body) -> Body:
    change = partial(mapped, change=partial(_length, lists))
    return tuple(_statement(lists, changed(item, change, partial(_counted, lists))) for item in body)


def _statement(lists: frozenset[str], statement: ir.Statement) -> ir.Statement:
    match statement:
        case ir.NewList(name, span) if name in lists:
            return ir.Assign(_counter(name), builders.ZERO, span)
        case ir.Append(name, _, span) if name in lists:
            count = ir.Variable(_counter(name), ir.Sort.INT)
            return ir.Assign(count.name, builders.add(count, builders.ONE), span)
        case _:
            return statement


def _length(lists: frozenset[str], expression: ir.Expression) -> ir.Expression | None:
    match expression:
        case ir.Length(name) if name in lists:
            return ir.Variable(_counter(name), ir.Sort.INT)
        case _:
            return None


def _counter(name: str) -> str:
    return f"{name}.len"
