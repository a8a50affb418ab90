"""An assignment of what the variable holds already is left out: then it is assigned once, and never changes.

``self.d = d`` in ``__init__``, and once more in a method that this calls, are such.
"""

from __future__ import annotations

from dataclasses import replace

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import assigned, names


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


def _is_of_scalars(statement: ir.Assign) -> bool:
    """Whether the value is made of variables and numbers, and not of the variable itself."""
    known = (ir.Variable, ir.Constant, ir.Operation)
    parts = ir.subexpressions(statement.value)
    return statement.target not in names(statement.value) and all(isinstance(part, known) for part in parts)
