"""Expressions on values that are known in part: enclosures of what they may be."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from synth.trusted.program import syntax as ir
from synth.trusted.witness import functions
from synth.trusted.witness.values import (
    Box,
    End,
    Exact,
    Infinity,
    Number,
    Truth,
    Value,
    box,
    equal,
    hull,
    less,
    plus,
    simplest,
)

MAX_BITS = 20_000
MAX_DIGITS = 5_000
"""Bits of a numerator or denominator, at the most: numbers that are squared again and again are given up."""


class Incomplete(Exception):
    """The check does not go so far: an operation it has no rule for."""


class Exhausted(Incomplete):
    """The check takes too long."""


class Undefined(Exception):
    """The program is not defined here."""


@dataclass(frozen=True)
class Scope:
    """What expressions mention: scalars, lists, and the input's entries and lengths."""

    values: Mapping[str, Value]
    lists: Mapping[str, tuple[tuple[Value, ...], ...]]
    entries: Mapping[str, Mapping[tuple[int, ...], Value]]
    lengths: Mapping[str, int]


def evaluate(expression: ir.Expression, scope: Scope) -> Value:
    """A value that encloses the expression's.  Raises Incomplete, Undefined."""
    match expression:
        case ir.Constant(value=value):
            return Truth(value) if isinstance(value, bool) else value
        case ir.Variable(name=name):
            return scope.values[name]
        case ir.Length(sequence=sequence):
            if sequence in scope.lengths:
                return scope.lengths[sequence]
            return scope.values[f"{sequence}#len"]
        case ir.Read(source=source, index=index):
            place = tuple(_index(item, scope) for item in index)
            if place not in scope.entries[source]:
                raise Undefined(f"{source} is read outside")
            return scope.entries[source][place]
        case ir.Element(source=source, index=index, component=component):
            at = _index(index, scope)
            if not 0 <= at < len(scope.lists[source]):
                raise Undefined(f"{source} is read outside")
            return scope.lists[source][at][component]
        case ir.Operation(operator=operator, operands=operands):
            return _operation(operator, operands, scope)


def number(value: Value) -> Number:
    """The value, which is a number.  Raises Incomplete."""
    if isinstance(value, Truth | bool):
        raise Incomplete("a truth value in place of a number")
    return value


def truth(value: Value) -> Truth:
    """The value, which is a truth value.  Raises Incomplete."""
    if not isinstance(value, Truth):
        raise Incomplete("a number in place of a truth value")
    return value


def moderate(value: Number) -> Number:
    """The value.  Raises Exhausted if it has too many bits to be computed with."""
    ends = (value.low, value.high) if isinstance(value, Box) else (value,)
    for end in ends:
        if not isinstance(end, Infinity) and _bits(end) > MAX_BITS:
            raise Exhausted(f"a number of more than {MAX_BITS:,} bits")
    return value


def _bits(number: int | Fraction) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def _index(expression: ir.Expression, scope: Scope) -> int:
    value = number(evaluate(expression, scope))
    if isinstance(value, Box):
        raise Incomplete("an index that depends on noise")
    return int(value)


def _operation(operator: ir.Operator, operands: tuple[ir.Expression, ...], scope: Scope) -> Value:
    if operator is ir.Operator.IF:
        condition = truth(evaluate(operands[0], scope))
        if condition is Truth.UNKNOWN:
            return hull(_perhaps(operands[1], scope), _perhaps(operands[2], scope))
        return evaluate(operands[1 if condition is Truth.TRUE else 2], scope)
    if operator is ir.Operator.AND:
        return _in_turn(operands, scope, Truth.FALSE)
    if operator is ir.Operator.OR:
        return _in_turn(operands, scope, Truth.TRUE)
    values = [evaluate(item, scope) for item in operands]
    match operator:
        case ir.Operator.NOT:
            return truth(values[0]).negated()
        case ir.Operator.EQUAL:
            return equal(values[0], values[1])
    numbers = [number(value) for value in values]
    if operator in (ir.Operator.LESS, ir.Operator.LESS_EQUAL):
        return less(numbers[0], numbers[1], operator is ir.Operator.LESS_EQUAL)
    result = numbers[0] if len(numbers) > 1 else moderate(_unary(operator, numbers[0]))
    for value in numbers[1:]:
        result = moderate(_binary(operator, result, value))
    return result


def _in_turn(operands: tuple[ir.Expression, ...], scope: Scope, decisive: Truth) -> Truth:
    """What ``and`` or ``or`` gives, which evaluates no operand behind a decisive one."""
    unsure = False
    for operand in operands:
        found = truth(_perhaps(operand, scope) if unsure else evaluate(operand, scope))
        if found is decisive:
            return found
        unsure = unsure or found is Truth.UNKNOWN
    return Truth.UNKNOWN if unsure else decisive.negated()


def _perhaps(expression: ir.Expression, scope: Scope) -> Value:
    """A value that encloses that of an expression which may not be evaluated.  Raises Incomplete."""
    try:
        return evaluate(expression, scope)
    except Undefined as error:
        raise Incomplete(str(error)) from None


def _unary(operator: ir.Operator, value: Number) -> Number:
    content = box(value)
    match operator:
        case ir.Operator.TO_REAL:
            return value
        case ir.Operator.NEGATE:
            return simplest(Box(-content.high, -content.low, content.open))
        case ir.Operator.ABSOLUTE:
            if content.low >= 0:
                return value
            if content.high <= 0:
                return _unary(ir.Operator.NEGATE, value)
            return Box(0, max(-content.low, content.high))
        case ir.Operator.FLOOR:
            return _floors(content)
        case ir.Operator.CEILING:
            return _unary(ir.Operator.NEGATE, _floors(Box(-content.high, -content.low, content.open)))
        case ir.Operator.ROUND if not isinstance(value, Box):
            return round(value)
        case ir.Operator.TRUNCATE if content.low >= 0:
            return _floors(content)
        case ir.Operator.TRUNCATE if content.high <= 0:
            return _unary(ir.Operator.CEILING, value)
        case ir.Operator.EXPONENTIAL | ir.Operator.LOGARITHM | ir.Operator.SQUARE_ROOT:
            return _rising(operator, content)
    raise Incomplete(f"{operator.value} is not covered")


