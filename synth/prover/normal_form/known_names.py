"""Which variables have a value at a statement, are public, or are made of others, as far as a search asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import (
    Body,
    expressions,
    is_made_of,
    mentioned,
    public_parameters,
    target,
)


def known_before(mechanism: ir.Mechanism, statement: ir.Statement) -> set[str]:
    """Variables that some statement before this one assigns, and the parameters."""
    known = {item.name for item in mechanism.parameters}
    for item in ir.statements(mechanism.body):
        if item is statement:
            break
        if isinstance(item, ir.Assign | ir.Draw | ir.Choose):
            known.add(item.target)
    return known


def public_names(mechanism: ir.Mechanism) -> frozenset[str]:
    """Public scalar parameters, and locals that are assigned once, from those alone."""
    found = set(public_parameters(mechanism))
    once = Counter(target(item) for item in ir.statements(mechanism.body))
    while True:
        more = {
            item.target
            for item in ir.statements(mechanism.body)
            if isinstance(item, ir.Assign) and once[item.target] == 1 and is_made_of(item.value, found)
        }
        if more <= found:
            return frozenset(found)
        found |= more


def made_of(body: Body, start: Collection[str]) -> set[str]:
    """The variables and lists that are computed from these, and they themselves."""
    found = set(start)
    while True:
        more = {
            item.target
            for item in ir.statements(body)
            if isinstance(item, ir.Assign | ir.Append)
            and any(mentioned(value) & found for value in expressions(item))
        }
        if more <= found:
            return found
        found |= more
