"""Exact values of expressions and of the kernel's terms, given those of public parameters."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce

from synth.trusted.core.exponential_numbers import Irrational
from synth.trusted.core.expressions import Inexact, Malformed, NoValue, State, evaluate
from synth.trusted.logic.terms import Term, write
from synth.trusted.logic.terms import value as numeral
from synth.trusted.program import syntax as ir

Number = Fraction | bool
"""A rational or a truth value; integers are rationals here."""


class NoValueError(Exception):
    """The expression has no rational value that can be computed from those given."""


def value(expression: ir.Expression, values: Mapping[str, Number]) -> Number:
    """The value of an expression.  Raises NoValueError."""
    try:
        found = evaluate(expression, State((), values, {}, values))
    except (Inexact, Malformed, NoValue):
        raise NoValueError from None
    if isinstance(found, Irrational):
        raise NoValueError
    return found if isinstance(found, bool) else Fraction(found)


def rational(expression: ir.Expression, values: Mapping[str, Number]) -> Fraction:
    """The value of a number.  Raises NoValueError."""
    if expression.sort is ir.Sort.BOOL:
        raise NoValueError
    return Fraction(value(expression, values))


def term_value(term: Term, values: Mapping[str, Number]) -> Fraction:
    """The value of a term over public inputs.  Raises NoValueError."""
    exact = numeral(term)
    if exact is not None:
        return exact
    match term:
        case ("to_real", inner):
            return term_value(inner, values)
        case ("-", inner):
            return -term_value(inner, values)
        case (str() as head, *parts) if head in _ARITHMETIC:
            return _reduced(_ARITHMETIC[head], [term_value(part, values) for part in parts])
    name = write(term).strip("|").removesuffix("<>")
    if name not in values:
        raise NoValueError
    return Fraction(values[name])


def _reduced(function: Callable[[Fraction, Fraction], Fraction], parts: list[Fraction]) -> Fraction:
    try:
        return reduce(function, parts)
    except ZeroDivisionError:
        raise NoValueError from None


_ARITHMETIC: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
