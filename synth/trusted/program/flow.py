"""Where control can go in lowered statements: blocks that are left, and ends that are reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from synth.trusted.program import syntax as ir


def runs_on(body: Sequence[ir.Statement]) -> bool:
    """Whether control can reach the end of the statements."""
    return not body or not _ends(body[-1])


def _ends(statement: ir.Statement) -> bool:
    match statement:
        case ir.Return() | ir.Exit() | ir.Loop() | ir.Assume(condition=ir.Constant(value=False)):
            return True
        case ir.If(then=then, otherwise=otherwise):
            return not runs_on(then) and not runs_on(otherwise)
        case ir.Block(label=label, body=body):
            return not runs_on(body) and not leaves(label, body)
        case _:
            return False


def leaves(label: str, body: Sequence[ir.Statement]) -> bool:
    """Whether an exit of the label is among the statements."""
    return any(
        isinstance(statement, ir.Exit) and statement.label == label
        for statement in ir.statements(tuple(body))
    )


def runs_through(statement: ir.Statement) -> bool:
    """Whether control that leaves a statement goes on behind it: nothing inside returns, or leaves more."""
    parts = tuple(ir.statements((statement,)))
    inside = {item.label for item in parts if isinstance(item, ir.Block)}
    ends = (item for item in parts if isinstance(item, ir.Exit | ir.Return))
    return all(isinstance(item, ir.Exit) and item.label in inside for item in ends)


def finish_block(label: str, body: Sequence[ir.Statement]) -> tuple[ir.Statement, ...]:
    """The statements as a block, without exits at its end, or without a block if nothing exits."""
    stripped = _strip(label, tuple(body))
    return (ir.Block(label, stripped),) if leaves(label, stripped) else stripped


def _strip(label: str, body: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...]:
    """The statements without those exits that lead to where control would go anyway."""
    match body:
        case (*rest, ir.Exit(label=other)) if other == label:
            return _strip(label, tuple(rest))
        case (*rest, ir.If() as last):
            then, otherwise = _strip(label, last.then), _strip(label, last.otherwise)
            if not then and not otherwise:
                return _strip(label, tuple(rest))
            return (*rest, replace(last, then=then, otherwise=otherwise))
        case _:
            return body
