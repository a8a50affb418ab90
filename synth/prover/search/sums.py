"""Numbers as sums of multiples of what isn't a sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

ONE = ir.Constant(Fraction(1), ir.Sort.REAL)
"""What the constant of a sum is a multiple of."""


@dataclass(frozen=True)
class Sum:
    """A number as a sum of multiples of expressions; of 1 for its constant."""

    terms: Mapping[ir.Expression, Fraction]

    def plus(self, other: Sum, factor: Fraction | int = 1) -> Sum:
        """The sum with a multiple of another one."""
        total = dict(self.terms)
        for part, times in other.terms.items():
            total[part] = total.get(part, Fraction(0)) + factor * times
        return Sum({part: times for part, times in total.items() if times})

    @property
    def is_integral(self) -> bool:
        """Whether it is an integer, as far as its parts tell."""
        return all(
            factor.denominator == 1 and (part == ONE or part.sort is not ir.Sort.REAL)
            for part, factor in self.terms.items()
        )

    def expression(self, sort: ir.Sort) -> ir.Expression:
        """As an expression of that sort; positive parts first."""
        total: ir.Expression = builders.zero(sort)
        for part, times in sorted(self.terms.items(), key=lambda item: item[1] < 0):
            number = ir.Constant(Fraction(1), ir.Sort.REAL) if part == ONE else builders.convert(part, sort)
            size = abs(times)
            if part == ONE:
                number = ir.Constant(int(size) if sort is ir.Sort.INT else size, sort)
            elif size != 1:
                exact = ir.Constant(int(size) if sort is ir.Sort.INT else size, sort)
                number = builders.arithmetic(ir.Operator.MULTIPLY, exact, number)
            total = builders.add(total, number) if times > 0 else builders.subtract(total, number)
        return total


def sum_of(expression: ir.Expression, opaque_definitions: Mapping[str, ir.Expression]) -> Sum:
    """An expression as a sum, with what variables mean in their place."""
    match expression:
        case ir.Constant(value=value) if not isinstance(value, bool):
            return Sum({ONE: Fraction(value)} if value else {})
        case ir.Variable(name=name) if name in opaque_definitions:
            rest = {other: value for other, value in opaque_definitions.items() if other != name}
            return sum_of(opaque_definitions[name], rest)
        case ir.Operation(operator=ir.Operator.TO_REAL, operands=(inner,)):
            terms = sum_of(inner, opaque_definitions).terms
            return Sum(
                {
                    part if part == ONE else builders.convert(part, ir.Sort.REAL): x
                    for part, x in terms.items()
                }
            )
        case ir.Operation(operator=ir.Operator.NEGATE, operands=(inner,)):
            return Sum({}).plus(sum_of(inner, opaque_definitions), -1)
        case ir.Operation(operator=ir.Operator.ADD, operands=operands):
            total = Sum({})
            for item in operands:
                total = total.plus(sum_of(item, opaque_definitions))
            return total
        case ir.Operation(operator=ir.Operator.SUBTRACT, operands=(left, right)):
            return sum_of(left, opaque_definitions).plus(sum_of(right, opaque_definitions), -1)
        case (
            ir.Operation(operator=ir.Operator.MULTIPLY, operands=(ir.Constant(value=value), inner))
            | ir.Operation(operator=ir.Operator.MULTIPLY, operands=(inner, ir.Constant(value=value)))
        ):
            return Sum({}).plus(sum_of(inner, opaque_definitions), Fraction(value))
        case ir.Operation(operator=ir.Operator.DIVIDE, operands=(inner, ir.Constant(value=value))) if value:
            return Sum({}).plus(sum_of(inner, opaque_definitions), 1 / Fraction(value))
        case _:
            return Sum({expression: Fraction(1)})
