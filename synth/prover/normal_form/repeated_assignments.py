"""What runs in any case assigns each variable once, so that it never changes.

An assignment of what the variable holds already is left out: ``self.d = d`` in ``__init__``, and once more in
a method that this calls, are such.  A variable that gets one value after the other (``eps = eps / 2``)
becomes several.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, changed, names, target
from synth.trusted.program.substitution import replaced


def once(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The same mechanism, without such assignments among the statements that run in any case."""
    held: dict[str, ir.Expression] = {}
    body: list[ir.Statement] = []
    for statement in mechanism.body:
        if isinstance(statement, ir.Assign) and held.get(statement.target) == statement.value:
            continue
        changed = assigned((statement,))
        held = {name: value for name, value in held.items() if not changed & {name, *names(value)}}
        if isinstance(statement, ir.Assign) and _is_of_scalars(statement):
            held[statement.target] = statement.value
        body.append(statement)
    return replace(mechanism, body=tuple(body))


def apart(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The same mechanism, with a variable for each value that is assigned in any case to one variable."""
    often = _often(mechanism)
    variables = dict(mechanism.variables)
    now: dict[str, ir.Expression] = {}

    def renamed(body: Body) -> Body:
        return tuple(changed(item, lambda value: replaced(value, now), renamed) for item in body)

    result: list[ir.Statement] = []
    for statement in mechanism.body:
        (statement,) = renamed((statement,))
        if isinstance(statement, ir.Assign) and statement.target in often:
            name, sort = statement.target, variables[statement.target]
            value = f"{name}%new{len(variables)}"
            variables[value] = sort
            now[name] = ir.Variable(value, sort)
            statement = replace(statement, target=value)
        result.append(statement)
    return replace(mechanism, body=tuple(result), variables=variables) if often else mechanism


def _often(mechanism: ir.Mechanism) -> set[str]:
    """Variables that are assigned several times, each time by a statement that runs in any case."""
    everywhere = Counter(name for item in ir.statements(mechanism.body) if (name := target(item)) is not None)
    outside = Counter(item.target for item in mechanism.body if isinstance(item, ir.Assign))
    return {name for name, times in outside.items() if times > 1 and times == everywhere[name]}


def _is_of_scalars(statement: ir.Assign) -> bool:
    """Whether the value is made of variables and numbers, and not of the variable itself."""
    known = (ir.Variable, ir.Constant, ir.Operation)
    parts = ir.subexpressions(statement.value)
    return statement.target not in names(statement.value) and all(isinstance(part, known) for part in parts)
