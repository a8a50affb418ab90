"""Loops that forget what they add up: a sum is scaled in each iteration, or loses what left a window."""

from __future__ import annotations

from collections.abc import Iterator

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions, names


def changing(mechanism: ir.Mechanism) -> frozenset[str]:
    """Return the lists that may differ at one index."""
    return frozenset(
        item.name
        for item in mechanism.parameters
        if item.metric is not None and item.metric.kind is ir.MetricKind.CHANGE_ONE
    )


def scales_a_sum(loop: ir.Loop) -> bool:
    """Whether an iteration multiplies or divides what a variable was before."""
    return any(
        isinstance(part, ir.Operation)
        and part.operator in (ir.Operator.MULTIPLY, ir.Operator.DIVIDE)
        and statement.target in names(part)
        for statement in ir.statements(loop.body)
        if isinstance(statement, ir.Assign)
        for part in ir.subexpressions(statement.value)
    )


def reads_a_window(mechanism: ir.Mechanism, loop: ir.Loop) -> bool:
    """Whether a list that may differ at one index is read at several."""
    places: dict[str, set[tuple[ir.Expression, ...]]] = {}
    for read in _reads(loop):
        places.setdefault(read.source, set()).add(read.index)
    return any(len(places.get(name, ())) > 1 for name in changing(mechanism))


def window_sizes(mechanism: ir.Mechanism) -> set[str]:
    """Return the integer parameters that say how far back a list is read that may differ at one index."""
    lists = changing(mechanism)
    integers = {
        item.name
        for item in mechanism.visible
        if item.kind is ir.ParameterKind.SCALAR and item.metric is None and item.sort is ir.Sort.INT
    }
    return integers & {
        name
        for loop in ir.statements(mechanism.body)
        if isinstance(loop, ir.Loop) and reads_a_window(mechanism, loop)
        for read in _reads(loop)
        if read.source in lists
        for index in read.index
        for name in names(index)
    }


def _reads(loop: ir.Loop) -> Iterator[ir.Read]:
    for statement in ir.statements(loop.body):
        for whole in expressions(statement):
            yield from (part for part in ir.subexpressions(whole) if isinstance(part, ir.Read))
