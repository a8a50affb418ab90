"""Numbers of sites, branches and loops, in program order."""

from __future__ import annotations

from dataclasses import dataclass, replace

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import with_blocks


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
            case ir.If():
                self.branches += 1
                statement = replace(statement, branch=self.branches)
            case ir.Loop():
                self.loops += 1
                statement = replace(statement, loop=self.loops)
        return with_blocks(statement, self.body)
