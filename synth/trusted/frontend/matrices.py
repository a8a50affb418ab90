"""Arrays of two dimensions: an array of all entries, row by row, with the numbers of rows and columns.

Both numbers are public.  What is done entry by entry is done with the array of all entries.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from synth.trusted.errors import Refusal
from synth.trusted.frontend import (
    array_changes,
    array_names,
    arrays,
    entrywise,
    flattening,
    shapes,
    store,
    values,
)
from synth.trusted.frontend.context import Context, Scope, owner_of
from synth.trusted.frontend.shapes import MatrixShape
from synth.trusted.frontend.source import Located
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

ENTRY_BY_ENTRY = ("array", "asarray", "asanyarray", "copy", "astype", "zeros_like", "ones_like", "round")
"""Functions of numpy that give an array of the same shape."""

WHOLE = (
    *("sum", "mean", "max", "min", "amax", "amin", "any", "all", "prod", "std", "var"),
    *("count_nonzero", "median", "size"),
)
"""Functions of numpy that give a number for all entries, wherever they are."""

FLAT = ("ravel", "flatten")


def size(context: Context, node: Located, shape: Value) -> tuple[ir.Expression, ir.Expression] | None:
    """The numbers of rows and columns that a shape states; None of another shape.  Raises ProgramError."""
    match shape:
        case TupleValue((rows, width)):
            return _number(context, node, rows), _number(context, node, width)
        case _:
            return None


def _number(context: Context, node: Located, value: Value) -> ir.Expression:
    number = context.scalar(value, node)
    if number.sort is not ir.Sort.INT:
        raise context.error(node, Refusal.WRONG_TYPE, "the size of an array must be an integer")
    message = "private data in the size of an array"
    context.public.append((number, context.source.place(node), Refusal.PRIVATE_LOOP_BOUND, message))
    number = arrays.number(context, number, node)
    if context.natural(number) != number:
        enough = builders.less_equal(builders.ZERO, number)
        context.require("domain", enough, "an array of a negative size", node)
    return number


def length(rows: ir.Expression, width: ir.Expression) -> ir.Expression:
    """The number of entries."""
    if builders.ONE in (rows, width):
        return width if rows == builders.ONE else rows
    return builders.arithmetic(ir.Operator.MULTIPLY, rows, width)


def same_shape(context: Context, node: Located, found: Sequence[MatrixValue]) -> None:
    """Emit the obligation that matrices have equal shapes: else numpy repeats rows, or refuses."""
    for other in found[1:]:
        rows = builders.equal(found[0].rows, other.rows)
        width = builders.equal(found[0].width, other.width)
        context.require("domain", builders.both(rows, width), "arrays of different shapes", node)


def one_row(context: Context, node: Located, array: ArrayValue) -> MatrixValue:
    """The array of two dimensions that has an array as its only row, of which it is a view."""
    if array.mask is not None:
        array = replace(array_names.settled(context, array, node), owner=array.owner)
    width = _number(context, node, ScalarValue(array.length))
    return MatrixValue(replace(array, length=width), builders.ONE, width)


# --- entry by entry ---------------------------------------------------------------------


def flattened(
    context: Context, node: Located, given: Sequence[Value], compute: Callable[[list[Value]], Value]
) -> Value:
    """What is computed of the entries of matrices, in the same shape.  Raises ProgramError.

    As in numpy, a sequence beside a matrix is one row, one row is repeated, and so is a single entry.
    """
    items = [_whole(context, node, value) for value in given]
    found = [item for item in items if isinstance(item, MatrixValue)]
    wide = [item for item in found if not _is_single(item)] or found
    tall = [item for item in wide if item.rows != builders.ONE] or wide
    parts: list[Value] = []
    for item in items:
        if not isinstance(item, MatrixValue) or item in tall:
            parts.append(item)
        elif item in wide:
            parts.append(_repeated(context, node, item, tall[0].rows))
        else:
            first = arrays.at(context, item.flat, builders.ZERO)
            parts.append(ScalarValue(arrays.number(context, first, node)))
    same_shape(context, node, [part for part in parts if isinstance(part, MatrixValue)])
    made = compute([part.flat if isinstance(part, MatrixValue) else part for part in parts])
    return replace(tall[0], flat=made) if isinstance(made, ArrayValue) else made


def _whole(context: Context, node: Located, value: Value) -> Value:
    """The value; a sequence as one row."""
    array = arrays.from_value(context, value, node)
    return value if array is None else one_row(context, node, array)


def _is_single(matrix: MatrixValue) -> bool:
    return matrix.rows == builders.ONE == matrix.width


def _repeated(context: Context, node: Located, matrix: MatrixValue, rows: ir.Expression) -> MatrixValue:
    """The matrix with its only row as often as is stated."""
    number = arrays.number(context, length(rows, matrix.width), node)
    flat = array_names.settled(context, matrix.flat, node)
    column = builders.arithmetic(ir.Operator.MODULO, INDEX, matrix.width)
    return MatrixValue(_part(flat, number, column), rows, matrix.width)


def in_place(context: Context, node: ast.AugAssign, old: MatrixValue, value: MatrixValue) -> MatrixValue:
    """What a matrix holds that was changed in place: its shape and the type of its entries stay."""
    if (old.rows, old.width) != (value.rows, value.width):
        message = "an array of two dimensions can't hold one of another shape"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    flat = entrywise.in_place(context, node, old.flat, value.flat)
    assert isinstance(flat, ArrayValue)
    return replace(value, flat=flat)


def call(
    context: Context,
    node: ast.expr,
    name: str,
    given: Mapping[str, Value],
    apply: Callable[[dict[str, Value]], Value],
) -> Value:
    """A function of numpy of a matrix.  Raises ProgramError for one that has no model."""
    several = name in ENTRY_BY_ENTRY
    if name == "atleast_2d":
        return next(iter(given.values()))
    if name not in (*ENTRY_BY_ENTRY, *WHOLE, *FLAT) or given.get("axis", NoneValue()) != NoneValue():
        message = f"'{name}' of an array of two dimensions is not supported"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)

    def compute(items: list[Value]) -> Value:
        return apply(dict(zip(given, items, strict=True)))

    made = flattened(context, node, list(given.values()), compute)
    return made.flat if not several and isinstance(made, MatrixValue) else made


# --- rows and entries -------------------------------------------------------------------


def row(context: Context, node: Located, matrix: MatrixValue, index: ir.Expression) -> ArrayValue:
    """A row, which is a view of the matrix."""
    first = arrays.number(context, builders.arithmetic(ir.Operator.MULTIPLY, index, matrix.width), node)
    place = first if matrix.width == builders.ONE else builders.add(first, INDEX)
    return _part(_drawn(context, node, matrix), matrix.width, place)


def column(context: Context, node: Located, matrix: MatrixValue, index: ir.Expression) -> ArrayValue:
    """A column, which is a view of the matrix."""
    index = arrays.number(context, index, node)
    first = builders.arithmetic(ir.Operator.MULTIPLY, INDEX, matrix.width)
    place = index if matrix.rows == builders.ONE else builders.add(first, index)
    return _part(_drawn(context, node, matrix), matrix.rows, place)


def _drawn(context: Context, node: Located, matrix: MatrixValue) -> ArrayValue:
    flat = matrix.flat
    if flat.noise is not None or flat.mask is not None:
        flat = replace(array_names.settled(context, flat, node), owner=flat.owner)
    return flat


def _part(flat: ArrayValue, number: ir.Expression, place: ir.Expression) -> ArrayValue:
    """So many entries of an array, each from a place that is over :data:`~values.INDEX`."""
    moved = {INDEX.name: place}
    return ArrayValue(number, replaced(flat.entry, moved), owner=flat.owner)


def checked(context: Context, node: ast.expr, value: Value, number: ir.Expression) -> ir.Expression:
    """An index of a row or column, counted from the start, with the obligation that it is in range."""
    index = context.scalar(value, node)
    if index.sort is not ir.Sort.INT:
        raise context.error(node, Refusal.WRONG_TYPE, "an index must be an integer: use int(...)")
    if isinstance(index, ir.Constant) and index.value < 0:
        index = builders.add(number, index)
    inside = builders.both(builders.less_equal(builders.ZERO, index), builders.less(index, number))
    context.require("index", inside, "index out of range", node)
    return index


def item(context: Context, node: ast.Subscript, matrix: MatrixValue, position: Value) -> Value:
    """``matrix[i]``, a row, or ``matrix[i, j]``, an entry.  Raises ProgramError."""
    if isinstance(position, TupleValue):
        index = place(context, node.slice, matrix, position)
        flat = array_names.settled(context, matrix.flat, node)
        return ScalarValue(arrays.at(context, flat, index))
    return row(context, node, matrix, checked(context, node.slice, position, matrix.rows))


def line(context: Context, node: ast.Subscript, parts: Sequence[ast.expr]) -> Value:
    """``matrix[:, j]``, a column, or ``matrix[i, :]``, a row.  Raises ProgramError."""
    match parts:
        case [first, number] if is_all(first) and not isinstance(number, ast.Slice):
            take, is_row = column, False
        case [number, last] if is_all(last) and not isinstance(number, ast.Slice):
            take, is_row = row, True
        case _:
            message = "this slice of an array is not supported: m[:, j] and m[i, :] are"
            raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    matrix, position = context.ordered([node.value, number])
    if not isinstance(matrix, MatrixValue):
        kind = shapes.describe_value(matrix)
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, f"{kind} is used as an array of two dimensions")
    index = checked(context, number, position, matrix.rows if is_row else matrix.width)
    return take(context, node, matrix, index)


def is_all(node: ast.expr) -> bool:
    """Whether an index is ``:``."""
    return isinstance(node, ast.Slice) and node.lower is node.upper is node.step is None


def place(context: Context, node: ast.expr, matrix: MatrixValue, position: TupleValue) -> ir.Expression:
    """The index of an entry among all of them.  Raises ProgramError."""
    if len(position.items) != 2:
        raise context.error(node, Refusal.WRONG_INDEX, "an array of two dimensions has two indices")
    one, two = position.items
    at = checked(context, node, one, matrix.rows)
    column = checked(context, node, two, matrix.width)
    return builders.add(builders.arithmetic(ir.Operator.MULTIPLY, at, matrix.width), column)


def attribute(context: Context, node: ast.Attribute, matrix: MatrixValue) -> Value:
    """``matrix.shape`` and the like.  Raises ProgramError."""
    match node.attr:
        case "shape":
            return TupleValue((ScalarValue(matrix.rows), ScalarValue(matrix.width)))
        case "size":
            return ScalarValue(matrix.flat.length)
        case "ndim":
            return ScalarValue(builders.integer(2))
        case "dtype":
            return values.TypeValue(matrix.flat.entry.sort)
        case "T" if builders.ONE in (matrix.rows, matrix.width):
            return MatrixValue(matrix.flat, matrix.width, matrix.rows)
        case _:
            message = f"'{node.attr}' of an array of two dimensions is not supported"
            raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)


# --- names ------------------------------------------------------------------------------


def bind(context: Context, target: ast.Name, matrix: MatrixValue) -> None:
    """Let a name stand for a matrix.  Raises ProgramError."""
    scope, name = context.scope, target.id
    function = scope.function
    assert function is not None
    array_names.check_alias(context, target, matrix.flat)
    if array_changes.is_straight(function, name, elements=False):
        flat = array_names.settled(context, matrix.flat, target)
        scope.renamed.pop(name, None)
        owned = replace(flat, owner=matrix.flat.owner or scope.prefix + name)
        scope.bindings[name] = replace(matrix, flat=owned)
        return
    if not (context.is_fixed(matrix.rows) and context.is_fixed(matrix.width)):
        message = f"the array '{name}' of two dimensions is changed in several blocks and has no fixed size"
        raise context.error(target, Refusal.UNSUPPORTED_ARRAY, message)
    store.check_not_iterating(context, scope.prefix + name, target, "changed")
    variable = store.variable_name(context, target)
    store.check_free(context, target, matrix)
    array_names.keep(context, variable, matrix.flat, target, (matrix.rows, matrix.width))


def bind_parameter(context: Context, node: ast.expr, scope: Scope, name: str, matrix: MatrixValue) -> None:
    """Let a parameter of a function that is inlined stand for a matrix.  Raises ProgramError."""
    function = scope.function
    assert function is not None
    if array_changes.is_changed(function, name):
        message = f"'{function.name}' changes the array of two dimensions that it is given"
        raise context.error(node, Refusal.ALIASING, message)
    flat = array_names.settled(context, matrix.flat, node)
    owned = replace(flat, owner=matrix.flat.owner or scope.prefix + name)
    scope.bindings[name] = replace(matrix, flat=owned)


def named(context: Context, name: str) -> MatrixValue | None:
    """The matrix that a name stands for now; None if it is none, as far as is known."""
    scope = context.scope
    bound = scope.bindings.get(name)
    if bound is not None:
        return bound if isinstance(bound, MatrixValue) else None
    local = scope.local(name)
    shape = None if local is None else context.inference.shape(local)
    if local is None or not isinstance(shape, MatrixShape):
        return None
    found = flattening.variable(local, shape)
    assert isinstance(found, MatrixValue)
    return replace(found, flat=replace(found.flat, owner=owner_of(local)))


def target_of(context: Context, target: ast.Subscript) -> tuple[ast.Name, MatrixValue, list[ast.expr]] | None:
    """The matrix of which ``name[i, j]`` or ``name[i][j]`` is an entry, with the indices."""
    match target:
        case ast.Subscript(value=ast.Name() as name, slice=ast.Tuple(elts=[one, two])):
            pass
        case ast.Subscript(value=ast.Subscript(value=ast.Name() as name, slice=one), slice=two):
            pass
        case _:
            return None
    found = named(context, name.id)
    return None if found is None else (name, found, [one, two])


def operands(given: Sequence[Value]) -> Iterator[MatrixValue]:
    """Give those that are matrices."""
    return (value for value in given if isinstance(value, MatrixValue))


def binary(
    context: Context, node: ast.expr | ast.stmt, operator: ast.operator, left: Value, right: Value
) -> Value:
    """``left operator right``, entry by entry."""

    def compute(items: list[Value]) -> Value:
        return entrywise.binary(context, node, operator, *items)

    return flattened(context, node, (left, right), compute)
