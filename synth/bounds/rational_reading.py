"""Bounds read back from their text, to compare them as functions rather than as strings."""

from __future__ import annotations

import ast
from fractions import Fraction

from synth.bounds.rational import Rational


def read_rational(text: str) -> Rational:
    """The rational function that an expression in Python's syntax stands for.

    What is not rational (``len(q)``, ``n // 2``) is a variable of its own.  Raises ValueError.
    """
    try:
        return _value(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ZeroDivisionError, RecursionError) as error:
        raise ValueError(f"not an expression: {text!r}") from error


def same_bound(left: str, right: str) -> bool:
    """Whether two bounds are the same function; unreadable ones only if they are the same text."""
    try:
        return read_rational(left) == read_rational(right)
    except ValueError:
        return left.split() == right.split()


def is_evidently_larger(left: str, right: str) -> bool:
    """Whether one bound is at least the other wherever all variables are positive, term by term."""
    try:
        difference = read_rational(left) - read_rational(right)
    except ValueError:
        return False
    terms = (*difference.numerator.to_dict().values(), *difference.denominator.to_dict().values())
    return all(coefficient >= 0 for coefficient in terms)


def _value(node: ast.expr) -> Rational:
    match node:
        case ast.Constant(value=int() | float() as value):
            return Rational.number(Fraction(str(value)))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _value(left) + _value(right)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _value(left) - _value(right)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _value(left) * _value(right)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _value(left) / _value(right)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as power)):
            result = Rational.number(1)
            for _ in range(power):
                result = result * _value(left)
            return result
        case _:
            return Rational.variable(ast.unparse(node))
