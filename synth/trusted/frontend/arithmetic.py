"""Arithmetic operators on values."""

from __future__ import annotations

import ast

from synth.trusted.errors import Refusal
from synth.trusted.frontend import bits, constructs, flattening, uniforms, values
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.values import ScalarValue, Value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

MAX_REPEATED_POWER = 4
EULER = ir.Operation(ir.Operator.EXPONENTIAL, (builders.convert(builders.ONE, ir.Sort.REAL),), ir.Sort.REAL)
"""``math.e``: of its powers the exponent is known."""


def binary(
    context: Context, node: ast.expr | ast.stmt, operator: ast.operator, left: Value, right: Value
) -> Value:
    """``left operator right``."""
    if isinstance(left, values.UniformValue) or isinstance(right, values.UniformValue):
        return uniforms.binary(context, node, operator, left, right)
    if isinstance(left, values.ListValue | values.ListLiteral) or isinstance(
        right, values.ListValue | values.ListLiteral
    ):
        raise context.error(node, Refusal.UNSUPPORTED_LIST, _list_message(operator))
    if isinstance(operator, ast.BitAnd | ast.BitOr | ast.BitXor):
        return ScalarValue(_logical(context, node, operator, left, right))
    if context.inference.uses_numpy:
        check_numpy(context, node, operator, context.scalar(left, node), context.scalar(right, node))
    a, b = context.numeric(left, node), context.numeric(right, node)
    return ScalarValue(numbers(context, node, operator, a, b))


def _logical(
    context: Context, node: ast.expr | ast.stmt, operator: ast.operator, left: Value, right: Value
) -> ir.Expression:
    """``&``, ``|`` or ``^`` of truth values or of integers that are 0 or 1; both are evaluated.

    It is an integer unless both are truth values.  Raises ProgramError for other numbers.
    """
    sides = context.scalar(left, node), context.scalar(right, node)
    found = bits.last(operator, *sides)
    if found is not None:
        return found
    a, b = (_bit(context, node, operator, side) for side in sides)
    match operator:
        case ast.BitAnd():
            found = builders.both(a, b)
        case ast.BitOr():
            found = builders.either(a, b)
        case _:
            found = builders.negate(builders.equal(a, b))
    return builders.convert(found, builders.join(sides[0].sort, sides[1].sort))


def _bit(
    context: Context, node: ast.expr | ast.stmt, operator: ast.operator, number: ir.Expression
) -> ir.Expression:
    if number.sort is ir.Sort.BOOL:
        return number
    if number.sort is ir.Sort.REAL or (isinstance(number, ir.Constant) and number.value not in (0, 1)):
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, str(constructs.of_arrays(operator)))
    match number:
        case ir.Operation(ir.Operator.IF, (condition, builders.ONE, builders.ZERO)):
            return condition
        case ir.Constant(value):
            return ir.Constant(bool(value), ir.Sort.BOOL)
    inside = builders.both(
        builders.less_equal(builders.ZERO, number), builders.less_equal(number, builders.ONE)
    )
    context.require("domain", inside, "an operand of '&', '|' or '^' that is neither 0 nor 1", node)
    return builders.equal(number, builders.ONE)


def check_numpy(
    context: Context,
    node: ast.expr | ast.stmt,
    operator: ast.operator,
    left: ir.Expression,
    right: ir.Expression,
) -> None:
    """Refuse arithmetic of which numpy's numbers have another kind than Python's.  Raises ProgramError.

    The sum of two truth values is a truth value, their powers are integers that wrap around at 128, and an
    integer has no negative power that is one.
    """
    sorts = (left.sort, right.sort)
    power_of_truth = isinstance(operator, ast.Pow) and left.sort is ir.Sort.BOOL
    if sorts == (ir.Sort.BOOL, ir.Sort.BOOL) or power_of_truth:
        message = "arithmetic of two truth values, which may be numpy's, is not supported: use int(...)"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    natural = isinstance(right, ir.Constant) and right.value >= 0
    if isinstance(operator, ast.Pow) and ir.Sort.REAL not in sorts and not natural:
        message = "an integer power of integers is only supported if it is constant and not negative"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)


def check_number(context: Context, node: ast.expr, value: ir.Expression) -> None:
    """Refuse a truth value that may be numpy's where Python takes it for a number.  Raises ProgramError.

    It has no ``-``; what is one of several such values, or a part of one, is a truth value for numpy.
    """
    if context.inference.uses_numpy and value.sort is ir.Sort.BOOL:
        message = "a truth value, which may be numpy's, is not supported as a number: use int(...)"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)


