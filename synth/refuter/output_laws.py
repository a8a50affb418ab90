"""The laws of finitely many outputs on two inputs, rigorously enclosed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from synth.refuter.exact.choosing import UnsupportedError
from synth.refuter.exact.collecting import SIDES, Collecting, Detail
from synth.refuter.exact.distribution import MEDIUM, machine, start
from synth.refuter.exact.events import Event
from synth.refuter.exact.forms import Exact, Range
from synth.refuter.exact.inputs import Inputs
from synth.refuter.exact.laws import Enclosure
from synth.refuter.exact.outputs import readable
from synth.refuter.exact.work import Work
from synth.trusted.program import syntax as ir

_DETAIL = Detail(most=40, far=4, beam=1 << 60)  # no beginning of a list is dropped


@dataclass(frozen=True)
class OutputLaws:
    """Per output its probabilities on the two sides, of paths that were followed to their ends.

    ``outputs`` has each output as a user would write it, ``parts`` its flat parts.  Paths of a mass of at
    most ``dropped_mass`` (per side) may give any output, also one that is not listed.  All others have no
    mass.
    """

    outputs: tuple[Any, ...]
    parts: tuple[tuple[Exact, ...], ...]
    masses: tuple[tuple[Enclosure, Enclosure], ...]
    dropped_mass: tuple[Enclosure, Enclosure]


def output_laws(mechanism: ir.Mechanism, inputs: Sequence[Inputs], deadline: float = math.inf) -> OutputLaws:
    """The laws on two inputs, with sequences of the same lengths.

    Raises UnsupportedError where outputs are not finitely many, UndefinedError, and OutOfTimeError at the
    deadline (of ``time.monotonic``).
    """
    output = Collecting(mechanism, _DETAIL)
    engine = machine(mechanism, tuple(inputs), output, MEDIUM, Work(deadline))
    engine.run(start(mechanism, tuple(inputs)))
    if any(map(_is_range, output.found)):
        raise UnsupportedError("the outputs are not finitely many: real noise or unbounded noise is returned")
    masses = [
        tuple(_between(tally.sure[side], tally.possible[side]) for side in SIDES)
        for tally in output.found.values()
    ]
    dropped_mass = tuple(_between(arb(0), engine.dropped_mass[side]) for side in SIDES)
    outputs = tuple(readable(mechanism, event) for event in output.found)
    parts = tuple(
        tuple(part for part in event.parts() if not isinstance(part, Range)) for event in output.found
    )
    return OutputLaws(
        outputs, parts, tuple((one, two) for one, two in masses), (dropped_mass[0], dropped_mass[1])
    )


def _is_range(event: Event) -> bool:
    return any(isinstance(part, Range) for part in event.parts())


def _between(low: arb, high: arb) -> Enclosure:
    return Enclosure(max(Enclosure.of(low).low, Fraction(0)), min(Enclosure.of(high).high, Fraction(1)))
