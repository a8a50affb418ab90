"""Between which numbers an expression lies, as far as clipping and constants tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from synth.trusted.program import syntax as ir

Range = tuple[Fraction | None, Fraction | None]
"""The lowest and the highest value; None where there is none."""

_ANY: Range = (None, None)


def ranges(mechanism: ir.Mechanism) -> Ranges:
    """Return the ranges of a mechanism's expressions, each variable with all that it is assigned anywhere."""
    values: dict[str, list[ir.Expression] | None] = {}
    for item in ir.statements(mechanism.body):
        match item:
            case ir.Assign(target=name, value=value) if values.get(name, []) is not None:
                values[name] = [*(values.get(name) or []), value]
            case ir.Draw(target=name) | ir.Choose(target=name):
                values[name] = None
    values |= {item.name: None for item in mechanism.parameters}
    return Ranges({name: tuple(found) for name, found in values.items() if found})


@dataclass(frozen=True)
class Ranges:
    """``values`` are all that each variable is assigned."""

    values: Mapping[str, Sequence[ir.Expression]]

    def of(self, expression: ir.Expression, inside: frozenset[str] = frozenset()) -> Range:
        """Return the range of an expression; ``inside`` are the variables whose values are looked at."""
        match expression:
            case ir.Constant(value=exact):
                return Fraction(exact), Fraction(exact)
            case ir.Variable(name=name) if name in self.values and name not in inside:
                return _hull([self.of(value, inside | {name}) for value in self.values[name]])
            case ir.Operation(ir.Operator.IF, (_, *sides)):
                return _hull([self.of(side, inside) for side in sides])
            case ir.Operation(operator, operands):
                return _applied(operator, [self.of(item, inside) for item in operands])
        return _ANY


NO_RANGES = Ranges({})
"""Nothing is known of variables."""


def _hull(items: Sequence[Range]) -> Range:
    lows, highs = [low for low, _ in items], [high for _, high in items]
    return _least(lows), None if None in highs else max(high for high in highs if high is not None)


def _least(items: Sequence[Fraction | None]) -> Fraction | None:
    return None if None in items else min(item for item in items if item is not None)


def _applied(operator: ir.Operator, items: Sequence[Range]) -> Range:
    match operator, items:
        case ir.Operator.TO_REAL, [only]:
            return only
        case ir.Operator.NEGATE, [(low, high)]:
            return _opposite(high), _opposite(low)
        case ir.Operator.ADD, [(low, high), (other_low, other_high)]:
            return _sum(low, other_low), _sum(high, other_high)
        case ir.Operator.SUBTRACT, [first, (low, high)]:
            return _applied(ir.Operator.ADD, [first, (_opposite(high), _opposite(low))])
        case ir.Operator.DIVIDE, [first, (low, high)] if low is not None and low == high and low:
            return _applied(ir.Operator.MULTIPLY, [first, (1 / low, 1 / low)])
        case ir.Operator.MULTIPLY, [(low, high), (other_low, other_high)]:
            ends = [
                one * other
                for one, other in product((low, high), (other_low, other_high))
                if one is not None and other is not None
            ]
            return (min(ends), max(ends)) if len(ends) == 4 else _ANY
        case ir.Operator.ABSOLUTE, [(low, high)]:
            sides = [(low, high), (_opposite(high), _opposite(low))]
            return Fraction(0), _applied(ir.Operator.MAXIMUM, sides)[1]
        case ir.Operator.MAXIMUM, _:
            lows = [low for low, _ in items if low is not None]
            return max(lows, default=None), _hull(items)[1]
        case ir.Operator.MINIMUM, _:
            highs = [high for _, high in items if high is not None]
            return _hull(items)[0], min(highs, default=None)
    return _ANY


def _opposite(value: Fraction | None) -> Fraction | None:
    return None if value is None else -value


def _sum(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else one + other
