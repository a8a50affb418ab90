"""Definite assignment in a typed program: which reads may come before any assignment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions

Known = frozenset[str] | None
"""What is assigned on every way to a place; None where no way leads."""


def unassigned(of: ir.Mechanism) -> set[str]:
    """Variables and lists that the program may read, or append to, before it assigns them."""
    flow = _Flow(frozenset({*of.variables, *of.lists}))
    flow.body(of.body, frozenset(item.name for item in of.parameters))
    return flow.found


@dataclass
class _Flow:
    local: frozenset[str]
    found: set[str] = field(default_factory=set)
    left: dict[str, Known] = field(default_factory=dict)

    def body(self, body: tuple[ir.Statement, ...], known: Known) -> Known:
        for statement in body:
            known = self.statement(statement, known)
        return known

    def statement(self, statement: ir.Statement, known: Known) -> Known:
        if known is None:
            return None
        index = {statement.index} if isinstance(statement, ir.Choose) else set()
        for expression in expressions(statement):
            self.found |= (set(_read(expression)) & self.local) - known - index
        match statement:
            case (
                ir.Assign(target=name)
                | ir.Draw(target=name)
                | ir.Choose(target=name)
                | ir.NewList(target=name)
            ):
                return known | {name}
            case ir.Append(target=name):
                self.found |= {name} - known
            case ir.If(then=then, otherwise=otherwise):
                return _both(self.body(then, known), self.body(otherwise, known))
            case ir.Loop(body=body, count=count):
                self.found |= (set(_read(count)) & self.local if count is not None else set()) - known
                self.body(body, known)
                return None
            case ir.Block(label=label, body=body):
                return _both(self.body(body, known), self.left.pop(label, None))
            case ir.Exit(label=label):
                self.left[label] = _both(self.left.get(label), known)
                return None
            case ir.Return(lists=lists):
                self.found |= set(lists) - known
                return None
        return known


def _both(one: Known, other: Known) -> Known:
    if one is None or other is None:
        return one if other is None else other
    return one & other


def _read(expression: ir.Expression) -> Iterator[str]:
    for part in ir.subexpressions(expression):
        match part:
            case ir.Variable(name=name) | ir.Length(sequence=name) | ir.Element(source=name):
                yield name
