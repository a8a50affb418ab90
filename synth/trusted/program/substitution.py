"""Expressions with parts put in place of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from synth.trusted.program.syntax import Element, Expression, Operation, Read, Variable


def mapped(expression: Expression, change: Callable[[Expression], Expression | None]) -> Expression:
    """The expression with each outermost part that ``change`` gives something for replaced by that."""
    changed = change(expression)
    if changed is not None:
        return changed
    match expression:
        case Operation(operands=operands):
            return replace(expression, operands=tuple(mapped(item, change) for item in operands))
        case Read(index=index):
            return replace(expression, index=tuple(mapped(item, change) for item in index))
        case Element(index=place):
            return replace(expression, index=mapped(place, change))
        case _:
            return expression


def replaced(expression: Expression, values: Mapping[str, Expression]) -> Expression:
    """The expression with variables replaced."""
    return mapped(expression, lambda item: values.get(item.name) if isinstance(item, Variable) else None)
