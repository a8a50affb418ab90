"""The logarithm of the ratio of two public chances: what it costs that one value has both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from synth.bounds.rational import Rational
from synth.bounds.scales import opaque_name, opaque_parts, rational
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

ZERO_COST = ir.Constant(Fraction(0), ir.Sort.REAL)
_UNIT = ir.Constant(Fraction(1), ir.Sort.REAL)


def loss(first: ir.Expression, second: ir.Expression) -> ir.Expression:
    """The logarithm of the ratio of two public chances that are not 0, an exponent if it is one."""
    ratio = rational(first) / rational(second)
    exact = exponent_of(ratio, {**opaque_parts(first), **opaque_parts(second)})
    if exact is not None:
        return exact
    return logarithm_of_ratio(first, second)


def logarithm_of_ratio(first: ir.Expression, second: ir.Expression) -> ir.Expression:
    """The logarithm of the ratio of two public chances that are not 0, written as one."""
    ratio = rational(first) / rational(second)
    return ir.Operation(ir.Operator.LOGARITHM, (_expression(ratio, (first, second)),), ir.Sort.REAL)


def is_logarithm(expression: ir.Expression) -> bool:
    """Whether an expression is the logarithm of something."""
    return isinstance(expression, ir.Operation) and expression.operator is ir.Operator.LOGARITHM


def exponent_of(ratio: Rational, opaque: Mapping[str, ir.Expression]) -> ir.Expression | None:
    """Give e where the ratio is exp(e), a product of powers of exponentials in it."""
    total: ir.Expression = ZERO_COST
    for part, sign in ((ratio.numerator, 1), (ratio.denominator, -1)):
        terms = part.to_dict()
        if len(terms) != 1:
            return None
        ((powers, coefficient),) = terms.items()
        if coefficient != 1:
            return None
        for name, power in zip(ratio.names, powers, strict=True):
            match opaque.get(name):
                case _ if not power:
                    continue
                case ir.Operation(operator=ir.Operator.EXPONENTIAL, operands=(exponent,)):
                    total = builders.add(total, _multiple(sign * int(power), exponent))
                case _:
                    return None
    return total


def _expression(item: Rational, parts: Iterable[ir.Expression]) -> ir.Expression:
    """A rational function as an expression; ``parts`` mention all that its variables stand for."""
    opaque_definitions = {opaque_name(part): part for whole in parts for part in ir.subexpressions(whole)}
    top, bottom = (
        _polynomial(part.to_dict(), item.names, opaque_definitions)
        for part in (item.numerator, item.denominator)
    )
    return builders.divide(top, bottom) if bottom != _UNIT else top


def _polynomial(
    terms: Mapping[tuple[int, ...], object],
    names_: tuple[str, ...],
    opaque_definitions: Mapping[str, ir.Expression],
) -> ir.Expression:
    total: ir.Expression = ZERO_COST
    for powers, coefficient in terms.items():
        value = Fraction(int(coefficient.p), int(coefficient.q))  # type: ignore[attr-defined]
        product: ir.Expression = _UNIT
        for name, power in zip(names_, powers, strict=True):
            for _ in range(int(power)):
                factor = builders.convert(opaque_definitions[name], ir.Sort.REAL)
                product = (
                    factor if product == _UNIT else builders.arithmetic(ir.Operator.MULTIPLY, product, factor)
                )
        total = _plus(total, abs(value), product, negative=value < 0)
    return total


def _plus(total: ir.Expression, factor: Fraction, product: ir.Expression, *, negative: bool) -> ir.Expression:
    number = ir.Constant(factor, ir.Sort.REAL)
    if product == _UNIT:
        term: ir.Expression = number
    else:
        term = product if factor == 1 else builders.arithmetic(ir.Operator.MULTIPLY, number, product)
    return builders.subtract(total, term) if negative else builders.add(total, term)


def _multiple(factor: int, expression: ir.Expression) -> ir.Expression:
    if factor == 1:
        return expression
    return builders.arithmetic(ir.Operator.MULTIPLY, ir.Constant(Fraction(factor), ir.Sort.REAL), expression)
