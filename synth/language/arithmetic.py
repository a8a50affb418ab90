"""Arithmetic operators on values."""

from __future__ import annotations

import ast

from synth.language import build, values
from synth.language.context import Context
from synth.language.syntax import Constant, Expression, Operation, Operator, Sort
from synth.language.values import ScalarValue, Value

LARGEST_REPEATED_POWER = 4


def binary(
    context: Context, node: ast.expr | ast.stmt, operator: ast.operator, left: Value, right: Value
) -> Value:
    """``left operator right``."""
    if isinstance(left, values.ListValue | values.ListLiteral) or isinstance(
        right, values.ListValue | values.ListLiteral
    ):
        raise context.error(node, _list_message(operator))
    a, b = context.numeric(left, node), context.numeric(right, node)
    return ScalarValue(numbers(context, node, operator, a, b))


def numbers(
    context: Context,
    node: ast.expr | ast.stmt,
    operator: ast.operator,
    left: Expression,
    right: Expression,
) -> Expression:
    """``left operator right`` of two numbers."""
    match operator:
        case ast.Add():
            return build.add(left, right)
        case ast.Sub():
            return build.subtract(left, right)
        case ast.Mult():
            return build.arithmetic(Operator.MULTIPLY, left, right)
        case ast.Pow():
            return _power(context, node, left, right)
    nonzero = build.negate(build.equal(right, build.zero(right.sort)))
    context.require("divisor", nonzero, "division by zero", node)
    match operator:
        case ast.Div():
            return build.divide(left, right)
        case ast.FloorDiv():
            return _floor_divide(left, right)
        case _:
            return _modulo(context, node, left, right)


def negative(context: Context, node: ast.UnaryOp, value: Value) -> Value:
    """``-value``."""
    return ScalarValue(build.opposite(context.numeric(value, node)))


def _floor_divide(left: Expression, right: Expression) -> Expression:
    left, right = build.unify(left, right)
    if left.sort is Sort.INT:
        return Operation(Operator.FLOOR_DIVIDE, (left, right), Sort.INT)
    quotient = build.to_integer(Operator.FLOOR, build.divide(left, right))
    return build.convert(quotient, Sort.REAL)


def _modulo(context: Context, node: ast.expr | ast.stmt, left: Expression, right: Expression) -> Expression:
    left, right = build.unify(left, right)
    if left.sort is Sort.INT:
        return Operation(Operator.MODULO, (left, right), Sort.INT)
    left, right = (_repeatable(context, part, node) for part in (left, right))
    product = build.arithmetic(Operator.MULTIPLY, right, _floor_divide(left, right))
    return build.subtract(left, product)


def _power(context: Context, node: ast.expr | ast.stmt, base: Expression, exponent: Expression) -> Expression:
    known = build.power(base, exponent)
    if known is not None:
        return known
    if isinstance(exponent, Constant) and exponent.sort is Sort.INT and exponent.value >= 0:
        if exponent.value <= LARGEST_REPEATED_POWER:
            return _repeated(context, node, base, int(exponent.value))
        base, exponent = build.unify(base, exponent)
        return Operation(Operator.POWER, (base, exponent), base.sort)
    _require_power(context, node, base, exponent)
    operands = (build.convert(base, Sort.REAL), build.convert(exponent, Sort.REAL))
    return Operation(Operator.POWER, operands, Sort.REAL)


def _require_power(
    context: Context, node: ast.expr | ast.stmt, base: Expression, exponent: Expression
) -> None:
    if exponent.sort is Sort.INT:
        nonzero = build.negate(build.equal(base, build.zero(base.sort)))
        defined = build.either(nonzero, build.less_equal(build.ZERO, exponent))
        context.require("domain", defined, "0 to a negative power", node)
    else:
        positive = build.less(build.ZERO, base)
        context.require("domain", positive, "a power of a number that isn't positive", node)


def _repeated(context: Context, node: ast.expr | ast.stmt, base: Expression, count: int) -> Expression:
    if count > 1:
        base = _repeatable(context, base, node)
    result = build.convert(build.ONE, base.sort)
    for place in range(count):
        result = base if place == 0 else build.arithmetic(Operator.MULTIPLY, result, base)
    return result


def _repeatable(context: Context, expression: Expression, node: ast.expr | ast.stmt) -> Expression:
    """The expression, through a hidden variable if it is too large to be repeated."""
    if build.is_small(expression):
        return expression
    (saved,) = values.expressions(context.save(ScalarValue(expression), node))
    return saved


def _list_message(operator: ast.operator) -> str:
    if isinstance(operator, ast.Mult):
        return "repeating a list is not supported"
    if isinstance(operator, ast.Add):
        return "adding lists is only supported as 'xs = xs + [...]' or 'xs += [...]'"
    return "a list is used as a number"
