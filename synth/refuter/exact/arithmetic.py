"""Arithmetic and comparisons of values that may depend on noise or be irrational."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction

from flint import arb

from synth.refuter.exact.forms import Exact, Form, Value, add, scale
from synth.refuter.exact.laws import Enclosure, to_arb
from synth.refuter.exact.states import Comparison, DroppedMass, PrecisionLoss, State, UndeterminedBranch
from synth.trusted.program import syntax as ir


class UndefinedError(Exception):
    """The program does something undefined on this input: division by 0, an index outside, …"""


def compared(state: State, relation: str, left: Value, right: Value) -> bool:
    """``left REL right``.  Raises UndeterminedBranch, DroppedMass."""
    if isinstance(left, Enclosure) or isinstance(right, Enclosure):
        if isinstance(left, Form) or isinstance(right, Form):
            return _compared_with_ends(state, relation, left, right)
        return _compared_balls(relation, left, right)
    difference = add(left, right, -1)
    if not isinstance(difference, Form):
        return {"<": difference < 0, "<=": difference <= 0, "==": difference == 0}[relation]
    comparison = Comparison(relation, difference)
    known = state.known(comparison)
    if known is None:
        raise UndeterminedBranch(comparison)
    return known


def _compared_with_ends(state: State, relation: str, left: Value, right: Value) -> bool:
    """A value that depends on noise and an irrational one.  Raises UndeterminedBranch, DroppedMass."""
    if relation == "==":
        between = _compared_with_ends(state, "<=", left, right) and _compared_with_ends(
            state, "<=", right, left
        )
        if between:
            raise DroppedMass
        return False
    if isinstance(left, Enclosure):
        surely, perhaps = (compared(state, relation, end, right) for end in (left.high, left.low))
    else:
        assert isinstance(right, Enclosure)
        surely, perhaps = (compared(state, relation, left, end) for end in (right.low, right.high))
    if surely != perhaps:
        raise DroppedMass
    return surely


def _compared_balls(relation: str, left: Exact | Enclosure, right: Exact | Enclosure) -> bool:
    one, two = to_arb(left), to_arb(right)
    below, above = one < two, one > two
    if not below and not above:
        raise DroppedMass
    return bool(below) and relation != "=="


def chooser(smaller: bool) -> Callable[[State, Value, Value], Value]:
    """The minimum or maximum of two values."""

    def choose(state: State, one: Value, two: Value) -> Value:
        return one if compared(state, "<=", one, two) == smaller else two

    return choose


# --- arithmetic -----------------------------------------------------------------------------


_TINY = Fraction(1, 2**100)
"""Of noise that is taken for a point, what is computed stays a range of reals."""


def _ball(state: State, value: Value) -> arb:
    """Around a value.  Raises PrecisionLoss where noise is in no cell, DroppedMass where that has no end."""
    if not isinstance(value, Form):
        return to_arb(value)
    if not state.celled.issuperset(number for number, _ in value.terms):
        raise PrecisionLoss(value)
    low, high = value.bounds(state.noises)
    if isinstance(low, float) or isinstance(high, float):
        raise DroppedMass
    return to_arb(Enclosure(Fraction(low) - _TINY, Fraction(high) + _TINY))


def _enclosed(ball: arb) -> Value:
    """Raises DroppedMass."""
    if not ball.is_finite():
        raise DroppedMass
    enclosure = Enclosure.of(ball)
    return enclosure.low if enclosure.low == enclosure.high else enclosure


def _sum(sign: int) -> Callable[[State, Value, Value], Value]:
    def total(state: State, one: Value, two: Value) -> Value:
        if isinstance(one, Enclosure) or isinstance(two, Enclosure):
            return _enclosed(_ball(state, one) + sign * _ball(state, two))
        return add(one, two, sign)

    return total


def _product(state: State, one: Value, two: Value) -> Value:
    if isinstance(one, Enclosure) or isinstance(two, Enclosure):
        return _enclosed(_ball(state, one) * _ball(state, two))
    if isinstance(one, Form):
        if isinstance(two, Form):
            return _enclosed(_ball(state, one) * _ball(state, two))
        return scale(one, two)
    return scale(two, one) if isinstance(two, Form) else one * two


def _quotient(state: State, one: Value, two: Value) -> Value:
    if isinstance(one, Enclosure) or isinstance(two, Enclosure):
        return _enclosed(_ball(state, one) / _ball(state, two))
    if isinstance(two, Form):
        return _enclosed(_ball(state, one) / _ball(state, two))
    if two == 0:
        raise UndefinedError("a division by 0")
    return _product(state, one, 1 / Fraction(two))


def floor(state: State, value: Value) -> int:
    """The greatest integer that is at most the value.

    Raises UndeterminedBranch, PrecisionLoss, DroppedMass.
    """
    if isinstance(value, Enclosure):
        if math.floor(value.low) != math.floor(value.high):
            raise DroppedMass
        return math.floor(value.low)
    if not isinstance(value, Form):
        return math.floor(value)
    if any(state.noises[number].law.is_integer for number, _ in value.terms):
        raise PrecisionLoss(value)
    low, high = value.bounds(state.noises)
    if isinstance(low, float) or isinstance(high, float):
        raise PrecisionLoss(value)
    bottom, top = math.floor(low), math.ceil(high) - 1
    if bottom < top:
        compared(state, "<", value, (bottom + top + 1) // 2)
        raise DroppedMass  # known by a guess only: cells can't be cut further
    return bottom


def _floor_quotient(state: State, one: Value, two: Value) -> Value:
    return floor(state, _quotient(state, one, two))


def _modulo(state: State, one: Value, two: Value) -> Value:
    return _sum(-1)(state, one, _product(state, two, _floor_quotient(state, one, two)))


def _round(state: State, value: Value) -> Value:
    if isinstance(value, (Form, Enclosure)):  # of ties there are none, or single values are asked for
        return floor(state, _sum(1)(state, value, Fraction(1, 2)))
    return round(value)


def _truncate(state: State, value: Value) -> Value:
    if compared(state, "<", value, 0):
        return -floor(state, _product(state, value, -1))
    return floor(state, value)


def _absolute(state: State, value: Value) -> Value:
    return _product(state, value, -1) if compared(state, "<", value, 0) else value


def _not(state: State, value: Value) -> Value:
    return not value


def _analytic(function: Callable[[arb], arb]) -> Callable[[State, Value], Value]:
    def apply(state: State, value: Value) -> Value:
        ball = function(_ball(state, value))
        if not ball.is_finite():
            raise UndefinedError("a function outside of its domain")
        return _enclosed(ball)

    return apply


def _power(state: State, base: Value, exponent: Value) -> Value:
    if not isinstance(base, (Form, Enclosure)) and type(exponent) is int:
        if base == 0 and exponent < 0:
            raise UndefinedError("a negative power of 0")
        return base**exponent if exponent >= 0 else Fraction(base) ** exponent
    ball = _ball(state, base) ** _ball(state, exponent)
    if not ball.is_finite():
        raise UndefinedError("a power outside of its domain")
    return _enclosed(ball)


PLAIN: dict[ir.Operator, Callable[..., Exact]] = {
    ir.Operator.ADD: operator.add,
    ir.Operator.SUBTRACT: operator.sub,
    ir.Operator.MULTIPLY: operator.mul,
    ir.Operator.NEGATE: operator.neg,
    ir.Operator.ABSOLUTE: abs,
}
"""What operators do to plain integers."""

OTHERS: dict[ir.Operator, Callable[..., Value]] = {
    ir.Operator.ADD: _sum(1),
    ir.Operator.SUBTRACT: _sum(-1),
    ir.Operator.MULTIPLY: _product,
    ir.Operator.NEGATE: lambda state, value: _product(state, value, -1),
    ir.Operator.DIVIDE: _quotient,
    ir.Operator.FLOOR_DIVIDE: _floor_quotient,
    ir.Operator.MODULO: _modulo,
    ir.Operator.NOT: _not,
    ir.Operator.ABSOLUTE: _absolute,
    ir.Operator.FLOOR: floor,
    ir.Operator.CEILING: lambda state, value: -floor(state, _product(state, value, -1)),
    ir.Operator.ROUND: _round,
    ir.Operator.TRUNCATE: _truncate,
    ir.Operator.EXPONENTIAL: _analytic(arb.exp),
    ir.Operator.LOGARITHM: _analytic(arb.log),
    ir.Operator.SQUARE_ROOT: _analytic(arb.sqrt),
    ir.Operator.POWER: _power,
}
"""What operators do to values in general: functions of the state and the operands."""
