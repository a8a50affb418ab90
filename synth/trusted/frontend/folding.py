"""Expressions with constants computed: what an entry of an array is at an index that is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

_COMPUTED: dict[ir.Operator, Callable[..., ir.Expression]] = {
    ir.Operator.IF: builders.choose,
    ir.Operator.EQUAL: builders.equal,
    ir.Operator.LESS: builders.less,
    ir.Operator.LESS_EQUAL: builders.less_equal,
    ir.Operator.AND: builders.both,
    ir.Operator.OR: builders.either,
    ir.Operator.NOT: builders.negate,
    ir.Operator.ADD: builders.add,
    ir.Operator.SUBTRACT: builders.subtract,
}


def folded(expression: ir.Expression) -> ir.Expression:
    """The same value, without choices and comparisons between constants."""
    match expression:
        case ir.Operation(operator, operands):
            parts = tuple(map(folded, operands))
            compute = _COMPUTED.get(operator)
            return replace(expression, operands=parts) if compute is None else compute(*parts)
        case ir.Read(index=index):
            return replace(expression, index=tuple(map(folded, index)))
        case ir.Element(index=place):
            return replace(expression, index=folded(place))
        case _:
            return expression
