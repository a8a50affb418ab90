"""Statements of which nothing is seen: lists that nobody asks for, and loops that only count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from synth.trusted.program import syntax as ir
from synth.trusted.program.counted_loops import counting
from synth.trusted.program.dataflow import assigned, expressions, length_name, names, with_blocks

Body = tuple[ir.Statement, ...]


def without_idle(body: Body) -> Body:
    """The body without lists that are not read, and without loops that end and whose variables are not.

    What is left out draws nothing, and goes where control would go anyway; what it asks for is asked before.
    """
    if not any(isinstance(item, ir.Choose) for item in ir.statements(body)):
        return body
    body = _without_lists(frozenset(_read(body)), body)
    while (less := _without_loops(Counter(_read(body)), body)) != body:
        body = less
    return body


def _read(body: Body) -> Iterator[str]:
    """Variables, and lists by the names of their lengths, as often as they are asked for."""
    for statement in ir.statements(body):
        if isinstance(statement, ir.Return):
            yield from map(length_name, statement.lists)
        if isinstance(statement, ir.Loop) and statement.count is not None:
            yield from names(statement.count)
        for expression in expressions(statement):
            yield from names(expression)


def _without_lists(read: frozenset[str], body: Body) -> Body:
    result: list[ir.Statement] = []
    for statement in body:
        other = with_blocks(statement, lambda inner: _without_lists(read, inner))
        match other:
            case ir.NewList(name) | ir.Append(name) if length_name(name) not in read:
                pass
            case ir.If(then=(), otherwise=()) if other != statement:
                pass
            case _:
                result.append(other)
    return tuple(result)


def _without_loops(read: Counter[str], body: Body) -> Body:
    """``read`` says how often variables are read in the whole program."""
    result: list[ir.Statement] = []
    for statement in body:
        if _is_idle(statement, read):
            result += (item for item in ir.statements((statement,)) if isinstance(item, ir.Obligation))
        else:
            result.append(with_blocks(statement, lambda inner: _without_loops(read, inner)))
    return tuple(result)


def _is_idle(statement: ir.Statement, read: Counter[str]) -> bool:
    """Whether a loop counts up to its end, assigns, and nothing outside of it reads what it assigns.

    Nor does what it asks for.
    """
    match statement:
        case ir.Block(label, (ir.Loop(body=(ir.If(then=(ir.Exit(left),)), *rest)) as loop,)):
            inside = tuple(ir.statements(tuple(rest)))
            simple = all(isinstance(item, ir.Assign | ir.If | ir.Obligation) for item in inside)
            asks = all(item in rest for item in inside if isinstance(item, ir.Obligation))
            own, times = assigned((statement,)), Counter(_read((statement,)))
            asked = {
                name for item in inside if isinstance(item, ir.Obligation) for name in names(item.condition)
            }
            unseen = all(times[name] == read[name] for name in own) and not own & asked
            return left == label and simple and asks and unseen and counting(loop) is not None
        case _:
            return False
