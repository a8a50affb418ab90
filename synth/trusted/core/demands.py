"""What draws demand: core text leaves it out, where it stands directly before its draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from synth.trusted.program import builders, laws
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, with_blocks

REASON = "a parameter of a distribution is out of range"


def with_demands(mechanism: ir.Mechanism) -> ir.Mechanism:
    """Return the program with what each draw demands, unless an obligation directly before it says so."""
    return replace(mechanism, body=_completed(mechanism.body))


def without_demands(mechanism: ir.Mechanism) -> ir.Mechanism:
    """Return the program without what :func:`with_demands` adds."""
    return replace(mechanism, body=_shortened(mechanism.body))


def _completed(body: Body) -> Body:
    found: list[ir.Statement] = []
    for statement in body:
        if isinstance(statement, ir.Draw | ir.Choose):
            found += _demanded(statement, found)
        found.append(with_blocks(statement, _completed))
    return tuple(found)


def _demanded(draw: ir.Draw | ir.Choose, before: Sequence[ir.Statement]) -> list[ir.Obligation]:
    condition = laws.demand(draw)
    if condition is None or condition == builders.TRUE or _is_asked(condition, before):
        return []
    return [ir.Obligation("scale", condition, REASON, draw.span)]


def _shortened(body: Body) -> Body:
    return tuple(
        with_blocks(statement, _shortened)
        for place, statement in enumerate(body)
        if not _is_implied(body, place)
    )


def _is_implied(body: Body, place: int) -> bool:
    """Whether this is the obligation that the draw behind it demands, and no other says the same."""
    match body[place : place + 2]:
        case [ir.Obligation(kind="scale", condition=condition), ir.Draw() | ir.Choose() as draw]:
            return laws.demand(draw) == condition and not _is_asked(condition, body[:place])
    return False


def _is_asked(condition: ir.Expression, before: Sequence[ir.Statement]) -> bool:
    """Whether one of the obligations at the end of these statements is of that condition."""
    for statement in reversed(before):
        if not isinstance(statement, ir.Obligation):
            return False
        if statement.condition == condition:
            return True
    return False
