"""At the end of a private branch's side, a branch that appends or returns on both of its sides does so once.

Of ``if v > 0: y = laplace(v, s); if y > t: out.append(y); else: out.append(0)`` the inner branch becomes
``out.append(y if y > t else 0)``.  So nothing behind the draw has to be published by itself, and the draw is
made before the private branch.
"""

from __future__ import annotations

from dataclasses import replace

from synth.prover.normal_form.draw_hoisting import Hoister
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, with_blocks


def ended_once(mechanism: ir.Mechanism) -> ir.Mechanism:
    """Return the same mechanism, with one end for such branches."""
    hoister = Hoister(mechanism)

    def rewritten(body: Body) -> Body:
        return tuple(_rewritten(item) for item in body)

    def _rewritten(statement: ir.Statement) -> ir.Statement:
        if isinstance(statement, ir.If) and hoister.parts(statement.condition):
            return replace(statement, then=_joined(statement.then), otherwise=_joined(statement.otherwise))
        return with_blocks(statement, rewritten)

    return replace(mechanism, body=rewritten(mechanism.body))


def _joined(body: Body) -> Body:
    """The body with one end; one that doesn't end in a branch stays."""
    if not body or not isinstance(body[-1], ir.If):
        return body
    branch = body[-1]
    ends = _joined(branch.then), _joined(branch.otherwise)
    match ends:
        case ((ir.Append() as one,), (ir.Append() as other,)) if one.target == other.target:
            pass
        case ((ir.Return() as one,), (ir.Return() as other,)) if one.lists == other.lists:
            pass
        case _:
            return body
    values = tuple(
        builders.choose(branch.condition, first, second)
        for first, second in zip(one.values, other.values, strict=True)
    )
    return (*body[:-1], replace(one, values=values, span=branch.span))
