"""What a look at two inputs finds: outputs with their probabilities, and which of them to look at closely."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from flint import arb

from synth.refuter.exact.collecting import Collecting, Cuts, Detail, Tally
from synth.refuter.exact.distribution import Enclosed, machine, probability, start
from synth.refuter.exact.events import Event, disjoint
from synth.refuter.exact.inputs import Inputs, Pair
from synth.refuter.exact.laws import Grid
from synth.refuter.exact.sets import Sought, apart, cells_of, joined, sharpened
from synth.refuter.exact.work import OutOfTimeError, Work
from synth.refuter.witness import Claimed, least_epsilon
from synth.trusted.program import syntax as ir

QUICK = Grid(32, 2, 1e-7, doubts=2, points=True)
_MARGIN = 1.001
"""A finding is worth a closer look if the claim is probably missed by this factor."""

_NEARLY = 0.9
"""Of outputs with about this part of the largest loss beyond the claim the most probable is shown."""

_CLEARLY = 0.5
"""An excess of this part of δ is clear; among such sets the likeliest is shown."""

_LEAST = 1e-300
"""What a smaller δ counts as where excesses are compared."""

_TO_COMPARE = 20
"""What comparing an output with the others counts, in steps."""

_MAX_CELLS = 400
"""Of so many outputs at the most, sets are made."""


@dataclass(frozen=True)
class Finding:
    """Outputs on a pair of inputs, with their probabilities on the two sides, and what those likely are."""

    pair: Pair
    events: tuple[Event, ...]
    left: Enclosed
    right: Enclosed
    likely: tuple[float, float]


def explore(
    mechanism: ir.Mechanism, pair: Pair, work: Work, detail: Detail | None = None, grid: Grid = QUICK
) -> dict[Event, Tally]:
    """The outputs on two inputs, with the masses of each.  Raises OutOfTimeError, UndefinedError."""
    inputs = (pair.left, pair.right)
    output = Collecting(mechanism, detail or Detail())
    engine = machine(mechanism, inputs, output, grid, work)
    engine.run(start(mechanism, inputs))
    for tally in output.found.values():
        for side in range(2):
            tally.possible[side] += engine.dropped_mass[side]
    return output.found


def singles(pair: Pair, found: Mapping[Event, Tally]) -> Iterator[Finding]:
    """Every output alone, in both directions."""
    for event, tally in found.items():
        one, two = (Enclosed(*ends) for ends in zip(tally.sure, tally.possible, strict=True))
        left, right = tally.likely
        yield Finding(pair, (event,), one, two, (left, right))
        yield Finding(pair.swapped(), (event,), two, one, (right, left))


def sets(
    mechanism: ir.Mechanism,
    pair: Pair,
    first: Mapping[Event, Tally],
    claims: Sequence[Claimed],
    work: Work,
    detail: Detail | None = None,
) -> Iterator[Finding]:
    """In both directions, all outputs that are worth taking in against a δ; ``first`` are those known so far.

    Of several claims each has its own.  Probabilities are only likely ones.  Raises UndefinedError.
    """
    sought = [
        Sought(side, float(claim.epsilon.exp().mid()), float(claim.delta.mid()))
        for claim in claims
        for side in (0, 1)
    ]

    def finer(extra: Cuts) -> Mapping[Event, Tally]:
        work.spend(_TO_COMPARE * len(first))
        return explore(mechanism, pair, work, replace(detail or Detail(), extra=extra))

    try:
        found = sharpened(mechanism, first, sought, finer)
    except OutOfTimeError:
        found = first
    cells = cells_of(found)
    for item in sought:
        towards = pair if item.side == 0 else pair.swapped()
        chosen = apart(item.best(cells)[:_MAX_CELLS])
        if chosen:
            events = joined(mechanism, [cell.event for cell in chosen])
            left, right = (sum(cell.masses[side] for cell in chosen) for side in (item.side, 1 - item.side))
            one, two = (Enclosed(arb(mass), arb(mass)) for mass in (left, right))
            yield Finding(towards, events, one, two, (left, right))


def excess(finding: Finding, claim: Claimed) -> float:
    """By how much p1 - e^ε · p2 probably is larger than δ, as a part of δ (which is positive)."""
    left, right = finding.likely
    delta = max(float(claim.delta.mid()), _LEAST)
    return (left - float(claim.epsilon.exp().mid()) * right) / delta - 1


def is_probable(finding: Finding, claim: Claimed) -> bool:
    """Whether the claim is missed by a margin, if the probabilities are what they likely are."""
    if claim.delta > 0:
        return excess(finding, claim) > _MARGIN - 1
    return guess(finding, claim) > float(claim.epsilon.mid()) * _MARGIN


def largest(judged: Sequence[tuple[Claimed, Finding]]) -> Finding | None:
    """The clearest violation of a claim with a δ, each held against its own; of clear ones the likeliest."""
    excesses = [excess(item, claim) for claim, item in judged]
    enough = min(max(excesses, default=-math.inf), _CLEARLY)
    clear = [item for item, most in zip(judged, excesses, strict=True) if most >= enough]
    claim, best = max(clear, key=lambda item: item[1].likely[0], default=(None, None))
    return best if claim is not None and best is not None and is_probable(best, claim) else None


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


def gain(finding: Finding, claim: Claimed) -> float:
    """What p1 - e^ε · p2 probably is."""
    left, right = finding.likely
    return left - float(claim.epsilon.exp().mid()) * right


def clearest(choices: Sequence[Finding], claim: Claimed) -> list[Finding]:
    """Probable violations: what only one side seems to give, others with a large loss, and a likely one.

    Of each, one: the most probable outputs; and what gains most.
    """
    guesses = [(guess(item, claim), item) for item in choices]
    endless = [item for guess, item in guesses if math.isinf(guess) and guess > 0]
    finite = [(guess, item) for guess, item in guesses if not math.isinf(guess)]
    most = max((guess for guess, _ in finite), default=-math.inf)
    epsilon = float(claim.epsilon.mid())
    found = [endless] if endless else []
    if most > epsilon * _MARGIN:
        found.append([item for guess, item in finite if guess >= epsilon + _NEARLY * (most - epsilon)])
    picked = [max(items, key=lambda item: float(item.left.high.mid())) for items in found]
    likely = [item for guess, item in finite if guess > epsilon * _MARGIN]
    largest = max(likely, key=lambda item: gain(item, claim), default=None)
    return picked if largest is None or largest in picked else [*picked, largest]


def likelier(choices: Iterable[Finding], claim: Claimed, than: float) -> list[Finding]:
    """Probable violations that are likelier than that on the left, the likeliest first."""
    found = [item for item in choices if item.likely[0] > than and is_probable(item, claim)]
    return sorted(found, key=lambda item: -item.likely[0])


def precise(mechanism: ir.Mechanism, finding: Finding, grid: Grid, work: Work) -> Finding:
    """The finding with the probabilities that a grid gives.  Raises OutOfTimeError, UndefinedError."""
    pair = finding.pair
    left, right = (_total(mechanism, item, finding, grid, work) for item in (pair.left, pair.right))
    return replace(finding, left=left, right=right, likely=(left.middle(), right.middle()))


def _total(mechanism: ir.Mechanism, inputs: Inputs, finding: Finding, grid: Grid, work: Work) -> Enclosed:
    low, high = arb(0), arb(0)
    for event in finding.events:
        part = probability(mechanism, inputs, event, grid, work)
        low, high = low + part.low, high + part.high
    return Enclosed(low, high)


def all_disjoint(events: tuple[Event, ...]) -> bool:
    """Whether no output is in two of the events."""
    return all(disjoint(one, two) for place, one in enumerate(events) for two in events[:place])
