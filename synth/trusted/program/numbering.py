"""Numbers of sites, branches and loops, in program order."""

from __future__ import annotations

from collections.abc import Iterable
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


def with_sites(body: tuple[ir.Statement, ...], sites: Iterable[int]) -> tuple[ir.Statement, ...]:
    """The statements with these numbers of draws, in program order."""
    numbers = iter(sites)

    def change(statement: ir.Statement) -> ir.Statement:
        if isinstance(statement, ir.Draw | ir.Choose):
            return replace(statement, site=next(numbers))
        return with_blocks(statement, inside)

    def inside(body: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...]:
        return tuple(map(change, body))

    return inside(body)
