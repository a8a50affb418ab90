"""Logarithms that are exponents: log(1 - p), where a variable p holds 1 - exp(-eps).

So is the logarithm of an entry of a list to which only exp(e) is appended.  If e is a score times what
nothing changes, the list may as well hold the scores; exp(e), of the score in it, is read where an entry was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import changed, expressions, is_made_of, mentioned, target
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


def exponential(value: ir.Expression) -> ir.Expression:
    """exp(x), which is exp(y) / z of y - log(z)."""
    match value:
        case ir.Operation(ir.Operator.SUBTRACT, (left, ir.Operation(ir.Operator.LOGARITHM, (whole,)))):
            return builders.divide(exponential(left), whole)
        case _:
            return ir.Operation(ir.Operator.EXPONENTIAL, (value,), ir.Sort.REAL)


def simplified(body: Body, parameters: frozenset[str]) -> Body:
    """The body with log(e) replaced by x where e is exp(x), or 1 - (1 - exp(x)), of parameters."""
    return _with(_definitions(body, parameters), body)


def scored(body: Body, parameters: frozenset[str]) -> Body:
    """The body with scores in the lists whose entries are weights, if a logarithm of these is asked for.

    Or of what is computed from them.
    """
    asked = {
        inner.source
        for item in ir.statements(body)
        for value in expressions(item)
        for part in ir.subexpressions(value)
        if isinstance(part, ir.Operation) and part.operator is ir.Operator.LOGARITHM
        for inner in ir.subexpressions(part)
        if isinstance(inner, ir.Element)
    }
    returned = {name for item in ir.statements(body) if isinstance(item, ir.Return) for name in item.lists}
    constant = parameters - {target(item) for item in ir.statements(body)}
    for name in sorted(_behind(body, asked) - returned):
        appends = [
            item for item in ir.statements(body) if isinstance(item, ir.Append) and item.target == name
        ]
        match appends:
            case [ir.Append(values=(ir.Operation(ir.Operator.EXPONENTIAL, (inner,)),))]:
                body = _scored(body, name, *_factored(inner, constant))
    return body


def _behind(body: Body, made: Collection[str]) -> set[str]:
    """These lists, and all variables and lists that they are computed from."""
    found = set(made)
    while True:
        more = {
            name
            for item in ir.statements(body)
            if isinstance(item, ir.Assign | ir.Append) and item.target in found
            for value in expressions(item)
            for name in mentioned(value)
        }
        if more <= found:
            return found
        found |= more


def _factored(
    value: ir.Expression, constant: frozenset[str]
) -> tuple[ir.Expression, Callable[[ir.Expression], ir.Expression]]:
    """The score in a real number, and how that is made of it: by factors that never change."""
    match value:
        case ir.Operation(ir.Operator.MULTIPLY | ir.Operator.DIVIDE, (left, right)) if is_made_of(
            right, constant
        ):
            score, made = _factored(left, constant)
            return score, lambda inner: replace(value, operands=(made(inner), right))
        case ir.Operation(ir.Operator.MULTIPLY, (left, right)) if is_made_of(left, constant):
            score, made = _factored(right, constant)
            return score, lambda inner: replace(value, operands=(left, made(inner)))
        case ir.Operation(ir.Operator.NEGATE, (part,)):
            score, made = _factored(part, constant)
            return score, lambda inner: replace(value, operands=(made(inner),))
        case _:
            return value, lambda inner: inner


def _scored(
    body: Body, name: str, score: ir.Expression, weight: Callable[[ir.Expression], ir.Expression]
) -> Body:
    """The body with the score in the list, and the weight of an entry where that is read."""

    def read(part: ir.Expression) -> ir.Expression | None:
        if not isinstance(part, ir.Element) or part.source != name:
            return None
        made = weight(replace(part, index=mapped(part.index, read)))
        return ir.Operation(ir.Operator.EXPONENTIAL, (made,), ir.Sort.REAL)

    def inside(body: Body) -> Body:
        made: list[ir.Statement] = []
        for item in body:
            if isinstance(item, ir.Append) and item.target == name:
                made.append(replace(item, values=(mapped(score, read),)))
            else:
                made.append(changed(item, lambda value: mapped(value, read), inside))
        return tuple(made)

    return inside(body)


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
