"""Entries of arrays that are assigned: the name stands for another array then, with these entries.

Entries stay of the array's type: a real in an array of integers is cut to an integer, as numpy does.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from synth.trusted.errors import Refusal
from synth.trusted.frontend import (
    arguments,
    arithmetic,
    array_calls,
    array_changes,
    array_items,
    array_names,
    array_types,
    arrays,
    element_loops,
    entrywise,
    inlining,
    matrices,
    sampling,
    store,
)
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.values import (
    INDEX,
    ArrayValue,
    MatrixValue,
    NoneValue,
    ScalarValue,
    TupleValue,
    Value,
)
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.substitution import replaced


@dataclass(frozen=True)
class Selection:
    """Entries of an array: those of which ``condition`` holds, over :data:`~values.INDEX`.

    ``bounds`` are those of a slice, ``mask`` is the array of truth values that selects; else it is one entry.
    """

    condition: ir.Expression
    index: ir.Expression | None = None
    bounds: tuple[ir.Expression, ir.Expression] | None = None
    mask: ArrayValue | None = None


def of_array(context: Context, target: ast.Subscript) -> bool:
    """Whether ``name[…]`` is of an array, as far as is known, or the entry that an iteration is about."""
    if element_loops.cell_of(context, target) is not None:
        return True
    return isinstance(target.value, ast.Name) and array_names.named(context, target.value.id) is not None


def assign(context: Context, target: ast.Subscript, value: Value) -> None:
    """``array[…] = value``; the value has been evaluated before.  Raises ProgramError."""
    cell = element_loops.cell_of(context, target)
    if cell is not None and cell.source:
        element_loops.put(context, cell, value, target)
        return
    if cell is not None:
        new = context.scalar(value, target)
        array_types.check(context, target.value, new)
        entry = array_calls.converted(new, cell.variable.sort)
        store.move(context, [(cell.variable.name, entry)], target)
        return
    found: list[Selection] = []

    def place() -> Value:
        found.append(_selection(context, target, old))
        return NoneValue()

    old = _old(context, target)
    value, _ = context.in_turn([(target, lambda: value), (target.slice, place)])
    _replace(context, target, old, found[0], _entry(context, target, found[0], value))


def augment(context: Context, node: ast.AugAssign, target: ast.Subscript) -> None:
    """``array[…] += e``: the entries are selected once, then read, then the other operand is evaluated."""
    operation = ast.copy_location(ast.BinOp(target, node.op, node.value), node)
    array_types.check_power(context, operation)
    cell = element_loops.cell_of(context, target)
    if cell is not None:
        before, added = context.in_turn(
            [
                (target, lambda: element_loops.read(context, cell, target)),
                (node.value, lambda: context.expression(context, node.value)),
            ]
        )
        assign(context, target, _combined(context, operation, before, added))
        return
    old = _old(context, target)
    selection = _selection(context, target, old)
    before, added = context.in_turn(
        [
            (target, lambda: _selected(context, target, old, selection, node.value)),
            (node.value, lambda: context.expression(context, node.value)),
        ]
    )
    if selection.index is not None and context.module.samples(node.value):
        value = _combined(context, operation, before, added)
        _replace(context, target, old, selection, _entry(context, target, selection, value))
        return
    if selection.bounds is None and not isinstance(added, ScalarValue):
        message = "an array that is added to selected entries is not supported: use np.where"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    whole = before if isinstance(before, ArrayValue) else old
    only = None if selection.bounds is not None else selection.condition
    changed = entrywise.binary(context, operation, node.op, whole, added, only=only)
    if selection.index is None:
        array_types.check_added(context, node, changed)
        entrywise.in_place(context, node, whole, changed)
    if selection.bounds is not None:
        _replace(context, target, old, selection, _entry(context, target, selection, changed))
        return
    changed = array_names.settled(context, changed, target)
    _replace(context, target, old, selection, changed.entry)


def by_method(context: Context, node: ast.Call, owner: ast.expr, array: ArrayValue, method: str) -> None:
    """``array.sort()`` or ``array.fill(number)``.  Raises ProgramError."""
    if method == "sort":
        arguments.positional(context.source, node, "'sort'", 0, 0)
        by_function(context, node, owner, array, context.module.library.function(f"{array_calls.NUMPY}.sort"))
        return
    name = _changeable(context, node, owner, array, method)
    (argument,) = arguments.positional(context.source, node, "'fill'", 1, 1)
    number = arrays.number(context, context.scalar(context.expression(context, argument), node), node)
    array_types.check(context, name, number)
    old = array_items.settled(context, node, array)
    changed = ArrayValue(old.length, array_calls.converted(number, old.entry.sort))
    array_names.bind(context, name, replace(changed, owner=array.owner))


def by_function(
    context: Context, node: ast.Call, owner: ast.expr, array: ArrayValue, function: Function
) -> None:
    """Put what a function of a stub gives into the array that it is given.  Raises ProgramError."""
    name = _changeable(context, node, owner, array, function.name)
    if not any(array_changes.changes(node, name.id)):  # others look for these in the text
        message = f"'{function.name}' of an array is only supported by its own name"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    given: dict[str, Value] = {function.parameters[0].arg: replace(array, owner="")}
    value = inlining.applied(context, node, function, given)
    changed = arrays.from_value(context, value, node)
    if changed is None:
        message = f"'{function.name}' of this array is not supported"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    array_names.bind(context, name, replace(changed, owner=array.owner))


def _changeable(
    context: Context, node: ast.Call, owner: ast.expr, array: ArrayValue, method: str
) -> ast.Name:
    if not isinstance(owner, ast.Name):
        message = f"'{method}' of an array without a name is not supported"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    if array.owner in context.iterating:
        message = "the array is changed while a loop runs over it"
        raise context.error(node, Refusal.LIST_CHANGED_IN_LOOP, message)
    return owner


# --- two dimensions ---------------------------------------------------------------------


def of_matrix(context: Context, target: ast.Subscript) -> bool:
    """Whether ``name[i, j]`` or ``name[i][j]`` is of an array of two dimensions, as far as is known."""
    return matrices.target_of(context, target) is not None


def assign_to_matrix(context: Context, target: ast.Subscript, value: Value) -> None:
    """``matrix[i, j] = value``; the value has been evaluated before.  Raises ProgramError.

    Also ``matrix[:, j]`` and ``matrix[mask, j]`` of one row.
    """
    found: list[tuple[ast.Name, MatrixValue, Selection]] = []

    def place() -> Value:
        found.append(_part_of_matrix(context, target))
        return NoneValue()

    value, _ = context.in_turn([(target, lambda: value), (target.slice, place)])
    name, matrix, selection = found[0]
    if selection.index is None:
        value = _only(context, target, selection, value)
    new = arrays.number(context, context.scalar(value, target), target)
    matrices.bind(context, name, replace(matrix, flat=_changed(context, target, matrix.flat, selection, new)))


def _only(context: Context, target: ast.Subscript, selection: Selection, value: Value) -> Value:
    """The only entry of what is assigned to a part of a column of one row; a number is that."""
    given = arrays.from_value(context, value, target)
    if given is None:
        return value
    if given.mask != (None if selection.mask is None else selection.mask.entry):
        message = "an array that is assigned to selected entries is not supported: use np.where"
        raise context.error(target, Refusal.UNSUPPORTED_ARRAY, message)
    given = array_names.settled(context, replace(given, mask=None), target)
    one = builders.equal(given.length, builders.ONE)
    context.require("domain", one, "a column of one row has one entry", target)
    return ScalarValue(arrays.at(context, given, builders.ZERO))


def augment_matrix(context: Context, node: ast.AugAssign, target: ast.Subscript) -> None:
    """``matrix[i, j] += e``: the indices are evaluated once, then the other operand."""
    operation = ast.copy_location(ast.BinOp(target, node.op, node.value), node)
    array_types.check_power(context, operation)
    name, matrix, selection = _part_of_matrix(context, target)
    if selection.index is None:
        message = "a column that is changed in place is not supported: write m[:, j] = m[:, j] + ..."
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    if context.module.samples(node.value):
        before = context.save(ScalarValue(arrays.at(context, matrix.flat, selection.index)), target)
        added = context.expression(context, node.value)
        value = _combined(context, operation, before, added)
        new = arrays.number(context, context.scalar(value, node), target)
        matrices.bind(
            context, name, replace(matrix, flat=_changed(context, target, matrix.flat, selection, new))
        )
        return
    added = ScalarValue(context.scalar(context.expression(context, node.value), node.value))
    changed = entrywise.binary(context, operation, node.op, matrix.flat, added, only=selection.condition)
    flat = _changed(context, target, matrix.flat, selection, changed.entry)
    matrices.bind(context, name, replace(matrix, flat=flat))


def _part_of_matrix(context: Context, target: ast.Subscript) -> tuple[ast.Name, MatrixValue, Selection]:
    found = matrices.target_of(context, target)
    assert found is not None
    name, matrix, nodes = found
    if matrix.flat.owner in context.iterating:
        message = "the array is changed while a loop runs over it"
        raise context.error(target, Refusal.LIST_CHANGED_IN_LOOP, message)
    flat = replace(array_items.settled(context, target, matrix.flat), owner=matrix.flat.owner)
    matrix = replace(matrix, flat=flat)
    if isinstance(target.slice, ast.Tuple) and matrices.is_all(nodes[0]):
        return name, matrix, _of_column(context, target, matrix, context.expression(context, nodes[1]), None)
    first, second = context.ordered(nodes)
    if isinstance(target.slice, ast.Tuple) and isinstance(first, ArrayValue):
        return name, matrix, _of_column(context, target, matrix, second, first)
    position = TupleValue((first, second))
    index = arrays.number(context, matrices.place(context, target.slice, matrix, position), target)
    return name, matrix, Selection(builders.equal(INDEX, index), index=index)


def _of_column(
    context: Context, target: ast.Subscript, matrix: MatrixValue, number: Value, mask: ArrayValue | None
) -> Selection:
    """The entry of a column of one row, where the only truth value of a mask holds."""
    if matrix.rows != builders.ONE:
        message = "an assignment to a column is only supported where there is one row"
        raise context.error(target, Refusal.UNSUPPORTED_ARRAY, message)
    index = matrices.checked(context, target.slice, number, matrix.width)
    index = arrays.number(context, index, target)
    condition = builders.equal(INDEX, index)
    if mask is None:
        return Selection(condition)
    column = matrices.column(context, target, matrix, index)
    mask = arrays.kept(context, array_items.checked_mask(context, target, column, mask), target)
    holds = arrays.number(context, arrays.at(context, mask, builders.ZERO), target)
    return Selection(builders.both(condition, holds), mask=mask)


def _combined(context: Context, node: ast.BinOp, before: Value, added: Value) -> Value:
    if isinstance(node.op, ast.Add | ast.Sub):
        return sampling.total(context, node, before, added, arithmetic.binary)
    return sampling.product(context, node, before, added)


def _old(context: Context, target: ast.Subscript) -> ArrayValue:
    array = context.expression(context, target.value)
    assert isinstance(array, ArrayValue)
    if array.owner in context.iterating:
        message = "the array is changed while a loop runs over it"
        raise context.error(target, Refusal.LIST_CHANGED_IN_LOOP, message)
    return replace(array_items.settled(context, target, array), owner=array.owner)


# --- which entries ----------------------------------------------------------------------


def _selection(context: Context, target: ast.Subscript, array: ArrayValue) -> Selection:
    if isinstance(target.slice, ast.Slice):
        first, last = array_items.bounds(context, target, array, target.slice)
        inside = builders.both(builders.less_equal(first, INDEX), builders.less(INDEX, last))
        return Selection(inside, bounds=(first, last))
    position = context.expression(context, target.slice)
    if isinstance(position, ArrayValue):
        array_types.check_entries(context, target.slice, position)
        mask = arrays.kept(context, array_items.checked_mask(context, target, array, position), target.slice)
        return Selection(mask.entry, mask=mask)
    index = arrays.number(context, array_items.checked(context, target, array, position), target.slice)
    return Selection(builders.equal(INDEX, index), index=index)


def _selected(
    context: Context, target: ast.Subscript, array: ArrayValue, selection: Selection, value: ast.expr
) -> Value:
    """The entries before they change; or all of them, of which those that aren't selected don't matter."""
    if selection.bounds is not None:
        return array_items.between(context, target, array, *selection.bounds)
    if selection.index is not None and context.module.samples(value):
        return context.save(ScalarValue(arrays.at(context, array, selection.index)), target)
    return array


def _replace(
    context: Context,
    target: ast.Subscript,
    old: ArrayValue,
    selection: Selection,
    new: ir.Expression,
) -> None:
    """Let the name stand for the array with new entries where they are selected."""
    assert isinstance(target.value, ast.Name)
    array_names.bind(context, target.value, _changed(context, target, old, selection, new))


def _changed(
    context: Context,
    target: ast.Subscript,
    old: ArrayValue,
    selection: Selection,
    new: ir.Expression,
) -> ArrayValue:
    array_types.check(context, target.value, new)
    new = array_calls.converted(new, old.entry.sort)
    whole = selection.bounds == (builders.ZERO, old.length)
    entry = new if whole else builders.choose(selection.condition, new, old.entry)
    return replace(old, entry=entry, whole=None)


def _entry(context: Context, target: ast.Subscript, selection: Selection, value: Value) -> ir.Expression:
    """What is assigned at :data:`~values.INDEX`."""
    given = arrays.from_value(context, value, target) if selection.index is None else None
    if given is None:
        number = context.scalar(value, target)
        return arrays.number(context, number, target)
    if selection.bounds is not None:
        return _moved(context, target, selection, given, selection.bounds)
    if selection.mask is None or given.mask != selection.mask.entry:
        message = "an array that is assigned to selected entries is not supported: use np.where"
        raise context.error(target, Refusal.UNSUPPORTED_ARRAY, message)
    given = array_names.settled(context, replace(given, mask=None), target)
    entrywise.require_equal_lengths(context, target, (selection.mask, given))
    return given.entry


def _moved(
    context: Context,
    target: ast.Subscript,
    selection: Selection,
    given: ArrayValue,
    bounds: tuple[ir.Expression, ir.Expression],
) -> ir.Expression:
    """The entries of an array that is assigned to a slice, by the index in the slice's own array."""
    first, last = bounds
    given = array_names.settled(context, given, target)
    size = builders.arithmetic(ir.Operator.MAXIMUM, builders.ZERO, builders.subtract(last, first))
    same = builders.equal(given.length, size)
    context.require("domain", same, "an array is assigned to a slice of another length", target)
    place = {INDEX.name: builders.subtract(INDEX, first)}
    return replaced(given.entry, place)
