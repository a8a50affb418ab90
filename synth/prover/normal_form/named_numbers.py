"""A number that has a name is read as the number, where draws of finitely many values decide.

``a, b = -1, 1`` and then ``return a if bernoulli(p) else b``: what the outcomes are, and that they are two,
is seen only of the numbers.  And ``width = (high - low) / n``, by which a loop divides each record: the cell
that a record is in is known to stay the same if it is made of the record and of parameters alone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import (
    Body,
    changed,
    is_made_of,
    public_parameters,
    target,
    with_blocks,
)
from synth.trusted.program.substitution import mapped, replaced

_DIVISIONS = ir.Operator.DIVIDE, ir.Operator.FLOOR_DIVIDE, ir.Operator.MODULO


def divisors_in_place(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The mechanism that divides in loops by what a variable is assigned once, of parameters alone."""
    known = public_parameters(mechanism)
    once = Counter(target(item) for item in ir.statements(mechanism.body))
    public: dict[str, ir.Expression] = {}
    for item in mechanism.body:
        if isinstance(item, ir.Assign) and once[item.target] == 1:
            value = replaced(item.value, public)
            if is_made_of(value, known) and builders.is_small(value):
                public[item.target] = value

    def divided(part: ir.Expression) -> ir.Expression | None:
        match part:
            case ir.Operation(operator, (number, ir.Variable(name) as divisor)) if (
                operator in _DIVISIONS and divisor.name in public and not is_made_of(number, known)
            ):
                return replace(part, operands=(mapped(number, divided), public[name]))
        return None

    def inside(body: Body) -> Body:
        return tuple(changed(item, lambda value: mapped(value, divided), inside) for item in body)

    def outside(body: Body) -> Body:
        return tuple(with_blocks(item, inside if isinstance(item, ir.Loop) else outside) for item in body)

    return replace(mechanism, body=outside(mechanism.body)) if public else mechanism


def numbers_in_place(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The mechanism without variables that are always assigned the same number."""
    everything = list(ir.statements(mechanism.body))
    if not any(isinstance(item, ir.Choose) for item in everything):
        return mechanism
    values: dict[str, set[ir.Expression | None]] = {}
    for item in everything:
        if isinstance(item, ir.Assign | ir.Draw | ir.Choose):
            values.setdefault(item.target, set()).add(item.value if isinstance(item, ir.Assign) else None)
    numbers: dict[str, ir.Expression] = {
        name: value
        for name, (value, *others) in values.items()
        if isinstance(value, ir.Constant) and not others
    }

    def inside(body: Body) -> Body:
        kept = (item for item in body if not (isinstance(item, ir.Assign) and item.target in numbers))
        return tuple(changed(item, lambda value: replaced(value, numbers), inside) for item in kept)

    return replace(mechanism, body=inside(mechanism.body)) if numbers else mechanism
