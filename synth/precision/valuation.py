"""Exact values of expressions and of the kernel's terms, given those of public parameters."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any

from synth.trusted.kernel.terms import Term, write
from synth.trusted.kernel.terms import value as numeral
from synth.trusted.program.syntax import Constant, Expression, Operation, Operator, Sort, Variable

Number = Fraction | bool
"""A rational or a truth value; integers are rationals here."""


class NoValueError(Exception):
    """The expression has no rational value that can be computed from those given."""


def value(expression: Expression, values: Mapping[str, Number]) -> Number:
    """The value of an expression.  Raises NoValueError."""
    match expression:
        case Constant(value=constant):
            return constant if isinstance(constant, bool) else Fraction(constant)
        case Variable(name=name) if name in values:
            return values[name]
        case Operation(operator=Operator.IF, operands=(condition, then, otherwise)):
            return value(then if value(condition, values) else otherwise, values)
        case Operation(operator=Operator.POWER, operands=(base, exponent)):
            return _power(value(base, values), value(exponent, values))
        case Operation(operator=known, operands=operands) if known in _OPERATIONS:
            return _applied(_OPERATIONS[known], [value(item, values) for item in operands])
    raise NoValueError


def rational(expression: Expression, values: Mapping[str, Number]) -> Fraction:
    """The value of a number.  Raises NoValueError."""
    if expression.sort is Sort.BOOL:
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
    if power.denominator != 1 or abs(power) > _LARGEST_POWER or (base == 0 and power < 0):
        raise NoValueError
    return Fraction(base) ** int(power)


def _folded(function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    return lambda *arguments: reduce(function, arguments)


_LARGEST_POWER = 1000

_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}

_OPERATIONS: dict[Operator, Callable[..., Any]] = {
    Operator.ADD: _folded(operator.add),
    Operator.SUBTRACT: operator.sub,
    Operator.MULTIPLY: _folded(operator.mul),
    Operator.DIVIDE: operator.truediv,
    Operator.FLOOR_DIVIDE: operator.floordiv,
    Operator.MODULO: operator.mod,
    Operator.NEGATE: operator.neg,
    Operator.EQUAL: operator.eq,
    Operator.LESS: operator.lt,
    Operator.LESS_EQUAL: operator.le,
    Operator.AND: lambda *parts: all(parts),
    Operator.OR: lambda *parts: any(parts),
    Operator.NOT: operator.not_,
    Operator.TO_REAL: lambda inner: inner,
    Operator.ABSOLUTE: abs,
    Operator.MINIMUM: min,
    Operator.MAXIMUM: max,
    Operator.ROUND: round,
    Operator.FLOOR: math.floor,
    Operator.CEILING: math.ceil,
    Operator.TRUNCATE: int,
}
