"""Violations under an ε so large that each noise is next to nothing.

Where queries are compared with several noisy numbers that all of them share, products of cells are many.  At
a large ε what is unlikely costs far more than wide cells do, and numbers that lie far from what they are
compared with need three cells.  Entries that are what they should be on the left, though barely, move beyond
each other; there are not many more of them than the claim pays for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from flint import arb

from synth.refuter.exact.arithmetic import UndefinedError
from synth.refuter.exact.collecting import Detail
from synth.refuter.exact.distribution import Enclosed, bounds
from synth.refuter.exact.forms import Exact
from synth.refuter.exact.inputs import Datum, Inputs, Pair, is_adjacent
from synth.refuter.exact.laws import Grid
from synth.refuter.exact.work import OutOfTimeError, Work
from synth.refuter.search.findings import Finding, explore, guess
from synth.refuter.witness import claims_at, violates
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import names

EPSILON = 128
"""What the claim mentions."""

LENGTH = 20
_STEPS = 500_000
"""All of it takes no more,"""

_STEPS_OF_ONE = 400_000
"""and no pair more than these."""

_MOST = 3
"""Draws before the loop, at the most."""

_CLEAR = Fraction(11, 10)
"""What is looked at closely has an entry for each query, or probably misses the claim by this factor."""

_ABOUT, _BELOW = Fraction(1, 16), Fraction(1, 32)
"""How far entries lie from the number that they are compared with."""

_NOISELESS = Grid(32, 1, 1e-9, points=True, width=Fraction(1), reach=0)
_USUAL = 0.05
"""An output that is less likely than so many times another one doesn't count."""

_WIDE = Grid(32, 1, 1e-9, width=Fraction(1, 2))
_OUTPUTS = 6
"""Beginnings of lists that are followed."""

Place = tuple[Fraction, int]
"""Where an entry lies, and which way it moves."""


def violation(mechanism: ir.Mechanism, fixed: Mapping[str, Datum], work: Work) -> Finding | None:
    """A violation with precise probabilities, None if none is found in some steps."""
    shared = _shared(mechanism)
    if not shared:
        return None
    try:
        with work.within(_STEPS):
            for pair in _pairs(mechanism, fixed):
                found = _at(mechanism, pair, shared, work)
                if found is not None:
                    return found
    except OutOfTimeError:
        pass
    return None


def _shared(mechanism: ir.Mechanism) -> tuple[int, ...]:
    """The draws of real noise that aren't in a loop, behind which others are compared in one; none if few."""
    inside = {
        item.site
        for loop in ir.statements(mechanism.body)
        if isinstance(loop, ir.Loop)
        for item in ir.statements(loop.body)
        if isinstance(item, ir.Draw)
    }
    draws = [item for item in ir.statements(mechanism.body) if isinstance(item, ir.Draw)]
    if not inside or any(item.sort is not ir.Sort.REAL or item.distribution != "laplace" for item in draws):
        return ()
    found = tuple(item.site for item in draws if item.site not in inside)
    return found if 1 < len(found) <= _MOST else ()


# --- inputs ---------------------------------------------------------------------------------


def _pairs(mechanism: ir.Mechanism, fixed: Mapping[str, Datum]) -> Iterator[Pair]:
    """Lists whose entries lie about one noisy number, or about ever lower ones, and move past each other."""
    claimed = names(mechanism.epsilon) if mechanism.epsilon is not None else set()
    private = [item for item in mechanism.parameters if item.metric is not None]
    others = [item for item in mechanism.parameters if item.metric is None and item.name not in fixed]
    if len(private) != 1 or not _moves(private[0]) or any(item.name not in claimed for item in others):
        return
    public: Inputs = {**fixed, **{item.name: EPSILON for item in others}}
    levels = sorted({0, *_numbers(mechanism)}, reverse=True)
    for level in levels:
        for places in (_about(level, LENGTH), _falling(level, LENGTH)):
            left = tuple(map(_plain, (place for place, _ in places)))
            right = tuple(_plain(place + way) for place, way in places)
            pair = Pair({**public, private[0].name: left}, {**public, private[0].name: right})
            if is_adjacent(mechanism, pair.left, pair.right):
                yield pair


def _moves(parameter: ir.Parameter) -> bool:
    metric = parameter.metric
    return (
        parameter.kind is ir.ParameterKind.SEQUENCE
        and parameter.sort is ir.Sort.REAL
        and metric is not None
        and metric.kind is ir.MetricKind.LINF
        and not metric.monotone
    )


def _numbers(mechanism: ir.Mechanism) -> Iterator[int]:
    """Whole numbers that noise is drawn around."""
    for item in ir.statements(mechanism.body):
        match item:
            case ir.Draw(arguments=(ir.Constant(value=value), _)) if value == int(value):
                yield int(value)


def _about(level: int, length: int) -> list[Place]:
    """The first half a little below, the second one a little above; each moves beyond the other."""
    first = length // 2
    return [(level - _ABOUT, 1) if i < first else (level + _ABOUT, -1) for i in range(length)]


def _falling(level: int, length: int) -> list[Place]:
    """Pairs that lie ever lower, and change places."""
    places = (level - (i + 1) // 2 for i in range(length))
    return [(place + _BELOW, -1) if i % 2 else (place - _BELOW, 1) for i, place in enumerate(places)]


def _plain(number: Fraction) -> Exact:
    return int(number) if number.denominator == 1 else number


# --- outputs --------------------------------------------------------------------------------


def _at(mechanism: ir.Mechanism, pair: Pair, shared: tuple[int, ...], work: Work) -> Finding | None:
    """A violation by what the left input gives mostly; None if there is none, or it takes too long."""
    try:
        with work.within(_STEPS_OF_ONE):
            claim = claims_at(mechanism, pair.left)[0]
            found = _usual(mechanism, pair, work)
            if _rows(found) < LENGTH and guess(found, claim) < _CLEAR * float(claim.epsilon.mid()):
                return None
            for broad in (shared, *combinations(shared, len(shared) - 1)):
                grid = replace(_WIDE, broad=frozenset(broad))
                one, two = bounds(mechanism, (pair.left, pair.right), found.events[0], grid, work)
                if violates(claim, one, two):
                    return replace(found, left=one, right=two)
    except UndefinedError:
        pass
    except OutOfTimeError:
        if work.is_over():
            raise
    return None


def _usual(mechanism: ir.Mechanism, pair: Pair, work: Work) -> Finding:
    """The longest of what comes out on the left, if what queries are compared with has no noise.

    What is far less likely than something else is left out.
    """
    found = explore(mechanism, pair, work, Detail(beam=_OUTPUTS), _NOISELESS)
    least = _USUAL * max(tally.likely[0] for tally in found.values())
    usual = [
        Finding(pair, (event,), Enclosed(arb(left), arb(1)), Enclosed(arb(0), arb(1)), (left, right))
        for event, tally in found.items()
        for left, right in [tally.likely]
        if left >= least
    ]
    return max(usual, key=lambda item: (_rows(item), item.likely[0]))


def _rows(finding: Finding) -> int:
    """How many entries come out."""
    return sum(len(rows) for event in finding.events for rows in event.lists)
