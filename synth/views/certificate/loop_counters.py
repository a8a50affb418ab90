"""Which variables count the iterations of loops: what is shown of a program says so, no proof rests on it."""

from __future__ import annotations

from dataclasses import replace

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, with_blocks


def with_counters(mechanism: ir.Mechanism, source: ir.Mechanism) -> ir.Mechanism:
    """The mechanism with the counters of the loops in the same lines of the program that was read.

    Names that each loop has for itself are those of the program, with ``%`` and more behind it.
    """
    loops = (item for item in ir.statements(source.body) if isinstance(item, ir.Loop))
    counters = {item.span.line: item.counter for item in loops if item.counter is not None}

    def change(statement: ir.Statement) -> ir.Statement:
        inner = with_blocks(statement, body)
        if not isinstance(inner, ir.Loop) or inner.span.line not in counters:
            return inner
        counter = counters[inner.span.line]
        own = sorted(assigned(inner.body))
        named = (name for name in own if name == counter or name.startswith(f"{counter}%in"))
        return replace(inner, counter=next(named, None))

    def body(items: Body) -> Body:
        return tuple(map(change, items))

    return replace(mechanism, body=body(mechanism.body))
