"""Assertions of what ``requires`` says: no run ends there."""

from __future__ import annotations

from dataclasses import replace

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, with_blocks


def unasserted(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The same mechanism without assertions of conditions of ``requires``."""
    known = set(builders.conjuncts(mechanism.requires))

    def inside(body: Body) -> Body:
        return tuple(with_blocks(item, inside) for item in body if not is_known(item))

    def is_known(item: ir.Statement) -> bool:
        return isinstance(item, ir.Assume) and known.issuperset(builders.conjuncts(item.condition))

    return replace(mechanism, body=inside(mechanism.body))
