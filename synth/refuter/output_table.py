"""The distribution of a mechanism's outputs on one input or two, with the loss at each output."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb

from synth.refuter.exact.collecting import Collecting, Detail
from synth.refuter.exact.distribution import MEDIUM, Enclosed, machine, start
from synth.refuter.exact.events import disjoint
from synth.refuter.exact.forms import Range
from synth.refuter.exact.inputs import Inputs
from synth.refuter.exact.outputs import readable
from synth.refuter.exact.work import Work
from synth.trusted.program import syntax as ir

DETAIL = Detail(most=40, far=4, beam=4096)


@dataclass(frozen=True)
class Line:
    """One output, or a range of outputs: its probability per input, and the loss ln(p1/p2) in nats.

    ``output`` is as a user would write it.  With one input there is no loss; an infinite one is None
    at that end.
    """

    output: Any
    probabilities: tuple[tuple[float, float], ...]
    loss: tuple[float | None, float | None] | None


def distribution(
    mechanism: ir.Mechanism, inputs: Sequence[Inputs], deadline: float = math.inf
) -> tuple[Line, ...]:
    """The outputs on one or two inputs (with sequences of the same lengths), the likeliest first.

    Real outputs, and integers far out, are put together in ranges.  Raises UndefinedError, and
    OutOfTimeError at the deadline (of ``time.monotonic``).
    """
    output = Collecting(mechanism, DETAIL)
    engine = machine(mechanism, tuple(inputs), output, MEDIUM, Work(deadline))
    engine.run(start(mechanism, tuple(inputs)))
    found = output.found
    ranged = [event for event in found if any(isinstance(part, Range) for part in event.parts())]
    lines = []
    for event, tally in found.items():
        # The same outputs may also be in a range that another path published.
        others = [found[other] for other in ranged if other != event and not disjoint(event, other)]
        ends = []
        for side in range(len(inputs)):
            most = sum((other.possible[side] for other in others), tally.possible[side])
            ends.append(Enclosed(tally.sure[side], most + engine.dropped_mass[side]))
        line = Line(readable(mechanism, event), tuple(end.floats() for end in ends), _loss(ends))
        lines.append((max(end.middle() for end in ends), line))
    return tuple(line for _, line in sorted(lines, key=lambda item: -item[0]))


def _loss(ends: Sequence[Enclosed]) -> tuple[float | None, float | None] | None:
    if len(ends) < 2:
        return None
    one, two = ends
    return _logarithm(one.low, two.high, -1), _logarithm(one.high, two.low, 1)


def _logarithm(top: arb, bottom: arb, direction: int) -> float | None:
    if not (top > 0 and bottom > 0):
        return None
    ball = (top / bottom).log()
    end = float(ball.upper() if direction > 0 else ball.lower())
    return math.nextafter(end, direction * math.inf)
