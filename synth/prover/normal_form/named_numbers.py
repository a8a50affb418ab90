"""A number that has a name is read as the number, where draws of finitely many values decide.

``a, b = -1, 1`` and then ``return a if bernoulli(p) else b``: what the outcomes are, and that they are two,
is seen only of the numbers.
"""

from __future__ import annotations

from dataclasses import replace

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, changed
from synth.trusted.program.substitution import replaced


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
