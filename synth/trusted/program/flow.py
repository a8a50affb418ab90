"""Where control can go in lowered statements: blocks that are left, and ends that are reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from synth.trusted.program.syntax import Block, Exit, If, Loop, Return, Statement, statements


def runs_on(body: Sequence[Statement]) -> bool:
    """Whether control can reach the end of the statements."""
    return not body or not _ends(body[-1])


def _ends(statement: Statement) -> bool:
    match statement:
        case Return() | Exit() | Loop():
            return True
        case If(then=then, otherwise=otherwise):
            return not runs_on(then) and not runs_on(otherwise)
        case Block(label=label, body=body):
            return not runs_on(body) and not leaves(label, body)
        case _:
            return False


def leaves(label: str, body: Sequence[Statement]) -> bool:
    """Whether an exit of the label is among the statements."""
    return any(
        isinstance(statement, Exit) and statement.label == label for statement in statements(tuple(body))
    )


def finish_block(label: str, body: Sequence[Statement]) -> tuple[Statement, ...]:
    """The statements as a block, without exits at its end, or without a block if nothing exits."""
    stripped = _strip(label, tuple(body))
    return (Block(label, stripped),) if leaves(label, stripped) else stripped


def _strip(label: str, body: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """The statements without those exits that lead to where control would go anyway."""
    match body:
        case (*rest, Exit(label=other)) if other == label:
            return _strip(label, tuple(rest))
        case (*rest, If() as last):
            then, otherwise = _strip(label, last.then), _strip(label, last.otherwise)
            if not then and not otherwise:
                return _strip(label, tuple(rest))
            return (*rest, replace(last, then=then, otherwise=otherwise))
        case _:
            return body
