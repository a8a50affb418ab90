"""Integer expressions as linear combinations of what isn't linear in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir


@dataclass(frozen=True)
class Linear:
    """``constant`` plus the sum of factor times part; no factor is 0."""

    parts: Mapping[ir.Expression, int]
    constant: int

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        """The sum with a multiple of another one."""
        parts = dict(self.parts)
        for part, times in other.parts.items():
            parts[part] = parts.get(part, 0) + factor * times
        nonzero = {part: times for part, times in parts.items() if times}
        return Linear(nonzero, self.constant + factor * other.constant)

    def without(self, part: ir.Expression) -> Linear:
        """The rest."""
        return Linear({item: times for item, times in self.parts.items() if item != part}, self.constant)

    @property
    def leads(self) -> int:
        """The sign of the first part in a fixed order; 0 if there is none."""
        if not self.parts:
            return 0
        return 1 if self.parts[min(self.parts, key=repr)] > 0 else -1

    def sides(self) -> tuple[ir.Expression, ir.Expression]:
        """Two expressions without negative factors, of which this is the difference."""
        above = Linear(
            {part: times for part, times in self.parts.items() if times > 0}, max(self.constant, 0)
        )
        below = self.plus(above, -1)
        return above.expression(), Linear({}, 0).plus(below, -1).expression()

    def expression(self) -> ir.Expression:
        """As an expression."""
        total: ir.Expression = builders.ZERO
        for part, times in sorted(self.parts.items(), key=lambda item: (item[1] < 0, repr(item[0]))):
            size = builders.integer(abs(times))
            term = part if abs(times) == 1 else builders.arithmetic(ir.Operator.MULTIPLY, size, part)
            if times < 0 and total == builders.ZERO:
                total = builders.opposite(term)
            else:
                total = builders.add(total, term) if times > 0 else builders.subtract(total, term)
        number = builders.integer(abs(self.constant))
        return builders.add(total, number) if self.constant >= 0 else builders.subtract(total, number)


def linear(expression: ir.Expression) -> Linear:
    """An integer expression as a linear combination."""
    match expression:
        case ir.Constant(value=value):
            return Linear({}, int(value))
        case ir.Operation(operator=ir.Operator.NEGATE, operands=(inner,), sort=ir.Sort.INT):
            return Linear({}, 0).plus(linear(inner), -1)
        case ir.Operation(operator=ir.Operator.ADD, operands=operands, sort=ir.Sort.INT):
            total = Linear({}, 0)
            for operand in operands:
                total = total.plus(linear(operand))
            return total
        case ir.Operation(operator=ir.Operator.SUBTRACT, operands=(left, right), sort=ir.Sort.INT):
            return linear(left).plus(linear(right), -1)
        case ir.Operation(
            operator=ir.Operator.MULTIPLY, operands=(ir.Constant(value=factor), inner), sort=ir.Sort.INT
        ) | (
            ir.Operation(
                operator=ir.Operator.MULTIPLY, operands=(inner, ir.Constant(value=factor)), sort=ir.Sort.INT
            )
        ):
            return Linear({}, 0).plus(linear(inner), int(factor))
        case _:
            return Linear({expression: 1}, 0)
