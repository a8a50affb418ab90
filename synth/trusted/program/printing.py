"""Expressions of the typed program as Python text."""

from __future__ import annotations

from fractions import Fraction

from synth.trusted.program.syntax import (
    Constant,
    Element,
    Expression,
    Length,
    Operation,
    Operator,
    Read,
    Variable,
)

_INFIX = {
    Operator.OR: 1,
    Operator.AND: 2,
    Operator.EQUAL: 4,
    Operator.LESS: 4,
    Operator.LESS_EQUAL: 4,
    Operator.ADD: 5,
    Operator.SUBTRACT: 5,
    Operator.MULTIPLY: 6,
    Operator.DIVIDE: 6,
    Operator.FLOOR_DIVIDE: 6,
    Operator.MODULO: 6,
    Operator.POWER: 8,
}


def text(expression: Expression) -> str:
    """The expression in Python's syntax."""
    return _text(expression)[0]


def _text(expression: Expression) -> tuple[str, int]:
    match expression:
        case Constant(value=value):
            exact = Fraction(value)
            if exact < 0:
                return str(exact), 7 if exact.denominator == 1 else 6
            return (str(value), 9) if exact.denominator == 1 or isinstance(value, bool) else (str(exact), 6)
        case Variable(name=name):
            return name, 9
        case Length(sequence=sequence):
            return f"len({sequence})", 9
        case Read(source=source, index=index):
            return f"{source}[{', '.join(text(item) for item in index)}]", 9
        case Element(source=source, index=index):
            return f"{source}[{text(index)}]", 9
        case Operation():
            return _operation(expression)


def _operation(expression: Operation) -> tuple[str, int]:
    operands = [_text(item) for item in expression.operands]
    symbol = expression.operator
    if symbol is Operator.TO_REAL:
        return operands[0]
    if symbol is Operator.NOT:
        return f"not {_at(operands[0], 4)}", 3
    if symbol is Operator.NEGATE:
        return f"-{_at(operands[0], 7)}", 7
    if symbol is Operator.IF:
        condition, then, otherwise = operands
        return f"{_at(then, 1)} if {_at(condition, 1)} else {_at(otherwise, 0)}", 0
    level = _INFIX.get(symbol)
    if level is None:
        return f"{symbol.value}({', '.join(item for item, _ in operands)})", 9
    first, *rest = operands
    separator = f" {symbol.value} " if level < 6 else symbol.value
    opening = level + 1 if symbol is Operator.POWER or level == _INFIX[Operator.EQUAL] else level
    return separator.join([_at(first, opening), *(_at(item, level + 1) for item in rest)]), level


def _at(item: tuple[str, int], level: int) -> str:
    written, own = item
    return written if own >= level else f"({written})"
