"""Expressions with parts put in place of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from synth.trusted.program import syntax as ir


def mapped(
    expression: ir.Expression, change: Callable[[ir.Expression], ir.Expression | None]
) -> ir.Expression:
    """The expression with each outermost part that ``change`` gives something for replaced by that."""
    changed = change(expression)
    if changed is not None:
        return changed
    match expression:
        case ir.Operation(operands=operands):
            return replace(expression, operands=tuple(mapped(item, change) for item in operands))
        case ir.Read(index=index):
            return replace(expression, index=tuple(mapped(item, change) for item in index))
        case ir.Element(index=place):
            return replace(expression, index=mapped(place, change))
        case _:
            return expression


def replaced(expression: ir.Expression, values: Mapping[str, ir.Expression]) -> ir.Expression:
    """The expression with variables replaced."""
    return mapped(expression, lambda item: values.get(item.name) if isinstance(item, ir.Variable) else None)
