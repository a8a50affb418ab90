"""Intervals of values, and expressions on them; truth values may be unknown (None)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from synth.trusted.program import syntax as ir
from synth.trusted.witness import functions

End = int | Fraction | float
"""An exact number or an infinity."""

MOST_BITS = 20_000
MOST_DIGITS = 5_000
"""Bits of a numerator or denominator, at the most: numbers that are squared again and again are given up."""


class Incomplete(Exception):
    """The check does not go so far: an operation it has no rule for."""


class Exhausted(Incomplete):
    """The check takes too long."""


class Undefined(Exception):
    """The program is not defined here."""


@dataclass(frozen=True, slots=True)
class Box:
    """A number between ``low`` and ``high``; ``open`` if it surely is neither."""

    low: End
    high: End
    open: bool = False


Thing = bool | int | Fraction | Box | None
"""A value: exact, in a box, or a truth value that is not known."""


def box(value: Thing) -> Box:
    """The value as a box."""
    if isinstance(value, Box):
        return value
    if value is None:
        return Box(0, 1)
    return Box(value, value)


def simplest(found: Box) -> Thing:
    """The number itself if it is the only one."""
    if found.low == found.high and not isinstance(found.low, float):
        return found.low
    return found


def hull(one: Thing, two: Thing) -> Thing:
    """All between two values; of truth values the one that both are, if they are one."""
    if _is_truth(one) and _is_truth(two):
        return one if one is two else None
    left, right = box(one), box(two)
    return simplest(Box(min(left.low, right.low), max(left.high, right.high), left.open and right.open))


def _is_truth(value: Thing) -> bool:
    return value is None or isinstance(value, bool)


@dataclass(frozen=True)
class Scope:
    """What expressions mention: scalars, lists, and the input's entries and lengths."""

    values: Mapping[str, Thing]
    lists: Mapping[str, tuple[tuple[Thing, ...], ...]]
    entries: Mapping[str, Mapping[tuple[int, ...], Thing]]
    lengths: Mapping[str, int]


def evaluate(expression: ir.Expression, scope: Scope) -> Thing:
    """A box that holds the value.  Raises Incomplete, Undefined."""
    match expression:
        case ir.Constant(value=value):
            return value
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
            if not -len(scope.lists[source]) <= at < len(scope.lists[source]):
                raise Undefined(f"{source} is read outside")
            return scope.lists[source][at][component]
        case ir.Operation(operator=operator, operands=operands):
            return moderate(_operation(operator, operands, scope))


def moderate(value: Thing) -> Thing:
    """The value.  Raises Exhausted if it has too many bits to be computed with."""
    ends = (value.low, value.high) if isinstance(value, Box) else (value,)
    for end in ends:
        if isinstance(end, int | Fraction) and _bits(end) > MOST_BITS:
            raise Exhausted(f"a number of more than {MOST_BITS:,} bits")
    return value


def _bits(number: int | Fraction) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def _index(expression: ir.Expression, scope: Scope) -> int:
    value = evaluate(expression, scope)
    if isinstance(value, Box) or value is None:
        raise Incomplete("an index that depends on noise")
    return int(value)


def _operation(operator: ir.Operator, operands: tuple[ir.Expression, ...], scope: Scope) -> Thing:
    if operator in (ir.Operator.AND, ir.Operator.OR):
        return _connected(operator is ir.Operator.OR, [evaluate(item, scope) for item in operands])
    if operator is ir.Operator.IF:
        condition = evaluate(operands[0], scope)
        if condition is None:
            return hull(evaluate(operands[1], scope), evaluate(operands[2], scope))
        return evaluate(operands[1 if condition else 2], scope)
    values = [evaluate(item, scope) for item in operands]
    if operator is ir.Operator.NOT:
        return None if values[0] is None else not values[0]
    if operator in (ir.Operator.LESS, ir.Operator.LESS_EQUAL):
        return less(values[0], values[1], operator is ir.Operator.LESS_EQUAL)
    if operator is ir.Operator.EQUAL:
        return equal(values[0], values[1])
    result = values[0] if len(values) > 1 else _unary(operator, values[0])
    for value in values[1:]:
        result = moderate(_binary(operator, result, value))
    return result


def _connected(decisive: bool, values: list[Thing]) -> Thing:
    known = [value for value in values if value is not None]
    if any(bool(value) is decisive for value in known):
        return decisive
    return (not decisive) if len(known) == len(values) else None


