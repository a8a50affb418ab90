"""Exact values of expressions and of the kernel's terms, given those of public parameters."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any

from synth.trusted.logic.terms import Term, write
from synth.trusted.logic.terms import value as numeral
from synth.trusted.program import syntax as ir

Number = Fraction | bool
"""A rational or a truth value; integers are rationals here."""


class NoValueError(Exception):
    """The expression has no rational value that can be computed from those given."""


def value(expression: ir.Expression, values: Mapping[str, Number]) -> Number:
    """The value of an expression.  Raises NoValueError."""
    match expression:
        case ir.Constant(value=constant):
            return constant if isinstance(constant, bool) else Fraction(constant)
        case ir.Variable(name=name) if name in values:
            return values[name]
        case ir.Operation(operator=ir.Operator.IF, operands=(condition, then, otherwise)):
            return value(then if value(condition, values) else otherwise, values)
        case ir.Operation(operator=ir.Operator.POWER, operands=(base, exponent)):
            return _power(value(base, values), value(exponent, values))
        case ir.Operation(operator=known, operands=operands) if known in _OPERATIONS:
            return _applied(_OPERATIONS[known], [value(item, values) for item in operands])
    raise NoValueError


def rational(expression: ir.Expression, values: Mapping[str, Number]) -> Fraction:
    """The value of a number.  Raises NoValueError."""
    if expression.sort is ir.Sort.BOOL:
        raise NoValueError
    return Fraction(value(expression, values))


def term_value(term: Term, values: Mapping[str, Number]) -> Fraction:
    """The value of a term over public inputs.  Raises NoValueError."""
    exact = numeral(term)
    if exact is not None:
        return exact
    match term:
        case ("to_real", inner):
            return term_value(inner, values)
        case ("-", inner):
            return -term_value(inner, values)
        case (str() as head, *parts) if head in _ARITHMETIC:
            return Fraction(
                _applied(_folded(_ARITHMETIC[head]), [term_value(part, values) for part in parts])
            )
    name = write(term).strip("|").removesuffix("<>")
    if name not in values:
        raise NoValueError
    return Fraction(values[name])


def _applied(function: Callable[..., Any], arguments: list[Any]) -> Number:
    try:
        found = function(*arguments)
    except (ArithmeticError, ValueError):
        raise NoValueError from None
    return found if isinstance(found, bool) else Fraction(found)


def _power(base: Number, exponent: Number) -> Fraction:
    """Small integer powers only: others are irrational, or too long to write."""
    power = Fraction(exponent)
    if power.denominator != 1 or abs(power) > _MAX_POWER or (base == 0 and power < 0):
        raise NoValueError
    return Fraction(base) ** int(power)


def _folded(function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    return lambda *arguments: reduce(function, arguments)


_MAX_POWER = 1000

_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}

_OPERATIONS: dict[ir.Operator, Callable[..., Any]] = {
    ir.Operator.ADD: _folded(operator.add),
    ir.Operator.SUBTRACT: operator.sub,
    ir.Operator.MULTIPLY: _folded(operator.mul),
    ir.Operator.DIVIDE: operator.truediv,
    ir.Operator.FLOOR_DIVIDE: operator.floordiv,
    ir.Operator.MODULO: operator.mod,
    ir.Operator.NEGATE: operator.neg,
    ir.Operator.EQUAL: operator.eq,
    ir.Operator.LESS: operator.lt,
    ir.Operator.LESS_EQUAL: operator.le,
    ir.Operator.AND: lambda *parts: all(parts),
    ir.Operator.OR: lambda *parts: any(parts),
    ir.Operator.NOT: operator.not_,
    ir.Operator.TO_REAL: lambda inner: inner,
    ir.Operator.ABSOLUTE: abs,
    ir.Operator.MINIMUM: min,
    ir.Operator.MAXIMUM: max,
    ir.Operator.ROUND: round,
    ir.Operator.FLOOR: math.floor,
    ir.Operator.CEILING: math.ceil,
    ir.Operator.TRUNCATE: int,
}