def numbers(
    context: Context,
    node: ast.expr | ast.stmt,
    operator: ast.operator,
    left: ir.Expression,
    right: ir.Expression,
) -> ir.Expression:
    """``left operator right`` of two numbers."""
    message = constructs.of_arrays(operator)
    if message is not None:
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    match operator:
        case ast.Add() | ast.Sub():
            for zero in builders.unify(left, right):  # -0.0 + 0 is 0.0
                context.inference.note_zero(zero)
            return (builders.add if isinstance(operator, ast.Add) else builders.subtract)(left, right)
        case ast.Mult():
            return builders.arithmetic(ir.Operator.MULTIPLY, left, right)
        case ast.Pow():
            return _power(context, node, left, right)
    nonzero = builders.negate(builders.equal(right, builders.zero(right.sort)))
    context.require("divisor", nonzero, "division by zero", node)
    match operator:
        case ast.Div():
            return builders.divide(left, right)
        case ast.FloorDiv():
            return _floor_divide(left, right)
        case _:
            return _modulo(context, node, left, right)


def negative(context: Context, node: ast.UnaryOp, value: Value) -> Value:
    """``-value``."""
    if isinstance(value, values.UniformValue):
        return uniforms.negative(value)
    number = context.scalar(value, node)
    check_number(context, node, number)
    written = isinstance(value, ScalarValue) and value.written
    return ScalarValue(builders.opposite(builders.numeric(number)), written)


def _floor_divide(left: ir.Expression, right: ir.Expression) -> ir.Expression:
    left, right = builders.unify(left, right)
    if left.sort is ir.Sort.INT:
        return ir.Operation(ir.Operator.FLOOR_DIVIDE, (left, right), ir.Sort.INT)
    quotient = builders.to_integer(ir.Operator.FLOOR, builders.divide(left, right))
    return builders.convert(quotient, ir.Sort.REAL)


def _modulo(
    context: Context, node: ast.expr | ast.stmt, left: ir.Expression, right: ir.Expression
) -> ir.Expression:
    left, right = builders.unify(left, right)
    if left.sort is ir.Sort.INT:
        return ir.Operation(ir.Operator.MODULO, (left, right), ir.Sort.INT)
    left, right = (_repeatable(context, part, node) for part in (left, right))
    product = builders.arithmetic(ir.Operator.MULTIPLY, right, _floor_divide(left, right))
    return builders.subtract(left, product)


def _power(
    context: Context, node: ast.expr | ast.stmt, base: ir.Expression, exponent: ir.Expression
) -> ir.Expression:
    known = builders.power(base, exponent)
    if known is not None:
        return known
    if base == EULER:
        return ir.Operation(
            ir.Operator.EXPONENTIAL, (builders.convert(exponent, ir.Sort.REAL),), ir.Sort.REAL
        )
    if isinstance(exponent, ir.Constant) and exponent.sort is ir.Sort.INT and exponent.value >= 0:
        if exponent.value <= MAX_REPEATED_POWER:
            return _repeated(context, node, base, int(exponent.value))
        base, exponent = builders.unify(base, exponent)
        return ir.Operation(ir.Operator.POWER, (base, exponent), base.sort)
    _require_power(context, node, base, exponent)
    if ir.Sort.REAL not in (base.sort, exponent.sort):  # for Python it may be an integer
        context.inference.note_mixed()
    operands = (builders.convert(base, ir.Sort.REAL), builders.convert(exponent, ir.Sort.REAL))
    return ir.Operation(ir.Operator.POWER, operands, ir.Sort.REAL)


def _require_power(
    context: Context, node: ast.expr | ast.stmt, base: ir.Expression, exponent: ir.Expression
) -> None:
    if exponent.sort is ir.Sort.INT:
        nonzero = builders.negate(builders.equal(base, builders.zero(base.sort)))
        defined = builders.either(nonzero, builders.less_equal(builders.ZERO, exponent))
        context.require("domain", defined, "0 to a negative power", node)
    else:
        positive = builders.less(builders.ZERO, base)
        context.require("domain", positive, "a power of a number that isn't positive", node)


def _repeated(context: Context, node: ast.expr | ast.stmt, base: ir.Expression, count: int) -> ir.Expression:
    if count > 1:
        base = _repeatable(context, base, node)
    result = builders.convert(builders.ONE, base.sort)
    for place in range(count):
        result = base if place == 0 else builders.arithmetic(ir.Operator.MULTIPLY, result, base)
    return result


def _repeatable(context: Context, expression: ir.Expression, node: ast.expr | ast.stmt) -> ir.Expression:
    """The expression, through a hidden variable if it is too large to be repeated."""
    if builders.is_small(expression):
        return expression
    (saved,) = flattening.expressions(context.save(ScalarValue(expression), node))
    return saved


def _list_message(operator: ast.operator) -> str:
    if isinstance(operator, ast.Mult):
        return "repeating a list is not supported"
    if isinstance(operator, ast.Add):
        return "adding lists is only supported as 'xs = xs + [...]' or 'xs += [...]'"
    return "a list is used as a number"
