"""Numbers as sums of multiples of what isn't a sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from synth.trusted.program import builders
from synth.trusted.program.syntax import Constant, Expression, Operation, Operator, Sort, Variable

ONE = Constant(Fraction(1), Sort.REAL)
"""What the constant of a sum is a multiple of."""


@dataclass(frozen=True)
class Sum:
    """A number as a sum of multiples of expressions; of 1 for its constant."""

    terms: Mapping[Expression, Fraction]

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
            factor.denominator == 1 and (part == ONE or part.sort is not Sort.REAL)
            for part, factor in self.terms.items()
        )

    def expression(self, sort: Sort) -> Expression:
        """As an expression of that sort; positive parts first."""
        total: Expression = builders.zero(sort)
        for part, times in sorted(self.terms.items(), key=lambda item: item[1] < 0):
            number = Constant(Fraction(1), Sort.REAL) if part == ONE else builders.convert(part, sort)
            size = abs(times)
            if part == ONE:
                number = Constant(int(size) if sort is Sort.INT else size, sort)
            elif size != 1:
                exact = Constant(int(size) if sort is Sort.INT else size, sort)
                number = builders.arithmetic(Operator.MULTIPLY, exact, number)
            total = builders.add(total, number) if times > 0 else builders.subtract(total, number)
        return total


def sum_of(expression: Expression, meant: Mapping[str, Expression]) -> Sum:
    """An expression as a sum, with what variables mean in their place."""
    match expression:
        case Constant(value=value) if not isinstance(value, bool):
            return Sum({ONE: Fraction(value)} if value else {})
        case Variable(name=name) if name in meant:
            rest = {other: value for other, value in meant.items() if other != name}
            return sum_of(meant[name], rest)
        case Operation(operator=Operator.TO_REAL, operands=(inner,)):
            terms = sum_of(inner, meant).terms
            return Sum(
                {part if part == ONE else builders.convert(part, Sort.REAL): x for part, x in terms.items()}
            )
        case Operation(operator=Operator.NEGATE, operands=(inner,)):
            return Sum({}).plus(sum_of(inner, meant), -1)
        case Operation(operator=Operator.ADD, operands=operands):
            total = Sum({})
            for item in operands:
                total = total.plus(sum_of(item, meant))
            return total
        case Operation(operator=Operator.SUBTRACT, operands=(left, right)):
            return sum_of(left, meant).plus(sum_of(right, meant), -1)
        case (
            Operation(operator=Operator.MULTIPLY, operands=(Constant(value=value), inner))
            | Operation(operator=Operator.MULTIPLY, operands=(inner, Constant(value=value)))
        ):
            return Sum({}).plus(sum_of(inner, meant), Fraction(value))
        case Operation(operator=Operator.DIVIDE, operands=(inner, Constant(value=value))) if value:
            return Sum({}).plus(sum_of(inner, meant), 1 / Fraction(value))
        case _:
            return Sum({expression: Fraction(1)})
