"""Where comparisons behind a draw turn: there it is worth to cut the draw, and nothing else rests on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from synth.trusted.program import syntax as ir
from synth.trusted.witness.boxes import Incomplete, Scope, Undefined, evaluate, number, truth
from synth.trusted.witness.flat import Branch, Flat
from synth.trusted.witness.values import Box, Infinity, Truth, Value, box

_MAX_STEPS = 200
_COMPARISONS = (ir.Operator.LESS, ir.Operator.LESS_EQUAL, ir.Operator.EQUAL)
_EVERYWHERE = Box(Infinity.BELOW, Infinity.ABOVE, True)


def turns(flat: Flat, place: int, target: str, scope: Scope) -> list[Box]:
    """Zones of the target's values in which comparisons up to the next draw turn, taken for linear in it."""
    found: dict[Box, None] = {}
    work = [(place, _with(scope, target, 0), _with(scope, target, 1))]
    for _ in range(_MAX_STEPS):
        if not work:
            break
        at, zero, one = work.pop()
        item = flat.code[at]
        try:
            match item:
                case ir.Assign(target=name, value=value):
                    zero, one = (_with(each, name, evaluate(value, each)) for each in (zero, one))
                    work.append((at + 1, zero, one))
                case Branch(condition=None, otherwise=there):
                    work.append((there, zero, one))
                case Branch(condition=condition, otherwise=there):
                    assert condition is not None
                    zones = list(_zones(condition, zero, one))
                    found |= dict.fromkeys(zones)
                    way = Truth.UNKNOWN if zones else truth(evaluate(condition, zero))
                    work += [(at + 1, zero, one)] if way is not Truth.FALSE else []
                    work += [(there, zero, one)] if way is not Truth.TRUE else []
                case ir.Assume(condition=condition) | ir.Obligation(condition=condition):
                    work.append((at + 1, zero, one))
                case ir.Append(target=name):
                    length = f"{name}#len"
                    zero, one = (_with(each, length, _next(each.values[length])) for each in (zero, one))
                    work.append((at + 1, zero, one))
                case _:
                    pass
        except (Incomplete, Undefined, KeyError):  # a way that no run goes
            continue
    return list(found)


def _with(scope: Scope, name: str, value: Value) -> Scope:
    return replace(scope, values={**scope.values, name: value})


def _next(length: Value) -> Value:
    assert isinstance(length, int)
    return length + 1


def _zones(condition: ir.Expression, zero: Scope, one: Scope) -> Iterator[Box]:
    for part in ir.subexpressions(condition):
        if isinstance(part, ir.Operation) and part.operator in _COMPARISONS:
            values = [evaluate(side, zero) for side in part.operands]
            if any(isinstance(value, Truth) for value in values):
                continue
            difference = ir.Operation(ir.Operator.SUBTRACT, part.operands, ir.Sort.REAL)
            zone = _root(*(box(number(evaluate(difference, scope))) for scope in (zero, one)))
            if zone is not None:
                yield zone


def _root(zero: Box, one: Box) -> Box | None:
    """Where a line is 0 that has these values at 0 and at 1; None if it doesn't rise or fall."""
    ends = [(left, right) for left, right in ((zero.low, one.low), (zero.high, one.high))]
    slopes = [
        Fraction(right) - Fraction(left)
        for left, right in ends
        if not isinstance(left, Infinity) and not isinstance(right, Infinity)
    ]
    if not slopes:
        return _EVERYWHERE
    if not slopes[0]:
        return None
    places = [end * (-1 / slopes[0]) for end in (zero.low, zero.high)]
    return Box(min(places), max(places))
