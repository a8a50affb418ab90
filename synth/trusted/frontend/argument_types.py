"""What a function of a compiled library is given: numbers of one type, or it raises.

Where data decided which type a number has, or whether there is one, the exception would tell.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from synth.trusted.errors import Refusal
from synth.trusted.frontend import arguments, array_calls, arrays, shapes
from synth.trusted.frontend.context import Context, Scope
from synth.trusted.frontend.values import (
    ListLiteral,
    ListValue,
    ParameterValue,
    RecordsValue,
    ScalarValue,
    TupleValue,
    TypeValue,
    Value,
)
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

_WITH_PYTHONS_NUMBERS = sys.stdlib_module_names | {"opendp", "synth"}
"""Libraries that compute with Python's own numbers."""

NAMES = {ir.Sort.BOOL: "bool", ir.Sort.INT: "int", ir.Sort.REAL: "float"}


def typed(context: Context, node: ast.Call) -> Value:
    """``typed(value, zero)``: a number or list of numbers that surely has the type of ``zero``.

    Integers are taken for reals.  Raises ProgramError.
    """
    value, zero = context.ordered(arguments.positional(context.source, node, "typed", 2, 2))
    sort = context.scalar(zero, node).sort
    found = set(_sorts(context, value, node))
    if found == {ir.Sort.INT} and sort is ir.Sort.REAL:
        found, value = {sort}, _real(context, value, node)
    if found != {sort}:
        what = shapes.describe_value(value)
        message = f"this takes '{NAMES[sort]}', and raises for others: {what} may be one"
        raise context.error(node, Refusal.WRONG_TYPE, message)
    return value


def plain(context: Context, node: ast.Call) -> Value:
    """``plain(value)``: numbers that are surely Python's.  Raises ProgramError."""
    (argument,) = arguments.positional(context.source, node, "plain", 1, 1)
    value = context.expression(context, argument)
    if not _is_plain(context, value) and _uses_numpy(context.scope):
        message = "numbers of numpy raise here, and data may decide what is one: give it a parameter itself"
        raise context.error(node, Refusal.MIXED_TYPES, message)
    return value


def _sorts(context: Context, value: Value, node: ast.Call) -> Iterator[ir.Sort]:
    match value:
        case ScalarValue(expression):
            yield expression.sort
        case ListLiteral(items):
            for item in items:
                yield from _sorts(context, item, node)
        case ParameterValue() | RecordsValue() | ListValue():
            array = arrays.from_value(context, value, node)
            if array is not None:
                yield array.entry.sort


def _real(context: Context, value: Value, node: ast.Call) -> Value:
    if isinstance(value, ScalarValue):
        return ScalarValue(builders.convert(value.expression, ir.Sort.REAL))
    array = arrays.from_value(context, value, node)
    assert array is not None
    return array_calls.kind_of(context, node, array, TypeValue(ir.Sort.REAL))


def _is_plain(context: Context, value: Value) -> bool:
    """Whether it is written, or an argument of the mechanism, which is of the type that is declared.

    A value that is equal to an argument may be what numpy made of it.
    """
    match value:
        case ParameterValue() | RecordsValue() | ScalarValue(written=True):
            return True
        case ListLiteral(items) | TupleValue(items):
            return all(_is_plain(context, item) for item in items)
        case ScalarValue():
            return any(value is given for given in context.given.values())
        case _:
            return False


def _uses_numpy(scope: Scope) -> bool:
    """Whether a file of the user imports numpy, or a library that may compute with it."""
    while scope.caller is not None:
        scope = scope.caller
    assert scope.function is not None
    module = scope.function.module
    tops = {known.name.partition(".")[0] for file in module.of_user for known in file.names.values()}
    return any(map(module.library.has, tops - _WITH_PYTHONS_NUMBERS))
