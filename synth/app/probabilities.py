"""The probabilities of a mechanism's outputs on an input, or on two side by side."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from synth.app.alone import alone
from synth.app.workers import MAX_MEMORY_BYTES, Channel, restrict
from synth.trusted.errors import SynthError, UnfinishedError, UsageError

if TYPE_CHECKING:
    from synth.refuter.output_table import Line
    from synth.trusted.program import syntax as ir

_EXTENSION_S = 5.0


@dataclass(frozen=True)
class Table:
    """The outputs; ``adjacent`` says whether the two inputs are (None if there is one).

    ``claim`` is the ε (in nats) that the program claims at these inputs, None if there is none.
    """

    adjacent: bool | None
    lines: tuple[Line, ...]
    claim: float | None = None


@contextmanager
def errors_for_users(seconds: float) -> Iterator[None]:
    """What the refuter's engine raises, as errors with a message.

    Raises SynthError for a program that it can't run, UsageError for an input on which the program isn't
    defined, UnfinishedError where so many seconds are over.
    """
    from synth.refuter.exact.arithmetic import UndefinedError
    from synth.refuter.exact.choosing import UnsupportedError
    from synth.refuter.exact.work import OutOfTimeError

    try:
        yield
    except UnsupportedError as error:
        raise SynthError(str(error)) from None
    except UndefinedError as error:
        raise UsageError(f"the mechanism is not defined on this input: {error}") from None
    except OutOfTimeError:
        raise UnfinishedError(f"not done within {seconds:g} s") from None


def computed(mechanism: ir.Mechanism, inputs: Sequence[dict[str, Any]], seconds: float) -> Table:
    """The probabilities.  Raises SynthError for what has none that can be computed, UnfinishedError."""

    def work(channel: Channel) -> Table:
        channel.stage("computing probabilities")
        restrict(seconds + _EXTENSION_S, MAX_MEMORY_BYTES)
        from synth.refuter.exact.inputs import is_adjacent
        from synth.refuter.output_table import distribution

        with errors_for_users(seconds):
            lines = distribution(mechanism, inputs, time.monotonic() + seconds)
        adjacent = is_adjacent(mechanism, *inputs) if len(inputs) == 2 else None
        return Table(adjacent, lines, claim_at_inputs(mechanism, inputs[0]))

    return alone(work, mechanism.name, seconds + _EXTENSION_S)


def claim_at_inputs(mechanism: ir.Mechanism, inputs: dict[str, Any]) -> float | None:
    """The ε (in nats) that the program claims at an input; None if there is none."""
    from synth.refuter.exact.arithmetic import UndefinedError
    from synth.refuter.witness import claim_at

    try:
        return None if mechanism.epsilon is None else float(claim_at(mechanism, inputs).epsilon.mid())
    except UndefinedError:
        return None


def rest(table: Table) -> list[float]:
    """What outputs that are not listed have at the most, per input."""
    sides = range(1 if table.adjacent is None else 2)
    return [max(0.0, 1.0 - sum(line.probabilities[side][0] for line in table.lines)) for side in sides]


def loss_ends(line: Line) -> tuple[float, float] | None:
    """The loss with its infinite ends: an output that is impossible on one side has an infinite loss."""
    if line.loss is None:
        return None
    (left_low, left_high), (right_low, right_high) = line.probabilities
    if left_low > 0 and right_high == 0:
        return math.inf, math.inf
    if right_low > 0 and left_high == 0:
        return -math.inf, -math.inf
    low, high = line.loss
    return -math.inf if low is None else low, math.inf if high is None else high
