"""Of which lists a run has to know the entries."""

from __future__ import annotations

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions


def read_lists(mechanism: ir.Mechanism) -> frozenset[str]:
    """Local lists of which entries are read."""
    return frozenset(
        part.source
        for statement in ir.statements(mechanism.body)
        for expression in expressions(statement)
        for part in ir.subexpressions(expression)
        if isinstance(part, ir.Element)
    )
