"""Uniform draws, decided only as far as a run asks: what is left of one is uniform on an interval."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction

from synth.validation.values import NotComputed, Uniform, Value, is_number, plain
from synth.validation.ways import Draw

_CELLS = 64


def scaled(symbol: str, left: Value, right: Value) -> Value:
    """Arithmetic with one uniform draw and a number.  Raises NotComputed."""
    match left, right:
        case Uniform(source, factor, offset), other if is_number(other):
            number = plain(other)
            match symbol:
                case "+":
                    return Uniform(source, factor, offset + number)
                case "-":
                    return Uniform(source, factor, offset - number)
                case "*" if number:
                    return Uniform(source, factor * number, offset * number)
                case "/" if number:
                    return Uniform(source, factor / Fraction(number), offset / Fraction(number))
        case other, Uniform(source, factor, offset) if is_number(other):
            number = plain(other)
            match symbol:
                case "+":
                    return Uniform(source, factor, offset + number)
                case "-":
                    return Uniform(source, -factor, number - offset)
                case "*" if number:
                    return Uniform(source, factor * number, offset * number)
    raise NotComputed("arithmetic with a uniform draw")


def compared(symbol: str, left: Value, right: Value, draw: Draw) -> bool:
    """Whether a uniform draw compares so with a number; it never equals one.  Raises NotComputed."""
    if isinstance(right, Uniform):
        turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
        return compared(turned.get(symbol, symbol), right, left, draw)
    if not is_number(right):
        raise NotComputed("a uniform draw beside something else")
    if symbol in ("==", "!="):
        return symbol == "!="
    found = is_below(left, plain(right), draw)
    return found if symbol in ("<", "<=") else not found


def is_below(uniform: Uniform, number: Fraction | float, draw: Draw) -> bool:
    """Whether it is below a number: the draw is decided as far."""
    source = uniform.source
    end = (number - uniform.offset) / uniform.factor
    if end <= source.low or end >= source.high:
        low = source.high <= end
    else:
        share = float((end - source.low) / (source.high - source.low))
        low = draw(((True, share), (False, 1 - share)))
        if low:
            source.high = end
        else:
            source.low = end
    return bool(low) if uniform.factor > 0 else not low


def floor_of(uniform: Uniform, draw: Draw) -> int:
    """The integer below.  Raises NotComputed if it is one of many."""
    ends = [uniform.factor * end + uniform.offset for end in (uniform.source.low, uniform.source.high)]
    low, high = math.floor(min(ends)), math.ceil(max(ends))
    if high - low > _CELLS:
        raise NotComputed("a uniform draw of many integers")
    for whole in range(low + 1, high):
        if is_below(uniform, Fraction(whole), draw):
            return whole - 1
    return high - 1


ORDER: dict[str, Callable[[Value, Value], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
