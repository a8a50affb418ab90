"""Functions of numpy of each row or each column of an array of two dimensions: those that take ``axis``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from synth.trusted.errors import Refusal
from synth.trusted.frontend import array_names, arrays, matrices
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.values import ArrayValue, MatrixValue, NoneValue, ScalarValue, Value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

NUMBERS = (
    *("sum", "mean", "max", "min", "amax", "amin", "any", "all", "prod", "std", "var"),
    *("argmax", "argmin"),
)
"""Functions that give a number for each row or column."""

SUMS = "cumsum"
_OF_SOME = ("max", "min", "amax", "amin", "argmax", "argmin")


def call(
    context: Context,
    node: ast.expr,
    name: str,
    given: Mapping[str, Value],
    apply: Callable[[dict[str, Value]], Value],
) -> Value:
    """A function of numpy of a matrix, perhaps along an axis.  Raises ProgramError."""
    matrix, axis = given.get("a"), given.get("axis", NoneValue())
    if axis == NoneValue() or not isinstance(matrix, MatrixValue) or name not in (*NUMBERS, SUMS):
        return matrices.call(context, node, name, given, apply)

    def one(line: ArrayValue) -> Value:
        return apply({**given, "a": line, "axis": NoneValue()})

    return _of_lines(context, node, name, matrix, _is_of_rows(context, node, axis), one)


def _is_of_rows(context: Context, node: ast.expr, axis: Value) -> bool:
    """Whether the lines are rows, by the axis that is given."""
    match axis:
        case ScalarValue(ir.Constant(value=value, sort=ir.Sort.INT)) if value in (0, 1, -1, -2):
            return value in (1, -1)
        case _:
            message = "this axis of an array of two dimensions is not supported: 0, 1, -1 and -2 are"
            raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)


def _of_lines(
    context: Context,
    node: ast.expr,
    name: str,
    matrix: MatrixValue,
    of_rows: bool,
    one: Callable[[ArrayValue], Value],
) -> Value:
    number, size = (matrix.rows, matrix.width) if of_rows else (matrix.width, matrix.rows)
    if name in _OF_SOME:
        some = builders.less_equal(builders.ONE, size)
        context.require("domain", some, f"'{name}' of rows or columns that are empty", node)
    if number == builders.ONE:
        made = one(matrix.flat)
        if name != SUMS:
            return ArrayValue(number, arrays.number(context, context.scalar(made, node), node))
        assert isinstance(made, ArrayValue)
        return MatrixValue(made, matrix.rows, matrix.width)
    if name == SUMS:
        message = f"'{SUMS}' of several rows or columns is not supported"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    settled = MatrixValue(array_names.settled(context, matrix.flat, node), matrix.rows, matrix.width)
    line = matrices.row if of_rows else matrices.column

    def entry(index: ir.Expression) -> ir.Expression:
        return context.scalar(one(line(context, node, settled, index)), node)

    return arrays.collected(context, number, entry, node)
