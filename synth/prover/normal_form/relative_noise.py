"""Noise around private data divided by as much as they may differ: two runs are at most 1 apart there.

Around ``x / B`` noise may as well be drawn around ``x``, B times as wide, and divided by B.  But a quotient
of noise is opaque to linear arithmetic.  So where it is compared with other noise, as with a threshold's, the
quotient of data stays, of which it is known that it moves by no more than 1.
"""

from __future__ import annotations

from synth.bounds.scales import Scales
from synth.prover.normal_form.known_names import made_of
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions, mentioned

_MEETING = frozenset(
    {
        ir.Operator.LESS,
        ir.Operator.LESS_EQUAL,
        ir.Operator.EQUAL,
        ir.Operator.MINIMUM,
        ir.Operator.MAXIMUM,
    }
)


def distances(mechanism: ir.Mechanism) -> frozenset[ir.Expression]:
    """By how much private data may differ: what the adjacency states, and what values are clipped to."""
    stated = (item.metric.bound for item in mechanism.parameters if item.metric is not None)
    return frozenset((*(item for item in stated if item is not None), *Scales(mechanism).ends()))


def relative_draws(mechanism: ir.Mechanism) -> frozenset[int]:
    """The sites of noise whose centre is divided by such a distance, there or where it gets its name."""
    known = distances(mechanism)
    body = list(ir.statements(mechanism.body))
    named = {item.target for item in body if isinstance(item, ir.Assign) and _divides(item.value, known)}

    def is_relative(center: ir.Expression) -> bool:
        return _divides(center, known) or (isinstance(center, ir.Variable) and center.name in named)

    return frozenset(
        item.site for item in body if isinstance(item, ir.Draw) and is_relative(item.arguments[0])
    )


def _divides(value: ir.Expression, known: frozenset[ir.Expression]) -> bool:
    return (
        isinstance(value, ir.Operation)
        and value.operator is ir.Operator.DIVIDE
        and value.operands[1] in known
    )


def meets_other_noise(mechanism: ir.Mechanism, name: str) -> bool:
    """Whether what is made of a draw into that variable is compared with noise, also of the same draw."""
    body = list(ir.statements(mechanism.body))
    own = made_of(mechanism.body, {name})
    noisy = made_of(mechanism.body, {item.target for item in body if isinstance(item, ir.Draw)})
    return any(
        part.operator in _MEETING
        and all(mentioned(operand) & noisy for operand in part.operands)
        and any(mentioned(operand) & own for operand in part.operands)
        for item in body
        for value in expressions(item)
        for part in ir.subexpressions(value)
        if isinstance(part, ir.Operation)
    )
