"""Numbers of sites, branches and loops, in program order."""

from __future__ import annotations

from dataclasses import dataclass, replace

from synth.trusted.program.syntax import Block, Choose, Draw, If, Loop, Statement


def renumber(body: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """The statements with sites, branches and loops numbered from 0."""
    return _Counter().body(body)


@dataclass
class _Counter:
    sites: int = -1
    branches: int = -1
    loops: int = -1

    def body(self, body: tuple[Statement, ...]) -> tuple[Statement, ...]:
        return tuple(self._statement(statement) for statement in body)

    def _statement(self, statement: Statement) -> Statement:
        match statement:
            case Draw() | Choose():
                self.sites += 1
                return replace(statement, site=self.sites)
            case If(then=then, otherwise=otherwise):
                self.branches += 1
                branch = self.branches
                then, otherwise = self.body(then), self.body(otherwise)
                return replace(statement, branch=branch, then=then, otherwise=otherwise)
            case Loop(body=body):
                self.loops += 1
                loop = self.loops
                return replace(statement, loop=loop, body=self.body(body))
            case Block(body=body):
                return replace(statement, body=self.body(body))
            case _:
                return statement
