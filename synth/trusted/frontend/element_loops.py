"""Loops over indices that change the entry of an array or list at their own index, and no other one.

``for i in range(n): a[i] = e`` appends the new entries to a list of its own: in each iteration a variable,
the cell, has the entry, and is appended at the end.  Entries that the loop doesn't come to stay as they were.
Behind the loop the name stands for the array with these entries.

So it is with a list of numbers, which keeps its old entries until the loop ends: nothing else may ask for
them meanwhile.  A mechanism's parameter is changed so only if each run returns it.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from synth.trusted.errors import Refusal
from synth.trusted.frontend import (
    argument_changes,
    array_changes,
    array_names,
    arrays,
    entries,
    fixed_lists,
    store,
)
from synth.trusted.frontend.context import Context, Hidden
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.values import (
    UNSET,
    ArrayValue,
    Cell,
    ListValue,
    ParameterValue,
    RecordsValue,
    ScalarValue,
    Value,
    unset,
)
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions

Bounds = tuple[ir.Expression, ir.Expression]


def begin(
    context: Context, loop: ast.For, bounds: Bounds | None, label: str, read: Sequence[str] = ()
) -> list[Cell]:
    """Begin the lists of new entries of a loop that ``break`` leaves by a label.  Raises ProgramError.

    ``bounds`` are those of the index; ``read`` are the owners of the arrays that the loop runs over.
    """
    changed = [name for name in sorted(_changed(loop)) if array_changes.element_index(loop, name) is not None]
    arrays_ = [(name, before) for name in changed if (before := array_names.named(context, name)) is not None]
    if arrays_ and bounds is None:
        message = "entries of an array can only be assigned in a loop over a range, a list or an array"
        raise context.error(loop, Refusal.UNSUPPORTED_ARRAY, message)
    if bounds is None:
        return []
    lists = [(name, found) for name in changed if (found := _list(context, loop, name)) is not None]
    owners = [before.owner for _, before in lists]
    for name, before in [*arrays_, *lists]:
        if owners.count(before.owner) > 1:
            message = f"the list '{name}' has another name in the loop that changes it: use one name"
            raise context.error(loop, Refusal.ALIASING, message)
        if before.owner and list(read).count(before.owner) != _directly(loop, name):
            message = "the array is changed while a loop runs over a part of it"
            raise context.error(loop, Refusal.LIST_CHANGED_IN_LOOP, message)
    return [
        *(_begin(context, loop, name, before, bounds, label) for name, before in arrays_),
        *(_begin(context, loop, name, before, bounds, label, before.owner) for name, before in lists),
    ]


def _list(context: Context, loop: ast.For, name: str) -> ArrayValue | None:
    """The entries of a list of numbers that has only that name here; its owner is the list, or parameter."""
    scope = context.scope
    value, local = scope.bindings.get(name), scope.local(name)
    if value is None and local is not None and context.inference.shape(local) == ir.ListShape():
        value = ListValue(context.list_name(local))
    match value:
        case ListValue(source):
            free = source not in context.shared and source.partition(".")[0] not in context.places
            free = free and isinstance(arrays.entry_value(context, value), ScalarValue)
        case ParameterValue(ir.Parameter(name=source)) | RecordsValue(name=source, present=None):
            assert scope.function is not None
            is_own = scope.caller is None and _is_at_top(context, loop)
            free = is_own and argument_changes.is_returned(scope.function, name)
            free = free and value not in context.references.values() and source not in context.shared
        case _:
            return None
    if not free or source in context.iterating or fixed_lists.is_fixed_list(context, name):
        return None
    if any(isinstance(part, ast.Return | ast.Yield) for part in ast.walk(loop)):
        return None
    if not isinstance(value, ListValue):
        context.changed_given[name] = loop
    whole = arrays.from_value(context, value, loop)
    return None if whole is None else replace(whole, owner=source)


def _is_at_top(context: Context, loop: ast.For) -> bool:
    """Whether a loop is in no branch and no other loop of its function."""
    function = context.scope.function
    return function is not None and any(loop is part for part in function.node.body)


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
    context: Context,
    loop: ast.For,
    name: str,
    before: ArrayValue,
    bounds: Bounds,
    label: str,
    source: str = "",
) -> Cell:
    first, end = bounds
    span = context.source.span(loop)
    if before.noise is not None or before.mask is not None:
        before = array_names.settled(context, before, loop)
    new = context.temporary("list" if source else Hidden.ARRAY)
    owner = f"{UNSET}." if _is_unset(before) else context.scope.prefix
    cell = ir.Variable(context.temporary(f"{owner}{name}"), before.entry.sort)
    context.emit(ir.NewList(new, span))
    made = Cell(name, before, new, cell, first == builders.ZERO and end == before.length, label, source)
    if first != builders.ZERO:
        least = builders.arithmetic(ir.Operator.MINIMUM, first, before.length)
        _keep(context, made, builders.ZERO, arrays.number(context, least, loop), loop)
    return made


def _is_unset(array: ArrayValue) -> bool:
    """Whether no entry of an array was assigned."""
    return array.entry == unset(array.entry.sort)


def enter(context: Context, cells: Sequence[Cell], index: Value, node: Located) -> None:
    """Begin an iteration: the cells have the old entries, at an index that is shown to be one."""
    span = context.source.span(node)
    for cell in cells:
        place = context.numeric(index, node)
        inside = builders.less(place, cell.before.length)
        needed = builders.both(builders.less_equal(builders.ZERO, place), inside)
        context.require("index", needed, "index out of range", node)
        if cell.source:
            put(context, cell, ScalarValue(arrays.at(context, cell.before, place)), node)
        elif not _is_unset(cell.before):
            context.emit(ir.Assign(cell.variable.name, arrays.at(context, cell.before, place), span))
        context.scope.cells[cell.name] = cell


def check_body(context: Context, cells: Sequence[Cell], start: int, node: Located) -> None:
    """Refuse an iteration that asks for entries of a list by another name, or changes them: they are old.

    Its statements are those from ``start`` on.  Raises ProgramError.
    """
    body = tuple(ir.statements(tuple(context.body[start:])))
    for cell in cells:
        own = {name for part in ir.subexpressions(cell.before.entry) if (name := _read_in(part)) is not None}
        asked = (part for item in body for whole in expressions(item) for part in ir.subexpressions(whole))
        changed = any(isinstance(item, ir.NewList | ir.Append) and item.target in own for item in body)
        if cell.source and (changed or any(_read_in(part) in own for part in asked)):
            message = f"the list '{cell.name}' has another name in the loop that changes it: use one name"
            raise context.error(node, Refusal.ALIASING, message)


def _read_in(part: ir.Expression) -> str | None:
    """The list or parameter of which an expression is an entry."""
    match part:
        case ir.Element(source=name) | ir.Read(name):
            return name
        case _:
            return None


def leave(context: Context, cells: Sequence[Cell], node: Located) -> None:
    """End an iteration: the entries are appended."""
    for cell in cells:
        store.append(context, cell.entries, read(context, cell, node), node)


def finish(context: Context, loop: ast.For, cells: Sequence[Cell]) -> None:
    """Let the names stand for the arrays with the new entries, and with the old ones behind them."""
    left = any(_breaks(statement) for statement in loop.body)
    for cell in cells:
        context.scope.cells.pop(cell.name, None)
        if not context.inference.entries(cell.entries):  # no iteration comes to its end
            continue
        if left or not cell.whole:
            _keep(context, cell, ir.Length(cell.entries), cell.before.length, loop)
        if cell.source:
            _put_back(context, cell, loop)
            continue
        length = cell.before.length if arrays.is_stable(context, cell.before) else ir.Length(cell.entries)
        array = arrays.of_list(context, cell.entries, length)
        target = ast.copy_location(ast.Name(cell.name, ast.Store()), loop)
        array_names.bind(context, target, replace(array, owner=cell.before.owner))


def _put_back(context: Context, cell: Cell, loop: ast.For) -> None:
    """Let the list have the new entries, for all that refer to it."""
    scope, name = context.scope, cell.name
    given = name in scope.bindings and name not in scope.renewed
    if _is_at_top(context, loop) and (not given or not isinstance(scope.bindings[name], ListValue)):
        scope.bindings[name] = ListValue(cell.entries)
        scope.renewed.add(name)
        return

    def append(index: ir.Expression) -> None:
        store.append(context, cell.source, entries.entry(context, loop.iter, cell.entries, index), loop)

    store.empty(context, cell.source, loop)
    arrays.each(context, ir.Length(cell.entries), append, context.source.place(loop))


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


def read(context: Context, cell: Cell, node: Located) -> Value:
    """The entry as it is now: of a list it may have become real."""
    if cell.source:
        return context.read(cell.variable.name, node, cell.name)
    return ScalarValue(cell.variable)


def put(context: Context, cell: Cell, value: Value, node: Located) -> None:
    """Assign the entry of a list.  Raises ProgramError for what is no entry of one."""
    store.move(context, store.store(context, cell.variable.name, value, node, cell.name), node)


def close(context: Context, label: str, node: Located) -> None:
    """Append the entries of the iteration in which a loop is left."""
    leave(context, [cell for cell in context.scope.cells.values() if cell.label == label], node)
