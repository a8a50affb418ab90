"""Numbers of sites, branches and loops, in program order."""

from __future__ import annotations

from dataclasses import dataclass, replace

from synth.trusted.program import syntax as ir


def renumber(body: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...]:
    """The statements with sites, branches and loops numbered from 0."""
    return _Counter().body(body)


@dataclass
class _Counter:
    sites: int = -1
    branches: int = -1
    loops: int = -1

    def body(self, body: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...]:
        return tuple(self._statement(statement) for statement in body)

    def _statement(self, statement: ir.Statement) -> ir.Statement:
        match statement:
            case ir.Draw() | ir.Choose():
                self.sites += 1
                return replace(statement, site=self.sites)
            case ir.If(then=then, otherwise=otherwise):
                self.branches += 1
                branch = self.branches
                then, otherwise = self.body(then), self.body(otherwise)
                return replace(statement, branch=branch, then=then, otherwise=otherwise)
            case ir.Loop(body=body):
                self.loops += 1
                loop = self.loops
                return replace(statement, loop=loop, body=self.body(body))
            case ir.Block(body=body):
                return replace(statement, body=self.body(body))
            case _:
                return statement
