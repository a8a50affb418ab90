"""Logarithms that are exponents: log(1 - p), where a variable p holds 1 - exp(-eps)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import changed, is_made_of, target
from synth.trusted.program.substitution import mapped, replaced

Body = tuple[ir.Statement, ...]


def exponent(value: ir.Expression) -> ir.Expression | None:
    """The x of exp(x), and of 1 - (1 - exp(x))."""
    match value:
        case ir.Operation(ir.Operator.EXPONENTIAL, (inner,)):
            return inner
        case ir.Operation(
            ir.Operator.SUBTRACT, (one, ir.Operation(ir.Operator.SUBTRACT, (other, inner)))
        ) if one == other:
            return exponent(inner)
        case _:
            return None


def simplified(body: Body, parameters: frozenset[str]) -> Body:
    """The body with log(e) replaced by x where e is exp(x), or 1 - (1 - exp(x)), of parameters."""
    return _with(_definitions(body, parameters), body)


def _definitions(body: Body, parameters: frozenset[str]) -> dict[str, ir.Expression]:
    """What variables hold wherever they are read: those that one statement assigns a value of parameters."""
    assignments = Counter(target(item) for item in ir.statements(body))
    constant = parameters - assignments.keys()
    found: dict[str, ir.Expression] = {}
    for item in ir.statements(body):
        if isinstance(item, ir.Assign) and assignments[item.target] == 1:
            value = replaced(item.value, found)
            if is_made_of(value, constant) and builders.is_small(value):
                found[item.target] = value
    return found


def _with(definitions: Mapping[str, ir.Expression], body: Body) -> Body:
    inside = partial(_with, definitions)
    change = partial(mapped, change=partial(_exponent_of, definitions))
    return tuple(changed(item, change, inside) for item in body)


def _exponent_of(definitions: Mapping[str, ir.Expression], expression: ir.Expression) -> ir.Expression | None:
    match expression:
        case ir.Operation(ir.Operator.LOGARITHM, (argument,)):
            return exponent(replaced(argument, definitions))
        case _:
            return None
