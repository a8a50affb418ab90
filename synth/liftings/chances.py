"""The chances of what a mechanism returns as exact numbers, where draws of finitely many values decide it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

from synth.liftings.exponential_sums import Exact
from synth.prover.normal_form.pipeline import canonical
from synth.trusted.normal_form.decision_trees import Intractable
from synth.trusted.normal_form.output_distribution import output_law
from synth.trusted.program import syntax as ir

Value = bool | Exact
Inputs = Mapping[str, Any]
"""Numbers, and tuples of them (of tuples, for functions of several arguments), by parameter."""

_MAX_POWER = 64


class InexactError(Exception):
    """A value that is no quotient of sums of powers of e, or a law that is not found."""


def chances(
    mechanism: ir.Mechanism, inputs: Inputs, outputs: Sequence[Sequence[bool | int | Fraction]]
) -> list[Exact]:
    """The probability of each output (its flat parts) on an input.  Raises InexactError."""
    try:
        law = output_law(canonical(mechanism))
    except Intractable:
        raise InexactError from None
    if any(len(parts) != len(law.values) for parts in outputs):
        raise InexactError
    found = []
    for parts in outputs:
        names = (value.name for value in law.values)
        valuation = _Valuation(inputs, dict(zip(names, parts, strict=True)))
        hits = [chance for condition, chance in law.outcomes if valuation.value(condition) is True]
        found.append(valuation.number(hits[0]) if hits else Exact.number(0))
    return found


def exact_value(expression: ir.Expression, inputs: Inputs) -> Exact:
    """The value of an expression over parameters.  Raises InexactError."""
    return _Valuation(inputs, {}).number(expression)


@dataclass(frozen=True)
class _Valuation:
    inputs: Inputs
    values: Mapping[str, bool | int | Fraction]

    def number(self, expression: ir.Expression) -> Exact:
        value = self.value(expression)
        if isinstance(value, bool):
            raise InexactError
        return value

    def rational(self, expression: ir.Expression) -> Fraction:
        value = self.number(expression).rational
        if value is None:
            raise InexactError
        return value

    def value(self, expression: ir.Expression) -> Value:
        match expression:
            case ir.Constant(value=value):
                return _of(value)
            case ir.Variable(name=name):
                return _of(self.values[name] if name in self.values else self.inputs[name])
            case ir.Length(sequence=name) if name in self.inputs:
                return Exact.number(len(self.inputs[name]))
            case ir.Read(source=source, index=index):
                return _of(reduce(_entry, map(self.rational, index), self.inputs[source]))
            case ir.Operation():
                return self._operation(expression)
        raise InexactError

    def _operation(self, whole: ir.Operation) -> Value:
        match whole.operator, whole.operands:
            case ir.Operator.AND, parts:
                return all(self.value(part) is True for part in parts)
            case ir.Operator.OR, parts:
                return any(self.value(part) is True for part in parts)
            case ir.Operator.NOT, (part,):
                return self.value(part) is False
            case ir.Operator.IF, (condition, then, otherwise):
                return self.value(then if self.value(condition) is True else otherwise)
            case ir.Operator.EQUAL, (left, right) if left.sort is ir.Sort.BOOL:
                return self.value(left) is self.value(right)
            case ir.Operator.TO_REAL, (part,):
                return self.value(part)
            case ir.Operator.NEGATE, (part,):
                return -self.number(part)
            case ir.Operator.EXPONENTIAL, (part,):
                return Exact.power(self.rational(part))
            case ir.Operator.POWER, (base, exponent):
                return self._power(self.number(base), self.rational(exponent))
            case (ir.Operator.MINIMUM | ir.Operator.MAXIMUM) as operator, parts:
                sign = 1 if operator is ir.Operator.MAXIMUM else -1
                numbers = map(self.number, parts)
                return reduce(lambda one, two: two if (two - one).sign == sign else one, numbers)
            case operator, (left, right) if operator in _COMPARISONS:
                return (self.number(left) - self.number(right)).sign in _COMPARISONS[operator]
            case operator, parts if operator in _ARITHMETIC:
                return reduce(_ARITHMETIC[operator], map(self.number, parts))
            case operator, (left, right) if operator in _ON_RATIONALS:
                return Exact.number(_ON_RATIONALS[operator](self.rational(left), self.rational(right)))
        raise InexactError

    def _power(self, base: Exact, exponent: Fraction) -> Exact:
        if exponent.denominator != 1 or abs(exponent) > _MAX_POWER:
            raise InexactError
        product = reduce(Exact.__mul__, [base] * abs(int(exponent)), Exact.number(1))
        return product if exponent >= 0 else Exact.number(1) / product


_COMPARISONS: dict[ir.Operator, tuple[int, ...]] = {
    ir.Operator.EQUAL: (0,),
    ir.Operator.LESS: (-1,),
    ir.Operator.LESS_EQUAL: (-1, 0),
}
"""The signs of the difference for which they hold."""

_ARITHMETIC: dict[ir.Operator, Callable[[Exact, Exact], Exact]] = {
    ir.Operator.ADD: Exact.__add__,
    ir.Operator.SUBTRACT: Exact.__sub__,
    ir.Operator.MULTIPLY: Exact.__mul__,
    ir.Operator.DIVIDE: Exact.__truediv__,
}

_ON_RATIONALS: dict[ir.Operator, Callable[[Fraction, Fraction], Fraction | int]] = {
    ir.Operator.FLOOR_DIVIDE: Fraction.__floordiv__,
    ir.Operator.MODULO: Fraction.__mod__,
}


def _of(value: bool | int | Fraction) -> Value:
    return value if isinstance(value, bool) else Exact.number(value)


def _entry(entries: Any, place: Fraction) -> Any:
    if place.denominator != 1 or not 0 <= place < len(entries):
        raise InexactError
    return entries[int(place)]