def less(one: Thing, two: Thing, or_equal: bool) -> bool | None:
    """Whether one is less than two, None if the boxes leave it open."""
    left, right = box(one), box(two)
    apart = left.open or right.open
    if left.high < right.low or (left.high == right.low and (or_equal or apart)):
        return True
    if left.low > right.high or (left.low == right.high and (not or_equal or apart)):
        return False
    return None


def equal(one: Thing, two: Thing) -> bool | None:
    """Whether two values are equal, None if the boxes leave it open."""
    left, right = box(one), box(two)
    if less(left, right, False) or less(right, left, False):
        return False
    return True if left.low == left.high == right.low == right.high else None


def _unary(operator: ir.Operator, value: Thing) -> Thing:
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
        case ir.Operator.ROUND if not isinstance(value, Box) and value is not None:
            return round(value)
        case ir.Operator.TRUNCATE if content.low >= 0:
            return _floors(content)
        case ir.Operator.TRUNCATE if content.high <= 0:
            return _unary(ir.Operator.CEILING, value)
        case ir.Operator.EXPONENTIAL | ir.Operator.LOGARITHM | ir.Operator.SQUARE_ROOT:
            return _rising(operator, content)
    raise Incomplete(f"{operator.value} is not covered")


def _rising(operator: ir.Operator, content: Box) -> Thing:
    """A function that rises, of numbers with bounds."""
    if isinstance(content.low, float) or isinstance(content.high, float):
        raise Incomplete(f"{operator.value} of a number without bounds")
    low, high = Fraction(content.low), Fraction(content.high)
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
    return Fraction(0) if end > 0 and end.adjusted() < -MOST_DIGITS else _fraction(end)


def _high(end: Decimal) -> Fraction:
    """The number, or a small one above a very small one."""
    return Fraction(1, 10**MOST_DIGITS) if end > 0 and end.adjusted() < -MOST_DIGITS else _fraction(end)


def _fraction(end: Decimal) -> Fraction:
    if end and abs(end.adjusted()) > MOST_DIGITS:
        raise Exhausted(f"a number of more than {MOST_BITS:,} bits")
    return Fraction(end)


def _floors(content: Box) -> Thing:
    low = content.low if isinstance(content.low, float) else math.floor(content.low)
    if isinstance(content.high, float):
        return Box(low, content.high)
    high = math.ceil(content.high) - 1 if content.open else math.floor(content.high)
    return simplest(Box(low, high))


def _binary(operator: ir.Operator, one: Thing, two: Thing) -> Thing:
    left, right = box(one), box(two)
    apart = left.open or right.open
    match operator:
        case ir.Operator.ADD:
            return simplest(Box(left.low + right.low, left.high + right.high, apart))
        case ir.Operator.SUBTRACT:
            return simplest(Box(left.low - right.high, left.high - right.low, apart))
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
        if isinstance(one, Box) or one is None or Fraction(divisor).denominator != 1:
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
    if base not in (-1, 0, 1) and abs(exponent) * (_bits(base) - 1) > MOST_BITS:
        raise Exhausted(f"a number of more than {MOST_BITS:,} bits")
    return base ** (exponent if base not in (-1, 0, 1) else exponent % 2 or bool(exponent) * 2)


def _exact(value: Thing) -> int | Fraction:
    if isinstance(value, Box) or value is None:
        raise Incomplete("an operation on two values that depend on noise")
    return value


def _product(one: Box, two: Box) -> Box:
    """The product of numbers with bounds."""
    ends = [_bounded(left) * _bounded(right) for left in (one.low, one.high) for right in (two.low, two.high)]
    return Box(min(ends), max(ends))


def _reciprocal(content: Box) -> Box:
    if content.low <= 0 <= content.high:
        raise Incomplete("a division by a number that may be 0")
    return Box(1 / _bounded(content.high), 1 / _bounded(content.low))


def _bounded(end: End) -> Fraction:
    if isinstance(end, float):
        raise Incomplete("a product or quotient of a number without bounds")
    return Fraction(end)


def _scaled(content: Box, factor: int | Fraction) -> Thing:
    if factor == 0:
        return 0
    ends = sorted((_times(content.low, factor), _times(content.high, factor)))
    return simplest(Box(ends[0], ends[1], content.open))


def _times(end: End, factor: int | Fraction) -> End:
    """An infinity stays one: as a float a small factor is 0, and the product none of either sign."""
    if isinstance(end, float):
        return end if factor > 0 else -end
    return end * factor
