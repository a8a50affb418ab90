"""Loops: ``while`` and ``for`` as endless loops that an exit leaves."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from synth.trusted.errors import ProgramError
from synth.trusted.frontend import array_changes, dicts, element_loops, record_positions, store, targets
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.inference import UnresolvedError
from synth.trusted.frontend.iterables import is_builtin, iterable
from synth.trusted.frontend.iterations import (
    Entry,
    Iterable,
    Iteration,
    deeper,
    exit_label,
    leave_unless,
    remember,
    run,
    runs_through,
    written_out,
)
from synth.trusted.frontend.values import ArrayValue, ListValue, TupleValue, Value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.flow import finish_block, runs_on

Test = Callable[[Context, ast.expr], ir.Expression]


def while_loop(context: Context, node: ast.While, test: Test) -> None:
    """``while test: ...``"""
    counting = record_positions.counting_up(context, node)
    if counting is not None:
        for_loop(context, counting)
        return
    labels = _labels(context)
    with context.nested() as inside, deeper(context):
        going = test(context, node.test)
        leave_unless(context, going, _exit_label(node, labels), node)
        _body(context, node, labels)
    _finish(context, node, (ir.Loop(0, tuple(inside), context.source.span(node)),), labels)


def for_loop(context: Context, node: ast.For) -> None:
    """``for target in ...: ...``"""
    with context.writing_out(dicts.mentioned(context, node.body)):
        found = _iterable_or_none(context, node)
    iterable = written_out(context, found, node.body)
    labels = _labels(context)
    read = iterable.lists if isinstance(iterable, Iteration) else ()
    cells = element_loops.begin(context, node, _indices(context, node, iterable), labels[0], read)

    def each(entry: Entry) -> None:
        unrolled = isinstance(iterable, Iteration) and iterable.unrolled is not None
        value = _assign_target(context, node, entry, unrolled)
        if value is not None:
            record_positions.hold(context, node.target, value, node.body)
            element_loops.enter(context, cells, _first(value), node)
        start = len(context.body)
        _body(context, node, labels, unrolled and runs_through(node))
        element_loops.check_body(context, cells, start, node)
        if runs_on(context.body):
            element_loops.leave(context, cells, node)

    loop = run(context, node, node.target, iterable, each, _exit_label(node, labels))
    _finish(context, node, loop, labels)
    element_loops.finish(context, node, cells)


def _first(value: Value) -> Value:
    """The number of an iteration over a range or an enumeration."""
    return value.items[0] if isinstance(value, TupleValue) and value.items else value


def _indices(
    context: Context, node: ast.For, iterable: Iterable
) -> tuple[ir.Expression, ir.Expression] | None:
    """The bounds of the numbers that a loop over ``range`` or ``enumerate`` counts; None of another one."""
    if isinstance(iterable, Iteration) and isinstance(node.iter, ast.Call):
        if is_builtin(context, node.iter.func, "range"):
            return iterable.bounds
        if is_builtin(context, node.iter.func, "enumerate"):
            return builders.ZERO, iterable.count
    return None


def _labels(context: Context) -> tuple[str, str, str]:
    number = context.number()
    return f"break%{number}", f"continue%{number}", f"else%{number}"


def _exit_label(node: ast.For | ast.While, labels: tuple[str, str, str]) -> str:
    return labels[2] if node.orelse else labels[0]


def _body(
    context: Context, node: ast.For | ast.While, labels: tuple[str, str, str], straight: bool = False
) -> None:
    context.scope.loops.append(labels[:2])
    with context.nested(straight) as body:
        context.execute(context, node.body)
    context.scope.loops.pop()
    context.body.extend(finish_block(labels[1], body))


def _finish(
    context: Context, node: ast.For | ast.While, body: tuple[ir.Statement, ...], labels: tuple[str, str, str]
) -> None:
    if node.orelse:
        with context.nested() as after:
            context.body.extend(finish_block(labels[2], body))
            context.execute(context, node.orelse)
        body = tuple(after)
    context.body.extend(finish_block(labels[0], body))


def _assign_target(context: Context, node: ast.For, entry: Entry, unrolled: bool) -> Value | None:
    """Assign an entry to the target; None if there is something in the way."""
    try:
        value = entry()
        if isinstance(value, ArrayValue) and _is_only_read(context, node, value):
            value = replace(value, owner="")
        targets.assign(context, node.target, value)
        if unrolled:
            remember(context, node.target, value)
        return value
    except UnresolvedError as unresolved:
        context.unresolved.append(unresolved.error)
    except ProgramError as error:
        context.hinder(error)
    return None


def _is_only_read(context: Context, node: ast.For, row: ArrayValue) -> bool:
    """Whether rows that a loop runs over are used in it only, and neither they nor the array change there."""
    function, target = context.scope.function, node.target
    if function is None or not isinstance(target, ast.Name):
        return False
    owner = row.owner.removeprefix(context.scope.prefix)
    uses, inside = (
        sum(isinstance(part, ast.Name) and part.id == target.id for part in ast.walk(tree))
        for tree in (function.node, node)
    )
    changed = array_changes.is_changed_in_place(function, target.id) or any(
        array_changes.changes(node, owner)
    )
    return uses == inside and not changed


def collect(context: Context, node: ast.expr, iterable: Iterable) -> Value:
    """A new list of what a loop runs over."""
    name = context.temporary("list")
    store.make_list(context, name, (), node)
    copy_into(context, name, node, iterable)
    return ListValue(name, fresh=True)


def copy_into(context: Context, name: str, node: ast.expr, iterable: Iterable) -> None:
    """Append what a loop runs over to a list."""
    end = exit_label(context)

    def each(entry: Entry) -> None:
        store.append(context, name, entry(), node)

    emitted = run(context, node, node, iterable, each, end)
    context.body.extend(finish_block(end, emitted))


def _iterable_or_none(context: Context, node: ast.For) -> Iterable:
    try:
        return iterable(context, node.iter)
    except UnresolvedError as unresolved:
        error = unresolved.error
        context.unresolved.append(error)
    except ProgramError as obstacle:
        error = obstacle
        context.hinder(error)

    def unknown(counter: ir.Expression) -> Value:
        raise UnresolvedError(error)

    return Iteration(lambda counter: builders.FALSE, unknown, builders.ZERO)
