"""Loops over indices that change the entry of an array at their own index, and no other one.

``for i in range(n): a[i] = e`` appends the new entries to a list of its own: in each iteration a variable,
the cell, has the entry, and is appended at the end.  Entries that the loop doesn't come to stay as they were.
Behind the loop the name stands for the array with these entries.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from synth.trusted.errors import Refusal
from synth.trusted.frontend import array_changes, array_names, arrays, store
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.values import UNSET, ArrayValue, Cell, ScalarValue, Value, unset
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

Bounds = tuple[ir.Expression, ir.Expression]


def begin(
    context: Context, loop: ast.For, bounds: Bounds | None, label: str, read: Sequence[str] = ()
) -> list[Cell]:
    """Begin the lists of new entries of a loop that ``break`` leaves by a label.  Raises ProgramError.

    ``bounds`` are those of the index; ``read`` are the owners of the arrays that the loop runs over.
    """
    found = [
        (name, before)
        for name in sorted(_changed(loop))
        if array_changes.element_index(loop, name) is not None
        if (before := array_names.named(context, name)) is not None
    ]
    if found and bounds is None:
        message = "entries of an array can only be assigned in a loop over a range, a list or an array"
        raise context.error(loop, Refusal.UNSUPPORTED_ARRAY, message)
    for name, before in found:
        if before.owner and list(read).count(before.owner) != _directly(loop, name):
            message = "the array is changed while a loop runs over a part of it"
            raise context.error(loop, Refusal.LIST_CHANGED_IN_LOOP, message)
    if bounds is None:
        return []
    return [_begin(context, loop, name, before, bounds, label) for name, before in found]


def _directly(loop: ast.For, name: str) -> int:
    """How often a loop runs over an array itself, whose entry at an index is read before it is assigned."""
    match loop.iter:
        case ast.Call(args=[ast.Call(func=ast.Name(id="zip"), args=parts)]) | ast.Call(args=parts):
            return sum(isinstance(part, ast.Name) and part.id == name for part in parts)
        case _:
            return 0


def _changed(loop: ast.For) -> set[str]:
    stored = (
        part
        for part in ast.walk(loop)
        if isinstance(part, ast.Subscript) and not isinstance(part.ctx, ast.Load)
    )
    return {name for part in stored if (name := array_changes.root(part)) is not None}


def _begin(
    context: Context, loop: ast.For, name: str, before: ArrayValue, bounds: Bounds, label: str
) -> Cell:
    first, end = bounds
    span = context.source.span(loop)
    if before.noise is not None or before.mask is not None:
        before = array_names.settled(context, before, loop)
    entries = context.temporary(arrays.STEM)
    owner = f"{UNSET}." if before.entry == unset(before.entry.sort) else context.scope.prefix
    cell = ir.Variable(context.temporary(f"{owner}{name}"), before.entry.sort)
    context.emit(ir.NewList(entries, span))
    made = Cell(name, before, entries, cell, first == builders.ZERO and end == before.length, label)
    if first != builders.ZERO:
        least = builders.arithmetic(ir.Operator.MINIMUM, first, before.length)
        _keep(context, made, builders.ZERO, arrays.number(context, least, loop), loop)
    return made


def enter(context: Context, cells: Sequence[Cell], index: Value, node: Located) -> None:
    """Begin an iteration: the cells have the old entries, at an index that is shown to be one."""
    span = context.source.span(node)
    for cell in cells:
        place = context.numeric(index, node)
        inside = builders.less(place, cell.before.length)
        needed = builders.both(builders.less_equal(builders.ZERO, place), inside)
        context.require("index", needed, "index out of range", node)
        if not cell.variable.name.startswith(f"{UNSET}."):
            context.emit(ir.Assign(cell.variable.name, arrays.at(context, cell.before, place), span))
        context.scope.cells[cell.name] = cell


def leave(context: Context, cells: Sequence[Cell], node: Located) -> None:
    """End an iteration: the entries are appended."""
    for cell in cells:
        store.append(context, cell.entries, ScalarValue(cell.variable), node)


def finish(context: Context, loop: ast.For, cells: Sequence[Cell]) -> None:
    """Let the names stand for the arrays with the new entries, and with the old ones behind them."""
    left = any(_breaks(statement) for statement in loop.body)
    for cell in cells:
        context.scope.cells.pop(cell.name, None)
        if not context.inference.entries(cell.entries):  # no iteration comes to its end
            continue
        if left or not cell.whole:
            _keep(context, cell, ir.Length(cell.entries), cell.before.length, loop)
        length = cell.before.length if arrays.is_stable(context, cell.before) else ir.Length(cell.entries)
        array = arrays.of_list(context, cell.entries, length)
        target = ast.copy_location(ast.Name(cell.name, ast.Store()), loop)
        array_names.bind(context, target, replace(array, owner=cell.before.owner))


def _keep(context: Context, cell: Cell, first: ir.Expression, end: ir.Expression, node: Located) -> None:
    """Append the entries that stay, from one index to another."""

    def append(index: ir.Expression) -> None:
        store.append(context, cell.entries, ScalarValue(arrays.at(context, cell.before, index)), node)

    arrays.each(context, end, append, context.source.place(node), first)


def _breaks(node: ast.stmt) -> bool:
    """Whether a statement may leave the loop that it stands in."""
    match node:
        case ast.Break():
            return True
        case ast.For(orelse=inner) | ast.While(orelse=inner):
            return any(map(_breaks, inner))
        case ast.If(body=body, orelse=orelse):
            return any(map(_breaks, (*body, *orelse)))
        case _:
            return False


# --- uses of the entry ------------------------------------------------------------------


def cell_of(context: Context, node: ast.expr) -> Cell | None:
    """The cell that ``name[index]`` is, inside of such a loop."""
    match node:
        case ast.Subscript(value=ast.Name(id=name)):
            return context.scope.cells.get(name)
        case _:
            return None


def close(context: Context, label: str, node: Located) -> None:
    """Append the entries of the iteration in which a loop is left."""
    leave(context, [cell for cell in context.scope.cells.values() if cell.label == label], node)
