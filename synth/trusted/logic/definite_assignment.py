"""Definite assignment: a program that the kernel judges reads no variable or list before it has a value.

The kernel's own check, so that a mistake in a rewriting can't turn a private value into one that nothing
assigns.  The Java Language Specification, ch. 16, has the rules for structured programs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from synth.trusted.logic.codes import Code
from synth.trusted.logic.rejection import Rejected
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import declared_names, expressions, mentioned

Assigned = frozenset[str]
"""Variables and lists that have a value."""


def check_definite_assignment(mechanism: ir.Mechanism) -> None:
    """Check that every way to a read passes an assignment, and that outcomes have names of their own.

    Raises Rejected with the name, and the line.
    """
    parameters = frozenset(item.name for item in mechanism.visible)
    taken = declared_names(mechanism)
    for item in ir.statements(mechanism.body):
        if isinstance(item, ir.Choose) and item.index in taken:
            raise Rejected("Program", f"line {item.span.line}", Code.OUTCOME_NAMED(name=item.index))
    _Flow().after(mechanism.body, parameters)


def check_reads_assigned(body: tuple[ir.Statement, ...], part: tuple[ir.Statement, ...]) -> None:
    """Check that a body reads what this part of it assigns only behind an assignment.  Raises Rejected."""
    read = {name for item in ir.statements(body) for name in _read(item)}
    own = {name for item in ir.statements(part) if (name := getattr(item, "target", None)) is not None}
    _Flow().after(body, frozenset(read - own))


@dataclass
class _Flow:
    """What is assigned where control leaves blocks, by label.  None stands for: control doesn't come here."""

    left: dict[str, Assigned] = field(default_factory=dict)

    def after(self, body: tuple[ir.Statement, ...], before: Assigned) -> Assigned | None:
        """What is assigned behind a body."""
        known: Assigned | None = before
        for statement in body:
            if known is None:
                break
            known = self._after(statement, known)
        return known

    def _after(self, statement: ir.Statement, known: Assigned) -> Assigned | None:
        for name in _read(statement):
            if name not in known:
                line = getattr(statement, "span", None)
                place = "program" if line is None else f"line {line.line}"
                raise Rejected("Program", place, Code.READ_BEFORE_ASSIGNED(name=name))
        match statement:
            case ir.Assign() | ir.Draw() | ir.Choose() | ir.NewList():
                return known | {statement.target}
            case ir.If(then=then, otherwise=otherwise):
                return _meet(self.after(then, known), self.after(otherwise, known))
            case ir.Loop(body=body):
                self.after(body, known)
                return None
            case ir.Block(label=label, body=body):
                around = self.left.pop(label, None)
                end = _meet(self.after(body, known), self.left.pop(label, None))
                if around is not None:
                    self.left[label] = around
                return end
            case ir.Exit(label=label):
                self.left[label] = known & self.left.get(label, known)
                return None
            case ir.Return():
                return None
            case _:
                return known


def _read(statement: ir.Statement) -> Iterator[str]:
    """The variables and lists that a statement itself reads."""
    drawn = {statement.index} if isinstance(statement, ir.Choose) else set()
    for whole in expressions(statement):
        yield from mentioned(whole) - drawn
    match statement:
        case ir.Append(target=name):
            yield name
        case ir.Return(lists=lists):
            yield from lists


def _meet(one: Assigned | None, other: Assigned | None) -> Assigned | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other
