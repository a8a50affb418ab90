"""What no run needs, put into a program: reads outside of lists and sequences, and divisions by 0.

A step of "same noise" may lead to such a program.  What it reads there may be any function of what it reads.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from synth.trusted.core.writer import write_as_written
from synth.trusted.logic.rejection import Rejected
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import with_blocks
from synth.trusted.steps.rewriting import SameNoise, taken

NAMES = ("s", "t")
"""Integers that only what is put in assigns."""

TRIES = 8
OFTEN = 0.4
"""How often something is put between two statements."""

Body = tuple[ir.Statement, ...]
_NOWHERE = ir.Span(1, 1)


def with_idle_reads(of: ir.Mechanism, rng: random.Random) -> tuple[ir.Mechanism, SameNoise] | None:
    """Return a program that reads more, and the step that leads there; None if none is found.

    A name may have no value yet where it is read: such programs are refused.
    """
    for _ in range(TRIES):
        body = tuple(_Idle(of, rng).put_into(of.body))
        variables = {**of.variables, **dict.fromkeys(NAMES, ir.Sort.INT)}
        found = list(ir.statements(body))
        draws = sum(isinstance(item, ir.Draw | ir.Choose) for item in found)
        lines = sum(not isinstance(item, ir.Block) for item in found)
        text = write_as_written(replace(of, body=body, variables=variables))
        step = SameNoise(text, tuple(range(draws)), (1,) * lines)
        try:
            return taken(of, step)[0], step
        except Rejected:
            continue
    return None


class _Idle:
    """Puts statements between those of a program; the numbers of branches are those of their places."""

    def __init__(self, of: ir.Mechanism, rng: random.Random) -> None:
        self.rng = rng
        appended = sorted({item.target for item in ir.statements(of.body) if isinstance(item, ir.Append)})
        self.likely = appended or sorted(of.lists)
        self.index = rng.choice((0, 0, 0, 1))
        self.numbers = [*NAMES, *(name for name, sort in of.variables.items() if sort is ir.Sort.INT)]
        self.lists = {name: kind.components for name, kind in of.lists.items()}
        self.sequences = [
            item for item in of.parameters
            if item.kind is ir.ParameterKind.SEQUENCE and item.sort is ir.Sort.INT
        ]  # fmt: skip

    def put_into(self, body: Body) -> Iterator[ir.Statement]:
        """The statements, and more between them."""
        for item in body:
            if self.rng.random() < OFTEN:
                yield self.statement()
            yield with_blocks(item, lambda inner: tuple(self.put_into(inner)))

    def statement(self) -> ir.Statement:
        target = self.rng.choice(NAMES)
        read = ir.Assign(target, self.value(), _NOWHERE)
        if self.rng.random() < 0.85:
            return read
        return ir.If(0, builders.less(self.number(), self.number()), (read,), (), _NOWHERE)

    def number(self) -> ir.Expression:
        options: list[ir.Expression] = [builders.integer(each) for each in (0, 0, 1, 2)]
        options += [ir.Variable(name, ir.Sort.INT) for name in self.numbers]
        options += [ir.Length(name) for name in self.lists]
        return self.rng.choice(options)

    def entries(self) -> Iterator[ir.Expression]:
        """Entries of lists, mostly those of one index."""
        for name, sorts in self.lists.items():
            index = builders.integer(self.index) if self.rng.random() < 0.7 else self.number()
            for place, sort in enumerate(sorts):
                if sort is ir.Sort.INT:
                    yield from (ir.Element(name, index, place, sort),) * (3 if name in self.likely else 1)

    def value(self) -> ir.Expression:
        rng = self.rng
        reads = [ir.Read(item.name, (self.number(),), ir.Sort.INT) for item in self.sequences]
        found: ir.Expression = rng.choice([*self.entries(), *reads, self.number()])
        match rng.randrange(8):
            case 0:
                operator = rng.choice((ir.Operator.FLOOR_DIVIDE, ir.Operator.MODULO))
                return ir.Operation(operator, (found, self.number()), ir.Sort.INT)
            case 1:
                return builders.subtract(found, self.number())
        return found
