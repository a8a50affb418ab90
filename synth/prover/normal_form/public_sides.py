"""What is behind a branch on public parameters that sets chances or scales is put on both of its sides.

``if optimal: p, q = …`` and ``else: p, q = …``: behind it each is one of two numbers, and on each side
it is a single one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from synth.prover.normal_form.known_names import made_of
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, expressions, mentioned, public_parameters

MAX_TWICE = 60
"""Statements that are put on both sides, at the most."""

MAX_BRANCHES = 3
"""Branches of which that is done, one after the other."""


def on_both_sides(mechanism: ir.Mechanism, branches: int = MAX_BRANCHES) -> ir.Mechanism:
    """Return the mechanism with what follows such branches on both sides; the same object if it has none."""
    body = _on_both_sides(mechanism.body, public_parameters(mechanism), branches)
    return mechanism if body is mechanism.body else replace(mechanism, body=body)


def _on_both_sides(body: Body, public: Collection[str], branches: int) -> Body:
    for place, item in enumerate(body):
        behind = body[place + 1 :]
        if branches and isinstance(item, ir.If) and _sets_laws(item, behind, public):
            then, otherwise = (
                _on_both_sides((*side, *behind), public, branches - 1) for side in (item.then, item.otherwise)
            )
            return (*body[:place], replace(item, then=then, otherwise=otherwise))
    return body


def _sets_laws(branch: ir.If, behind: Body, public: Collection[str]) -> bool:
    """Whether a branch on public parameters only assigns what laws of draws behind it are made of."""
    sides = [*branch.then, *branch.otherwise]
    if not all(isinstance(item, ir.Assign | ir.Obligation) for item in sides):
        return False
    if not mentioned(branch.condition) <= set(public) or sum(1 for _ in ir.statements(behind)) > MAX_TWICE:
        return False
    chosen = made_of(behind, {item.target for item in sides if isinstance(item, ir.Assign)})
    draws = (item for item in ir.statements(behind) if isinstance(item, ir.Draw | ir.Choose))
    return any(mentioned(value) & chosen for item in draws for value in _law(item))


def _law(item: ir.Draw | ir.Choose) -> tuple[ir.Expression, ...]:
    """What the scale of noise, or the chances of a choice, are computed from."""
    return item.arguments[1:] if isinstance(item, ir.Draw) else expressions(item)
