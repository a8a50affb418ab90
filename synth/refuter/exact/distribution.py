"""The probability of an event on a concrete input, as a rigorous interval."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from flint import arb

from synth.refuter.exact.evaluation import Compiler
from synth.refuter.exact.events import Event
from synth.refuter.exact.execution import Machine, Output
from synth.refuter.exact.inputs import Inputs, families, lengths, scalars
from synth.refuter.exact.laws import Grid
from synth.refuter.exact.matching import Matching
from synth.refuter.exact.states import State
from synth.refuter.exact.work import Work
from synth.trusted.program import syntax as ir

LOOSE = Grid(32, 2, 1e-8)
ROUGH = Grid(64, 4, 1e-8)
COARSE = Grid(64, 8, 1e-10)
MEDIUM = Grid(64, 24, 1e-12)
FINE = Grid(64, 64, 1e-15)


@dataclass(frozen=True)
class Enclosed:
    """A probability: at least ``low``, at most ``high``."""

    low: arb
    high: arb

    def middle(self) -> float:
        """The middle, roughly."""
        return float(((self.low + self.high) / 2).mid())

    def floats(self) -> tuple[float, float]:
        """The interval rounded outward to floats in [0, 1]."""
        low, high = float(self.low.lower()), float(self.high.upper())
        low = max(0.0, math.nextafter(low, -1.0))
        return low, 0.0 if self.high == 0 else min(1.0, math.nextafter(high, 2.0))


def machine(
    mechanism: ir.Mechanism, inputs: tuple[Inputs, ...], output: Output, grid: Grid, work: Work
) -> Machine:
    """A machine for runs on some inputs that have the same lengths, one per side."""
    compiler = Compiler(tuple(families(mechanism, item) for item in inputs), lengths(mechanism, inputs[0]))
    return Machine(mechanism, compiler, output, grid, work)


def start(mechanism: ir.Mechanism, inputs: tuple[Inputs, ...]) -> list[State]:
    """The first state of each side."""
    return [State(side, dict(scalars(mechanism, item)), arb(1)) for side, item in enumerate(inputs)]


def probability(
    mechanism: ir.Mechanism, inputs: Inputs, event: Event, grid: Grid = FINE, work: Work | None = None
) -> Enclosed:
    """The probability that the mechanism's output on these inputs is in the event.

    Raises UndefinedError, OutOfTimeError.
    """
    output = Matching(mechanism, event)
    engine = machine(mechanism, (inputs,), output, grid, work or Work())
    engine.run(start(mechanism, (inputs,)))
    high = output.possible.get(0, arb(0)) + engine.dropped_mass[0]
    return Enclosed(output.sure.get(0, arb(0)), high)


def bounds(
    mechanism: ir.Mechanism, sides: tuple[Inputs, Inputs], event: Event, grid: Grid, work: Work
) -> tuple[Enclosed, Enclosed]:
    """Of the event's probability a lower bound on the first side, and an upper bound on the second one.

    That takes half as long as enclosing both.  Raises UndefinedError, OutOfTimeError.
    """
    least, most = Matching(mechanism, event), Matching(mechanism, event)
    first, second = sides
    machine(mechanism, (first,), least, replace(grid, sure=True), work).run(start(mechanism, (first,)))
    engine = machine(mechanism, (second,), most, grid, work)
    engine.run([replace(state, doubt=1) for state in start(mechanism, (second,))])
    high = most.possible.get(0, arb(0)) + engine.dropped_mass[0]
    return Enclosed(least.sure.get(0, arb(0)), arb(1)), Enclosed(arb(0), high)
