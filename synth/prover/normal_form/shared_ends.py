"""What both sides of a branch assign last is assigned behind it.

``if c: i += 1; continue`` before ``…; i += 1`` raises a counter in two places, so nothing sees that the loop
counts its rounds.  One assignment behind the branch does the same; so it does where one side of the branch
leaves.
"""

from __future__ import annotations

from dataclasses import replace

from synth.prover.normal_form.structured_exits import always_leaves
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, expressions, names, target, with_blocks


def shared(mechanism: ir.Mechanism) -> ir.Mechanism:
    """Return the same mechanism, with assignments that end both sides of a branch in a loop behind it."""
    return replace(mechanism, body=_outside(mechanism.body))


def _outside(body: Body) -> Body:
    return tuple(with_blocks(item, _inside if isinstance(item, ir.Loop) else _outside) for item in body)


def _inside(body: Body) -> Body:
    found: list[ir.Statement] = []
    for item in body:
        item = with_blocks(item, _inside)
        found += _joined(item) if isinstance(item, ir.If) else (item,)
    return tuple(found)


def _joined(branch: ir.If) -> Body:
    """The branch, and the assignments that come at the end of it on each way that goes on behind it."""
    sides = [side for side in (branch.then, branch.otherwise) if not always_leaves(side)]
    behind: list[ir.Statement] = []
    for item in reversed(sides[0] if sides else ()):
        places = [place for side in sides if (place := _last_like(side, item)) is not None]
        if len(places) == len(sides):
            behind.insert(0, item)
            sides = [(*side[:at], *side[at + 1 :]) for side, at in zip(sides, places, strict=True)]
    if not behind:
        return (branch,)
    left = iter(sides)
    then, otherwise = (
        side if always_leaves(side) else next(left) for side in (branch.then, branch.otherwise)
    )
    return replace(branch, then=then, otherwise=otherwise), *behind


def _last_like(side: Body, wanted: ir.Statement) -> int | None:
    """Where a side makes that assignment, if it could make it at its end as well."""
    for place in reversed(range(len(side))):
        if _same(side[place], wanted):
            return place if _can_wait(side[place], side[place + 1 :]) else None
    return None


def _same(one: ir.Statement, other: ir.Statement) -> bool:
    match one, other:
        case ir.Assign(target=first, value=value), ir.Assign(target=second, value=its):
            return first == second and value == its
    return False


def _can_wait(assignment: ir.Statement, rest: Body) -> bool:
    """Whether an assignment may be made behind what follows it."""
    assert isinstance(assignment, ir.Assign)
    read = names(assignment.value)
    for item in ir.statements(rest):
        if isinstance(item, ir.Exit | ir.Return | ir.Loop) or target(item) in {assignment.target, *read}:
            return False
        if any(assignment.target in names(value) for value in expressions(item)):
            return False
    return True
