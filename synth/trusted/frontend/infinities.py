"""Numbers that may be infinite: where a running maximum or minimum starts, until there is a value."""

from __future__ import annotations

import ast
from dataclasses import replace

from synth.trusted.errors import Refusal
from synth.trusted.frontend.constructs import INFINITE
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.values import ExtendedValue, ScalarValue, TupleValue, Value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir


def infinity(sign: int) -> ExtendedValue:
    """Return infinity of a sign."""
    return ExtendedValue(builders.TRUE, builders.ZERO, sign)


def written(text: object) -> ExtendedValue | None:
    """What ``float`` makes of a text, if it is infinity."""
    sign = INFINITE.get(text.strip().lower()) if isinstance(text, str) else None
    return None if sign is None else infinity(sign)


def is_one(*found: Value) -> bool:
    """Whether one of the values may be infinite."""
    return any(isinstance(value, ExtendedValue) for value in found)


def opposite(value: ExtendedValue) -> ExtendedValue:
    """``-value``."""
    return ExtendedValue(value.flag, builders.opposite(builders.numeric(value.expression)), -value.sign)


def finite(context: Context, value: Value, node: Located | ir.Span) -> Value:
    """The value where it is put out or kept in a list: that it is not infinite has to be shown."""
    match value:
        case ExtendedValue(flag, expression):
            if flag == builders.TRUE:
                message = "infinity is only supported in comparisons, and as a start of min and max"
                raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
            span = context.source.place(node)
            context.emit(ir.Obligation("domain", builders.negate(flag), "infinity is given out", span))
            return ScalarValue(expression)
        case TupleValue(items) if is_one(*items):
            return replace(value, items=tuple(finite(context, item, node) for item in items))
        case _:
            return value


def compare(
    context: Context, node: ast.expr, operator: ast.cmpop, left: Value, right: Value
) -> ir.Expression:
    """One comparison, but for ``in``."""
    first, second = _extended(context, left, node), _extended(context, right, node)
    match operator:
        case ast.Lt():
            return _less(first, second)
        case ast.Gt():
            return _less(second, first)
        case ast.LtE():
            return builders.negate(_less(second, first))
        case _:
            return builders.negate(_less(first, second))


def equal(context: Context, node: ast.expr, left: Value, right: Value) -> ir.Expression:
    """``left == right`` of numbers."""
    first, second = _extended(context, left, node), _extended(context, right, node)
    both = builders.both(first.flag, second.flag) if first.sign == second.sign else builders.FALSE
    neither = builders.both(builders.negate(first.flag), builders.negate(second.flag))
    return builders.either(both, builders.both(neither, builders.equal(first.expression, second.expression)))


def extreme(context: Context, node: ast.expr, largest: bool, left: Value, right: Value) -> Value:
    """``max(left, right)`` or ``min(left, right)``."""
    first, second = _extended(context, left, node), _extended(context, right, node)
    signs = {item.sign for item in (first, second) if item.flag != builders.FALSE}
    if len(signs) > 1:
        message = "an extreme of infinities of both signs is not supported"
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    operator = ir.Operator.MAXIMUM if largest else ir.Operator.MINIMUM
    one, other = builders.unify(builders.numeric(first.expression), builders.numeric(second.expression))
    extremal = builders.arithmetic(operator, one, other)
    sign = signs.pop() if signs else 1
    if (sign > 0) == largest:
        return _value(builders.either(first.flag, second.flag), extremal, sign)
    extremal = builders.choose(first.flag, other, builders.choose(second.flag, one, extremal))
    return _value(builders.both(first.flag, second.flag), extremal, sign)


def _value(flag: ir.Expression, expression: ir.Expression, sign: int) -> Value:
    if flag == builders.FALSE:
        return ScalarValue(expression)
    return ExtendedValue(flag, expression, sign)


def _extended(context: Context, value: Value, node: ast.expr) -> ExtendedValue:
    if isinstance(value, ExtendedValue):
        return value
    return ExtendedValue(builders.FALSE, context.numeric(value, node), 1)


def _less(left: ExtendedValue, right: ExtendedValue) -> ir.Expression:
    below = builders.less(builders.numeric(left.expression), builders.numeric(right.expression))
    if right.flag != builders.FALSE:
        infinite = builders.both(right.flag, builders.negate(_is(left, 1)))
        below = (
            builders.either(infinite, below)
            if right.sign > 0
            else builders.both(builders.negate(right.flag), below)
        )
    if left.flag == builders.FALSE:
        return below
    if left.sign > 0:
        return builders.both(builders.negate(left.flag), below)
    return builders.either(builders.both(left.flag, builders.negate(_is(right, -1))), below)


def _is(value: ExtendedValue, sign: int) -> ir.Expression:
    return value.flag if value.sign == sign else builders.FALSE
