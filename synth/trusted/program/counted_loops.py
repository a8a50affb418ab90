"""Loops that count up, by their shape alone."""

from __future__ import annotations

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import names, target
from synth.trusted.program.linear_forms import linear


def counting(loop: ir.Loop) -> tuple[str, ir.Expression] | None:
    """Return the integer that each round counts up by 1, and the end that it asks for first, which stays.

    Such a loop ends, if what is in it does.  None for other loops.
    """
    match loop.body:
        case (
            ir.If(
                condition=ir.Operation(
                    ir.Operator.LESS_EQUAL, (end, ir.Variable(name, ir.Sort.INT) as counter)
                ),
                then=(ir.Exit(),),
                otherwise=(),
            ),
            *rest,
        ):
            changed = [target(item) for item in ir.statements(tuple(rest))]
            steps = [
                linear(item.value) for item in rest if isinstance(item, ir.Assign) and item.target == name
            ]
            if (
                linear(builders.add(counter, builders.ONE)) in steps
                and changed.count(name) == 1
                and names(end).isdisjoint(changed)
            ):
                return name, end
    return None


def surely_ends(body: tuple[ir.Statement, ...]) -> bool:
    """Return whether each run comes to the end of the body, or leaves it: all loops count up."""
    return all(
        counting(item) is not None if isinstance(item, ir.Loop) else not isinstance(item, ir.Assume)
        for item in ir.statements(body)
    )
