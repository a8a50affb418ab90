"""What private data and noise have an influence on, by what is computed and by where control goes.

Unlike the taint that the search uses, this one counts noise as a source, and whatever a branch decides:
both runs do the same where nothing of it comes in, whatever is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, exited, expressions, private_parameters

Stop = ir.Loop | ir.Assume
"""A statement at which a run may end without output: an endless loop, an assertion that fails."""


def decided_by_public_data(mechanism: ir.Mechanism, stop: Stop) -> bool:
    """Whether only public data decide if a stop is reached, and if it is passed."""
    known = _Influence(private_parameters(mechanism))
    while known.grows(mechanism.body):
        pass
    if id(stop) in known.under or (isinstance(stop, ir.Assume) and known.spoils(stop.condition)):
        return False
    before = _until_after(mechanism.body, stop)
    return not any(isinstance(item, ir.Return) and id(item) in known.under for item in before)


def _until_after(body: Body, stop: Stop) -> Iterator[ir.Statement]:
    """All that stands before a stop, or in one statement of the top level with it: returns may skip it."""
    for statement in body:
        yield from ir.statements((statement,))
        if any(item is stop for item in ir.statements((statement,))):
            return


@dataclass
class _Influence:
    """The variables and lists, the labels of blocks, and (by ``id``) the statements that are influenced.

    An exit under an influenced branch influences all of the block that it leaves.
    """

    private: frozenset[str]
    names: set[str] = field(default_factory=set)
    labels: set[str] = field(default_factory=set)
    under: set[int] = field(default_factory=set)

    def grows(self, body: Body) -> bool:
        """Whether one more pass finds more."""
        before = len(self.names), len(self.labels), len(self.under)
        self._body(body, False)
        return before != (len(self.names), len(self.labels), len(self.under))

    def spoils(self, expression: ir.Expression) -> bool:
        """Whether an expression mentions something that is influenced."""
        return any(map(self._is_spoiled, ir.subexpressions(expression)))

    def _is_spoiled(self, part: ir.Expression) -> bool:
        match part:
            case ir.Variable(name) | ir.Read(source=name) | ir.Element(source=name):
                return name in self.names or name in self.private
            case ir.Length(name):  # that of a private sequence is public
                return name in self.names
            case _:
                return False

    def _body(self, body: Body, under: bool) -> None:
        for statement in body:
            self._statement(statement, under)

    def _statement(self, statement: ir.Statement, under: bool) -> None:
        if under:
            self.under.add(id(statement))
        spoiled = under or any(map(self.spoils, expressions(statement)))
        match statement:
            case ir.Draw(target=target) | ir.Choose(target=target):
                self.names.add(target)
            case ir.Assign(target=target) | ir.Append(target=target) | ir.NewList(target=target) if spoiled:
                self.names.add(target)
            case ir.If() if spoiled:
                self.labels |= exited((statement,))
        inside = under or (isinstance(statement, ir.If) and spoiled)
        inside = inside or (isinstance(statement, ir.Block) and statement.label in self.labels)
        for inner in ir.blocks(statement):
            self._body(inner, inside)