def _rising(operator: ir.Operator, content: Box) -> Number:
    """A function that rises, of numbers with bounds."""
    low, high = bounded(content.low), bounded(content.high)
    if operator is ir.Operator.EXPONENTIAL:
        return simplest(Box(_low(functions.exp(low)[0]), _high(functions.exp(high)[1])))
    lowest_is_inside = operator is ir.Operator.SQUARE_ROOT
    if high < 0 or (high == 0 and not lowest_is_inside):
        raise Undefined(f"{operator.value} outside of its domain")
    if low < 0 or (low == 0 and not lowest_is_inside):
        raise Incomplete(f"{operator.value} of a number that may be outside of its domain")
    function = functions.sqrt if lowest_is_inside else functions.log
    return simplest(Box(_low(function(low)[0]), _high(function(high)[1])))


def _low(end: Decimal) -> Fraction:
    """The number, or 0 below a very small one."""
    return Fraction(0) if end > 0 and end.adjusted() < -MAX_DIGITS else _fraction(end)


def _high(end: Decimal) -> Fraction:
    """The number, or a small one above a very small one."""
    return Fraction(1, 10**MAX_DIGITS) if end > 0 and end.adjusted() < -MAX_DIGITS else _fraction(end)


def _fraction(end: Decimal) -> Fraction:
    if end and abs(end.adjusted()) > MAX_DIGITS:
        raise Exhausted(f"a number of more than {MAX_BITS:,} bits")
    return Fraction(end)


def _floors(content: Box) -> Number:
    low = content.low if isinstance(content.low, Infinity) else math.floor(content.low)
    if isinstance(content.high, Infinity):
        return Box(low, content.high)
    high = math.ceil(content.high) - 1 if content.open else math.floor(content.high)
    return simplest(Box(low, high))


def _binary(operator: ir.Operator, one: Number, two: Number) -> Number:
    left, right = box(one), box(two)
    match operator:
        case ir.Operator.ADD:
            return plus(one, two)
        case ir.Operator.SUBTRACT:
            return plus(one, _unary(ir.Operator.NEGATE, two))
        case ir.Operator.MINIMUM:
            return simplest(
                Box(min(left.low, right.low), min(left.high, right.high), left.open and right.open)
            )
        case ir.Operator.MAXIMUM:
            return simplest(
                Box(max(left.low, right.low), max(left.high, right.high), left.open and right.open)
            )
        case ir.Operator.MULTIPLY if not isinstance(two, Box):
            return _scaled(left, _exact(two))
        case ir.Operator.MULTIPLY if not isinstance(one, Box):
            return _scaled(right, _exact(one))
        case ir.Operator.MULTIPLY:
            return _product(left, right)
        case ir.Operator.DIVIDE if isinstance(two, Box):
            return _product(left, _reciprocal(right))
    divisor = _exact(two)
    if operator is ir.Operator.POWER:
        if isinstance(one, Box) or Fraction(divisor).denominator != 1:
            raise Incomplete("a power that is not covered")
        return _power(Fraction(one), int(divisor))
    if divisor == 0:
        raise Undefined("a division by 0")
    quotient = _scaled(left, 1 / Fraction(divisor))
    match operator:
        case ir.Operator.DIVIDE:
            return quotient
        case ir.Operator.FLOOR_DIVIDE:
            return _floors(box(quotient))
        case ir.Operator.MODULO if not isinstance(one, Box):
            return _exact(one) % divisor
        case ir.Operator.MODULO:
            multiple = _floors(box(quotient))
            if isinstance(multiple, Box):
                return Box(min(divisor, 0), max(divisor, 0))
            return _binary(ir.Operator.SUBTRACT, one, _exact(multiple) * divisor)
    raise Incomplete(f"{operator.value} is not covered")


def _power(base: Fraction, exponent: int) -> Fraction:
    if base == 0 and exponent < 0:
        raise Undefined("a division by 0")
    if base not in (-1, 0, 1) and abs(exponent) * (_bits(base) - 1) > MAX_BITS:
        raise Exhausted(f"a number of more than {MAX_BITS:,} bits")
    return base ** (exponent if base not in (-1, 0, 1) else exponent % 2 or bool(exponent) * 2)


def _exact(value: Number) -> Exact:
    if isinstance(value, Box):
        raise Incomplete("an operation on two values that depend on noise")
    return value


def _product(one: Box, two: Box) -> Box:
    """The product of numbers with bounds."""
    ends = [bounded(left) * bounded(right) for left in (one.low, one.high) for right in (two.low, two.high)]
    return Box(min(ends), max(ends))


def _reciprocal(content: Box) -> Box:
    if content.low <= 0 <= content.high:
        raise Incomplete("a division by a number that may be 0")
    return Box(1 / bounded(content.high), 1 / bounded(content.low))


def bounded(end: End) -> Fraction:
    """The end, which is a number.  Raises Incomplete."""
    if isinstance(end, Infinity):
        raise Incomplete("an operation on a number without bounds")
    return Fraction(end)


def _scaled(content: Box, factor: Exact) -> Number:
    if factor == 0:
        return 0
    ends = content.low * factor, content.high * factor
    return simplest(Box(min(ends), max(ends), content.open))
