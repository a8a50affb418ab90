"""What a look at two inputs finds: outputs with their probabilities, and which of them to look at closely."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from flint import arb

from synth.language.syntax import Mechanism
from synth.refute.collecting import Collecting, Detail, Tally
from synth.refute.distribution import Enclosed, machine, probability, start
from synth.refute.events import Event, disjoint
from synth.refute.inputs import Inputs, Pair
from synth.refute.laws import Grid
from synth.refute.witness import Claimed, least_epsilon

QUICK = Grid(32, 4, 1e-7, doubts=2)
_MARGIN = 1.001
"""A finding is worth a closer look if the claim is probably missed by this factor."""


@dataclass(frozen=True)
class Finding:
    """Outputs on a pair of inputs, with their probabilities on the two sides, and what those likely are."""

    pair: Pair
    events: tuple[Event, ...]
    left: Enclosed
    right: Enclosed
    likely: tuple[float, float]


def explore(
    mechanism: Mechanism, pair: Pair, deadline: float, detail: Detail | None = None
) -> dict[Event, Tally]:
    """The outputs on two inputs, with the masses of each.  Raises OutOfTimeError, UndefinedError."""
    inputs = (pair.left, pair.right)
    output = Collecting(mechanism, detail or Detail())
    engine = machine(mechanism, inputs, output, QUICK, deadline)
    engine.run(start(mechanism, inputs))
    for tally in output.found.values():
        for side in range(2):
            tally.possible[side] += engine.lost[side]
    return output.found


def singles(pair: Pair, found: Mapping[Event, Tally]) -> Iterator[Finding]:
    """Every output alone, in both directions."""
    for event, tally in found.items():
        one, two = (Enclosed(*ends) for ends in zip(tally.sure, tally.possible, strict=True))
        left, right = tally.likely
        yield Finding(pair, (event,), one, two, (left, right))
        yield Finding(pair.swapped(), (event,), two, one, (right, left))


def sets(pair: Pair, found: Mapping[Event, Tally], claim: Claimed) -> Iterator[Finding]:
    """In both directions, all outputs that are worth taking in against a δ."""
    alone = list(singles(pair, found))
    for chosen in (alone[0::2], alone[1::2]):
        worth = [item for item in chosen if item.left.low > claim.epsilon.exp() * item.right.high]
        events: list[Finding] = []
        for item in worth:
            if all(disjoint(item.events[0], other.events[0]) for other in events):
                events.append(item)
        if events:
            low = sum((item.left.low for item in events), arb(0))
            tops = [sum((getattr(item, side).high for item in events), arb(0)) for side in ("left", "right")]
            rest = sum((item.right.low for item in events), arb(0))
            everything = tuple(item.events[0] for item in events)
            left, right = Enclosed(low, tops[0]), Enclosed(rest, tops[1])
            yield Finding(chosen[0].pair, everything, left, right, (left.middle(), right.middle()))


def loss(finding: Finding) -> float:
    """What ε surely must be at least, for δ = 0."""
    return least_epsilon(finding.left, finding.right, arb(0))


def guess(finding: Finding, claim: Claimed) -> float:
    """What ε must probably be at least."""
    left, right = finding.likely
    left -= float(claim.delta.mid())
    if finding.left.low.is_zero() or not left > 0:
        return -math.inf
    return math.log(left / right) if right > 0 else math.inf


def clearest(choices: Sequence[Finding], claim: Claimed) -> Finding | None:
    """A probable violation with a large loss, and then the most probable outputs."""
    guesses = [(guess(item, claim), item) for item in choices]
    most = max((guess for guess, _ in guesses), default=-math.inf)
    epsilon = float(claim.epsilon.mid())
    if not most > epsilon * _MARGIN:
        return None
    least = epsilon + 1 if math.isinf(most) else (epsilon + most) / 2
    return max(
        (item for guess, item in guesses if guess >= least), key=lambda item: float(item.left.high.mid())
    )


def precise(mechanism: Mechanism, finding: Finding, grid: Grid, deadline: float) -> Finding:
    """The finding with the probabilities that a grid gives.  Raises OutOfTimeError, UndefinedError."""
    pair = finding.pair
    left, right = (_total(mechanism, item, finding, grid, deadline) for item in (pair.left, pair.right))
    return replace(finding, left=left, right=right)


def _total(mechanism: Mechanism, inputs: Inputs, finding: Finding, grid: Grid, deadline: float) -> Enclosed:
    low, high = arb(0), arb(0)
    for event in finding.events:
        part = probability(mechanism, inputs, event, grid, deadline)
        low, high = low + part.low, high + part.high
    return Enclosed(low, high)


def all_disjoint(events: tuple[Event, ...]) -> bool:
    """Whether no output is in two of the events."""
    return all(disjoint(one, two) for place, one in enumerate(events) for two in events[:place])
