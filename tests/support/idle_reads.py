"""What no run needs, put into a program: reads outside of lists and sequences, and divisions by 0.

A step of "same noise" may lead to such a program.  What it reads there may be any function of what it reads.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from synth.trusted.core.writer import write_as_written
from synth.trusted.logic.rejection import Rejected
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import with_blocks
from synth.trusted.steps.rewriting import SameNoise, taken

NAMES = ("s", "t")
"""Integers that only what is put in assigns."""

OFTEN = 0.4
"""How often something is put between two statements."""

Body = tuple[ir.Statement, ...]
_NOWHERE = ir.Span(1, 1)


def with_idle_reads(of: ir.Mechanism, rng: random.Random) -> tuple[ir.Mechanism, SameNoise] | None:
    """Return a program that reads more, and the step that leads there; None where that is refused."""
    body = tuple(_Idle(of, rng).put_into(of.body, frozenset()))
    found = list(ir.statements(body))
    draws = sum(isinstance(item, ir.Draw | ir.Choose) for item in found)
    lines = sum(not isinstance(item, ir.Block) for item in found)
    variables = {**of.variables, **dict.fromkeys(NAMES, ir.Sort.INT)}
    text = write_as_written(replace(of, body=body, variables=variables))
    step = SameNoise(text, tuple(range(draws)), (1,) * lines)
    try:
        return taken(of, step)[0], step
    except Rejected:
        return None


class _Idle:
    """Puts statements between those of a program, of the names that have a value there."""

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

    def put_into(self, body: Body, known: frozenset[str]) -> Iterator[ir.Statement]:
        """The statements, and more between them; ``known`` has a value before."""
        for item in body:
            if self.rng.random() < OFTEN:
                more = self.statement(known)
                known |= _assigned(more)
                yield more
            yield with_blocks(item, partial(self._inside, known))
            known |= _assigned(item)

    def _inside(self, known: frozenset[str], body: Body) -> Body:
        return tuple(self.put_into(body, known))

    def statement(self, known: frozenset[str]) -> ir.Statement:
        target = self.rng.choice(NAMES)
        read = ir.Assign(target, self.value(known), _NOWHERE)
        if self.rng.random() < 0.85:
            return read
        return ir.If(0, builders.less(self.number(known), self.number(known)), (read,), (), _NOWHERE)

    def number(self, known: frozenset[str]) -> ir.Expression:
        options: list[ir.Expression] = [builders.integer(each) for each in (0, 0, 1, 2)]
        options += [ir.Variable(name, ir.Sort.INT) for name in self.numbers if name in known]
        options += [ir.Length(name) for name in self.lists if name in known]
        return self.rng.choice(options)

    def entries(self, known: frozenset[str]) -> Iterator[ir.Expression]:
        """Entries of lists, mostly those of one index."""
        for name, sorts in self.lists.items():
            index = builders.integer(self.index) if self.rng.random() < 0.7 else self.number(known)
            for place, sort in enumerate(sorts):
                if sort is ir.Sort.INT and name in known:
                    yield from (ir.Element(name, index, place, sort),) * (3 if name in self.likely else 1)

    def value(self, known: frozenset[str]) -> ir.Expression:
        rng = self.rng
        reads = [ir.Read(item.name, (self.number(known),), ir.Sort.INT) for item in self.sequences]
        found: ir.Expression = rng.choice([*self.entries(known), *reads, self.number(known)])
        match rng.randrange(8):
            case 0:
                operator = rng.choice((ir.Operator.FLOOR_DIVIDE, ir.Operator.MODULO))
                return ir.Operation(operator, (found, self.number(known)), ir.Sort.INT)
            case 1:
                return builders.subtract(found, self.number(known))
        return found


def _assigned(item: ir.Statement) -> frozenset[str]:
    """What surely has a value behind a statement."""
    match item:
        case ir.Assign(target=name) | ir.Draw(target=name) | ir.Choose(target=name) | ir.NewList(target=name):
            return frozenset([name])
    return frozenset()
