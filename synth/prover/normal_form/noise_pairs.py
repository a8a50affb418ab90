"""One-sided draws of which only the difference matters, to be drawn as two-sided noise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body


@dataclass(frozen=True)
class NoisePair:
    """The place of a draw, and how many statements stand between it and the other one."""

    place: tuple[int, ...]
    between: int

    @property
    def together(self) -> tuple[int, ...]:
        """The place of the draw when it is behind those statements."""
        return (*self.place[:-1], self.place[-1] + self.between)


def noise_pairs(mechanism: ir.Mechanism) -> Iterator[NoisePair]:
    """Return where two one-sided draws of a body may be one draw."""
    yield from _found(mechanism.body, ())


def _found(body: Body, place: tuple[int, ...]) -> Iterator[NoisePair]:
    draws = [number for number, item in enumerate(body) if _is_one_sided(item)]
    for first, second in pairwise(draws):
        yield NoisePair((*place, first), second - first - 1)
    for number, item in enumerate(body):
        for side, inner in enumerate(ir.blocks(item)):
            yield from _found(inner, (*place, number, side))


def _is_one_sided(statement: ir.Statement) -> bool:
    return isinstance(statement, ir.Draw) and statement.distribution == "exponential"
