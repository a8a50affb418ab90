"""The built-in functions: ``len``, ``abs``, ``exp``, ``int`` and so on."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from synth.trusted.frontend import arguments, values
from synth.trusted.frontend.branching import condition
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.values import ListLiteral, ScalarValue, Value
from synth.trusted.program import builders
from synth.trusted.program.syntax import (
    Constant,
    Expression,
    Length,
    Operation,
    Operator,
    ParameterKind,
    Sort,
)

_ROUNDING = {
    "round": Operator.ROUND,
    "floor": Operator.FLOOR,
    "ceil": Operator.CEILING,
    "int": Operator.TRUNCATE,
}
_REAL = {
    "exp": Operator.EXPONENTIAL,
    "log": Operator.LOGARITHM,
    "sqrt": Operator.SQUARE_ROOT,
}
_EXTREMES = {"min": Operator.MINIMUM, "max": Operator.MAXIMUM}
_MANY = 10_000


def call(context: Context, node: ast.Call, name: str) -> Value:
    """A call of a built-in function."""
    if name in ("range", "enumerate"):
        raise context.error(node, f"'{name}' is only supported as what a for loop runs over")
    if name == "list":
        arguments.positional(context.source, node, "list", 0, 0)
        return ListLiteral(())
    if name in _EXTREMES:
        return _extreme(context, node, name)
    (argument,) = arguments.positional(context.source, node, name, 1, 1)
    if name == "bool":
        return ScalarValue(condition(context, argument))
    value = context.expression(context, argument)
    if name == "len":
        return ScalarValue(_length(context, node, value))
    return ScalarValue(_number(context, node, name, context.numeric(value, argument)))


def _number(context: Context, node: ast.Call, name: str, value: Expression) -> Expression:
    if name in _ROUNDING:
        return builders.to_integer(_ROUNDING[name], value)
    if name == "float":
        return builders.convert(value, Sort.REAL)
    if name == "abs":
        if isinstance(value, Constant):
            return builders.magnitude(value)
        return Operation(Operator.ABSOLUTE, (value,), value.sort)
    _require_domain(context, node, name, value)
    return Operation(_REAL[name], (builders.convert(value, Sort.REAL),), Sort.REAL)


def _require_domain(context: Context, node: ast.Call, name: str, value: Expression) -> None:
    zero = builders.zero(value.sort)
    if name == "log":
        reason = "the logarithm of a number that isn't positive"
        context.require("domain", builders.less(zero, value), reason, node)
    if name == "sqrt":
        reason = "the square root of a negative number"
        context.require("domain", builders.less_equal(zero, value), reason, node)


def _extreme(context: Context, node: ast.Call, name: str) -> Value:
    nodes = arguments.positional(context.source, node, name, 2, _MANY)
    numbers = _numbers(context, nodes)
    result = numbers[0]
    for number in numbers[1:]:
        result = builders.arithmetic(_EXTREMES[name], result, number)
    return ScalarValue(result)


def _numbers(context: Context, nodes: Sequence[ast.expr]) -> list[Expression]:
    pairs = zip(context.ordered(nodes), nodes, strict=True)
    return [context.numeric(value, node) for value, node in pairs]


def _length(context: Context, node: ast.Call, value: Value) -> Expression:
    match value:
        case values.ParameterValue(parameter) if parameter.kind is ParameterKind.SEQUENCE:
            return Length(parameter.name)
        case values.ListValue(name):
            return Length(name)
        case values.TupleValue(items) | ListLiteral(items):
            return builders.integer(len(items))
        case _:
            raise context.error(node, f"{values.describe_value(value)} has no length")
