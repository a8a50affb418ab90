"""Counters of ``while`` loops that count as a ``for`` loop does, so that the search treats both alike.

A hint for the search: whatever rests on it is shown again.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.counted_loops import counting
from synth.trusted.program.dataflow import Body, target, with_blocks


def with_counters(mechanism: ir.Mechanism) -> ir.Mechanism:
    """Return the mechanism, where loops that count from 0 to an integer that doesn't change say so."""
    return replace(mechanism, body=_inside(mechanism.body, frozenset()))


def _inside(body: Body, started: frozenset[str]) -> Body:
    """``started`` are the variables that are 0 before the body."""
    result: list[ir.Statement] = []
    for item in body:
        match item:
            case ir.Loop(counter=None) if (found := counting(item)) is not None and found[0] in started:
                item = replace(item, counter=found[0], count=found[1])
        changed = {target(inner) for inner in ir.statements((item,))}
        still = started if isinstance(item, ir.Block) else frozenset[str]()
        result.append(with_blocks(item, partial(_inside, started=still)))
        started = frozenset(started - changed)
        if isinstance(item, ir.Assign) and item.value == builders.ZERO:
            started |= {item.target}
    return tuple(result)
