"""The values of a certificate's terms at one moment of two concrete executions."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import Any

from synth.trusted.core.exponential_numbers import Irrational, enclosure
from synth.trusted.core.expressions import Inexact, State, Value, evaluate
from synth.trusted.logic.terms import Term, value
from synth.trusted.program import syntax as ir

Lookup = Callable[[str], Any]
"""What a symbol stands for: a number, a truth value, or a function of integers.  Raises KeyError."""


_DIGITS = 12
_FINE = 10**9
"""Denominators of what is rounded, at the most."""


class NotComputed(Exception):
    """A value that is not computed here: only pictures rest on these values."""


def term_value(term: Term, lookup: Lookup) -> Any:
    """Return the value of a term, exactly where it is rational.  Raises NotComputed."""
    try:
        return _value(term, lookup)
    except (KeyError, TypeError, ValueError, ArithmeticError, IndexError, RecursionError) as error:
        raise NotComputed(str(error)) from None


def _value(term: Term, lookup: Lookup) -> Any:
    exact = value(term)
    if exact is not None:
        return exact
    match term:
        case "true" | "false":
            return term == "true"
        case str():
            return lookup(term)
        case ("ite", condition, then, otherwise):
            return _value(then if _value(condition, lookup) else otherwise, lookup)
        case (str() as head, *operands):
            return _applied(head, [_value(item, lookup) for item in operands], lookup)
    raise NotComputed(str(term))


def _applied(head: str, operands: list[Any], lookup: Lookup) -> Any:
    if head in _COMPARISONS:
        return all(_COMPARISONS[head](*pair) for pair in pairwise(operands))
    known = _OPERATORS.get(head) or _OPAQUE.get(head.strip("|").partition(":")[0])
    return known(*operands) if known is not None else lookup(head)(*operands)


def _difference(first: Any, *others: Any) -> Any:
    return first - sum(others) if others else -first


def _quotient(first: Any, *others: Any) -> Any:
    found = Fraction(first) if not isinstance(first, float) else first
    for item in others:
        found = found / item
    return found


_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_OPERATORS: Mapping[str, Callable[..., Any]] = {
    "+": lambda *items: sum(items),
    "*": lambda *items: reduce(operator.mul, items),
    "-": _difference,
    "/": _quotient,
    "and": lambda *items: all(items),
    "or": lambda *items: any(items),
    "not": operator.not_,
    "=>": lambda *items: items[-1] or not all(items[:-1]),
    "to_real": Fraction,
    "to_int": math.floor,
    "div": operator.floordiv,
    "mod": operator.mod,
}
_OPAQUE: Mapping[str, Callable[..., Any]] = {
    "*": operator.mul, "/": _quotient, "//": operator.floordiv, "%": operator.mod, "**": operator.pow,
    "log": math.log, "exp": math.exp, "sqrt": math.sqrt, "abs": abs, "min": min, "max": max,
    "round": round, "floor": math.floor, "ceil": math.ceil,
}  # fmt: skip
"""Products, quotients and the like of variables, which are symbols in a certificate."""


def approximate(expression: ir.Expression, state: State) -> bool | int | Fraction:
    """Return an expression's value, rounded where it is irrational.  Raises NotComputed, NoValue."""
    try:
        return rational(evaluate(expression, state))
    except Inexact:
        pass
    match expression:
        case ir.Operation(operator=ir.Operator.IF, operands=(condition, then, otherwise)):
            return approximate(then if approximate(condition, state) else otherwise, state)
        case ir.Operation(operator=symbol, operands=operands):
            inner = [approximate(item, state) for item in operands]
            try:
                found = _applied(symbol.value, [_float(item) for item in inner], _unknown)
                return Fraction(found).limit_denominator(_FINE)
            except (KeyError, TypeError, ValueError, ArithmeticError) as error:
                raise NotComputed(str(error)) from None
    raise NotComputed(str(expression))


def rational(value: Value) -> bool | int | Fraction:
    """Return the value, or a fraction next to an irrational one."""
    return enclosure(value, _DIGITS)[0] if isinstance(value, Irrational) else value


def _unknown(symbol: str) -> Any:
    raise KeyError(symbol)


def _float(item: Any) -> Any:
    return item if isinstance(item, bool) else float(item)
