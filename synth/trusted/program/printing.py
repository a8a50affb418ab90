"""Expressions of the typed program as Python text."""

from __future__ import annotations

from fractions import Fraction

from synth.trusted.program import syntax as ir

LEVELS = {
    ir.Operator.OR: 1,
    ir.Operator.AND: 2,
    ir.Operator.EQUAL: 4,
    ir.Operator.LESS: 4,
    ir.Operator.LESS_EQUAL: 4,
    ir.Operator.ADD: 5,
    ir.Operator.SUBTRACT: 5,
    ir.Operator.MULTIPLY: 6,
    ir.Operator.DIVIDE: 6,
    ir.Operator.FLOOR_DIVIDE: 6,
    ir.Operator.MODULO: 6,
    ir.Operator.POWER: 8,
}
"""How tightly operators between operands bind in Python."""


def text(expression: ir.Expression) -> str:
    """The expression in Python's syntax."""
    return _text(expression)[0]


def _text(expression: ir.Expression) -> tuple[str, int]:
    match expression:
        case ir.Constant(value=value):
            exact = Fraction(value)
            if exact < 0:
                return str(exact), 7 if exact.denominator == 1 else 6
            return (str(value), 9) if exact.denominator == 1 or isinstance(value, bool) else (str(exact), 6)
        case ir.Variable(name=name):
            return name, 9
        case ir.Length(sequence=sequence):
            return f"len({sequence})", 9
        case ir.Read(source=source, index=index):
            return f"{source}[{', '.join(text(item) for item in index)}]", 9
        case ir.Element(source=source, index=index):
            return f"{source}[{text(index)}]", 9
        case ir.Operation():
            return _operation(expression)


def _operation(expression: ir.Operation) -> tuple[str, int]:
    operands = [_text(item) for item in expression.operands]
    symbol = expression.operator
    if symbol is ir.Operator.TO_REAL:
        return operands[0]
    if symbol is ir.Operator.NOT:
        return f"not {_at(operands[0], 4)}", 3
    if symbol is ir.Operator.NEGATE:
        return f"-{_at(operands[0], 7)}", 7
    if symbol is ir.Operator.IF:
        condition, then, otherwise = operands
        return f"{_at(then, 1)} if {_at(condition, 1)} else {_at(otherwise, 0)}", 0
    level = LEVELS.get(symbol)
    if level is None:
        return f"{symbol.value}({', '.join(item for item, _ in operands)})", 9
    first, *rest = operands
    separator = f" {symbol.value} " if level < 6 else symbol.value
    opening = level + 1 if symbol is ir.Operator.POWER or level == LEVELS[ir.Operator.EQUAL] else level
    return separator.join([_at(first, opening), *(_at(item, level + 1) for item in rest)]), level


def _at(item: tuple[str, int], level: int) -> str:
    written, own = item
    return written if own >= level else f"({written})"
