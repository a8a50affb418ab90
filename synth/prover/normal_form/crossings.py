"""Coins that seldom show one side, to be tossed as noise that seldom crosses a number.

With a δ that side is given up like any tail of noise.  The program is the same; it is made by checked steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body
from synth.trusted.program.laws import arguments_of
from synth.trusted.steps.crossing import seldom


def coins(mechanism: ir.Mechanism, wanted: Callable[[ir.Expression], bool]) -> Iterator[tuple[int, ...]]:
    """The places of coins of which one side has a chance that is ``wanted``."""
    yield from _coins(mechanism.body, (), wanted)


def _coins(
    body: Body, place: tuple[int, ...], wanted: Callable[[ir.Expression], bool]
) -> Iterator[tuple[int, ...]]:
    for number, item in enumerate(body):
        match arguments_of(item) if isinstance(item, ir.Choose) else None:
            case "bernoulli", (p,) if wanted(seldom(p)[0]):
                yield (*place, number)
        for side, inner in enumerate(ir.blocks(item)):
            yield from _coins(inner, (*place, number, side), wanted)
