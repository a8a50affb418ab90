"""Tests of whether there are records: ``if not xs: return laplace(0, s)``, or ``sum(xs) if xs else 0``.

Couplings can't follow runs of which only one has anything to add up.  But that could be added up before the
test, in the loop that counts the records; then it is 0 where there are none.
"""

from __future__ import annotations

from collections.abc import Iterator

from synth.prover.normal_form.draw_hoisting import Hoister
from synth.trusted.program import syntax as ir
from synth.trusted.program.counted_loops import surely_ends
from synth.trusted.program.dataflow import Body
from synth.trusted.steps.repetition import computes
from synth.trusted.steps.rewriting import Advance, Join


def advances(mechanism: ir.Mechanism) -> Iterator[Advance]:
    """Give the steps that take loops before the private branch of which a side begins with them.

    Where only one side draws there is no proof either way.
    """
    parts = Hoister(mechanism).parts

    def inside(body: Body, place: tuple[int, ...]) -> Iterator[Advance]:
        for number, item in enumerate(body):
            here = (*place, number)
            if (
                isinstance(item, ir.If)
                and parts(item.condition)
                and _draws(item.then) == _draws(item.otherwise)
            ):
                for side, part in enumerate((item.then, item.otherwise)):
                    length = _computed_first(part)
                    if any(isinstance(inner, ir.Loop) for inner in ir.statements(part[:length])):
                        yield Advance(here, side, length)
            for side, inner in enumerate(ir.blocks(item)):
                yield from inside(inner, (*here, side))

    return inside(mechanism.body, ())


def _draws(body: Body) -> int:
    return sum(isinstance(item, ir.Draw | ir.Choose) for item in ir.statements(body))


def _computed_first(body: Body) -> int:
    """How many statements there are up to the last loop before anything is drawn or returned."""
    others = (place for place, item in enumerate(body) if not computes((item,)) or not surely_ends((item,)))
    length = next(others, len(body))
    while length and not any(isinstance(item, ir.Loop) for item in ir.statements((body[length - 1],))):
        length -= 1
    return length


def joins(mechanism: ir.Mechanism) -> Iterator[Join]:
    """Give the steps that join loops, the last ones of the program's body first."""
    loops = [
        number
        for number, item in enumerate(mechanism.body)
        if isinstance(item, ir.Block) and any(isinstance(part, ir.Loop) for part in item.body)
    ]
    return (Join((number,)) for number in reversed(loops[1:]))
