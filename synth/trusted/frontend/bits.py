"""Shifts of integers by numbers that are known, and the last bits of integers: ``(mask >> j) & 1``."""

from __future__ import annotations

import ast

from synth.trusted.errors import Refusal
from synth.trusted.frontend import constructs
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.values import ScalarValue, Value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

MOST_BITS = 64
"""By how many bits an integer is shifted at most."""


def shifted(context: Context, node: ast.BinOp, left: Value, right: Value) -> Value:
    """``left >> bits`` is ``left // 2 ** bits``, and ``left << bits`` is ``left * 2 ** bits``.

    Raises ProgramError.
    """
    match left, right:
        case ScalarValue(number), ScalarValue(ir.Constant(value=int(bits), sort=ir.Sort.INT)):
            if number.sort is ir.Sort.INT and 0 <= bits <= MOST_BITS:
                return ScalarValue(_shifted(node.op, number, bits))
    raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, constructs.shift(node.op))


def _shifted(operator: ast.operator, number: ir.Expression, bits: int) -> ir.Expression:
    unit = builders.integer(2**bits)
    if isinstance(operator, ast.LShift):
        return builders.arithmetic(ir.Operator.MULTIPLY, number, unit)
    if isinstance(number, ir.Constant):
        return builders.integer(int(number.value) >> bits)
    return ir.Operation(ir.Operator.FLOOR_DIVIDE, (number, unit), ir.Sort.INT)


def last(operator: ast.operator, one: ir.Expression, other: ir.Expression) -> ir.Expression | None:
    """``x & 1``, ``x & 3`` and the like: x modulo a power of 2, of negative numbers, too; None for others."""
    for number, mask in ((one, other), (other, one)):
        match operator, mask:
            case ast.BitAnd(), ir.Constant(value=int(ones), sort=ir.Sort.INT):
                all_set = ones > 0 and not ones & (ones + 1)
                if all_set and number.sort is ir.Sort.INT and not _is_bit(number):
                    return _modulo(number, ones + 1)
    return None


def _is_bit(number: ir.Expression) -> bool:
    """Whether an integer is a truth value as the text says it."""
    match number:
        case ir.Operation(ir.Operator.IF, (_, builders.ONE, builders.ZERO)):
            return True
        case _:
            return False


def _modulo(number: ir.Expression, unit: int) -> ir.Expression:
    if isinstance(number, ir.Constant):
        return builders.integer(int(number.value) % unit)
    return ir.Operation(ir.Operator.MODULO, (number, builders.integer(unit)), ir.Sort.INT)
