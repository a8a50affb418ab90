"""Which tails of noise might be given up at the price of a delta.

"The noise stays below t" is true but for a small mass.  Assumed of run 1's draws, it may show that a
threshold is not crossed (Barthe et al. 2016, *Advanced Probabilistic Couplings*: up-to-bad).  Which t
helps is read off the comparisons of the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import ceil, exp, inf

from synth.bounds.scales import NotConstant, Scales
from synth.prover.product.folds import folds
from synth.prover.product.strategy import Added, Tail
from synth.prover.testing.instances import Instance
from synth.prover.testing.interpreter import Aborted, Evaluate, Silent, compile_expression
from synth.prover.testing.recording import Step, Trace
from synth.prover.testing.valuations import Valuation, public_value
from synth.support.floats import estimate
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis, Body, expressions, names

_COMPARISONS = (ir.Operator.LESS, ir.Operator.LESS_EQUAL)
_STEPS = (1, 0, 2)
MAX_TAILS = 6
ROUNDED = 1e-5
"""How far off a delta may be that is computed for the tests."""


def candidates(mechanism: ir.Mechanism, units: Sequence[ir.Expression]) -> list[dict[int, Tail]]:
    """Tails to try, by sampling site: of one kind at all sites that a comparison is about.

    First those that are given up only where an entry differs, or where the entries that differ add unlike
    numbers to the centre.
    """
    everywhere = _everywhere(mechanism, units)
    places, sums = _changing(mechanism), _added(mechanism)
    there = [
        {site: replace(tail, changed=places[site]) for site, tail in tails.items()}
        for tails in everywhere
        if tails.keys() <= places.keys()
    ]
    added = [
        {site: replace(tail, added=sums[site]) for site, tail in tails.items()}
        for tails in everywhere
        if tails.keys() <= sums.keys()
    ]
    return [*there, *added, *everywhere]


def _changing(mechanism: ir.Mechanism) -> dict[int, ir.Read]:
    """By sampling site, the entry that its loop reads of a sequence of which one entry may differ."""
    found: dict[int, ir.Read] = {}
    for loop in ir.statements(mechanism.body):
        if isinstance(loop, ir.Loop):
            read = next(_reads(mechanism, loop.body), None)
            sites = (item.site for item in ir.statements(loop.body) if isinstance(item, ir.Draw))
            found |= dict.fromkeys(sites, read) if read is not None else {}
    return found


def _added(mechanism: ir.Mechanism) -> dict[int, Added]:
    """By sampling site, what a record adds to the one sum over records that the centre speaks of."""
    analysis = Analysis(mechanism)
    sums = {
        name: Added(fold.source, fold.counter.name, increment)
        for fold in folds(analysis).values()
        for name, increment in fold.increments.items()
    }
    definitions = Scales(mechanism).definitions
    found: dict[int, Added] = {}
    for site, draw in analysis.sites.items():
        if isinstance(draw, ir.Draw):
            about = _sources(draw.arguments[0], definitions) & sums.keys()
            if len(about) == 1:
                found[site] = sums[about.pop()]
    return found


def _sources(expression: ir.Expression, definitions: Mapping[str, ir.Expression]) -> set[str]:
    """The variables that an expression is made of, and those that the values of these are made of."""
    found: set[str] = set()
    waiting = list(names(expression))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += names(definitions[name]) if name in definitions else ()
    return found


def _reads(mechanism: ir.Mechanism, body: Body) -> Iterator[ir.Read]:
    for statement in _outside_of_loops(body):
        for whole in expressions(statement):
            for part in ir.subexpressions(whole):
                if isinstance(part, ir.Read) and len(part.index) == 1:
                    metric = mechanism.parameter(part.source).metric
                    if metric is not None and metric.kind is ir.MetricKind.CHANGE_ONE:
                        yield part


def _outside_of_loops(body: Body) -> Iterator[ir.Statement]:
    for statement in body:
        if not isinstance(statement, ir.Loop):
            yield statement
            for inner in ir.blocks(statement):
                yield from _outside_of_loops(inner)


def _everywhere(mechanism: ir.Mechanism, units: Sequence[ir.Expression]) -> list[dict[int, Tail]]:
    found: dict[tuple[tuple[int, Tail], ...], None] = {}
    analysis, scales = Analysis(mechanism), Scales(mechanism)
    for step in _STEPS:
        for both in (False, True):
            for unit in units:
                tails = dict(_tails(analysis, scales, unit, step, both))
                if tails:
                    found[tuple(sorted(tails.items(), key=lambda item: item[0]))] = None
    return [dict(item) for item in found][:MAX_TAILS]


def _tails(
    analysis: Analysis, scales: Scales, unit: ir.Expression, step: int, both: bool
) -> Iterator[tuple[int, Tail]]:
    for site, draw in analysis.sites.items():
        if isinstance(draw, ir.Draw) and draw.distribution != "gaussian":
            for limit in _compared(analysis.mechanism, scales, draw):
                size = builders.arithmetic(
                    ir.Operator.MULTIPLY, ir.Constant(Fraction(step), ir.Sort.REAL), unit
                )
                least = builders.subtract(builders.convert(limit, ir.Sort.REAL), size) if step else limit
                yield site, Tail(least, both)
                break


def _compared(mechanism: ir.Mechanism, scales: Scales, draw: ir.Draw) -> Iterator[ir.Expression]:
    """The public numbers that something with the draw in it is compared with."""
    drawn = _copies(mechanism, draw)
    for statement in ir.statements(mechanism.body):
        for whole in expressions(statement):
            for part in ir.subexpressions(whole):
                if isinstance(part, ir.Operation) and part.operator in _COMPARISONS:
                    left, right = part.operands
                    for one, other in ((left, right), (right, left)):
                        if names(one) & drawn:
                            try:
                                yield builders.convert(scales.resolve(other, draw.span), ir.Sort.REAL)
                            except NotConstant:
                                continue


def _copies(mechanism: ir.Mechanism, draw: ir.Draw) -> set[str]:
    """The variables that hold the draw, moved at the most."""
    found = {draw.target}
    while True:
        more = {
            item.target
            for item in ir.statements(mechanism.body)
            if isinstance(item, ir.Assign) and names(item.value) & found and item.value.sort is draw.sort
        }
        if more <= found:
            return found
        found |= more


def affordable(mechanism: ir.Mechanism, tails: Mapping[int, Tail], valuations: Sequence[Valuation]) -> bool:
    """Whether the claimed delta is at least the mass of each tail, at the parameters of the tests."""
    delta, draws = mechanism.delta, Analysis(mechanism).sites
    if delta is None:
        return True
    for site, tail in tails.items():
        draw = draws[site]
        assert isinstance(draw, ir.Draw)
        try:
            scale = Scales(mechanism).resolve(draw.arguments[1], draw.span)
            numbers = (
                [estimate(public_value(mechanism, item, at)) for item in (tail.limit, scale, delta)]
                for at in valuations
            )
            if any(_mass(limit, scale, draw, tail.both) > delta + ROUNDED for limit, scale, delta in numbers):
                return False
        except (NotConstant, Aborted):
            continue
    return True


def _mass(limit: float, scale: float, draw: ir.Draw, both: bool) -> float:
    """The probability of noise that is ``limit`` or more, at least where that is no integer.

    Below 0 it is more than that, as the kernel counts it.
    """
    if scale <= 0 or (limit < 0 and draw.sort is ir.Sort.INT):
        return inf
    mass = exp(-limit / scale) / 2
    if draw.distribution == "exponential":
        mass *= 2
    elif draw.sort is ir.Sort.INT:
        mass = exp(-ceil(limit) / scale) / (1 + exp(-1 / scale))
    return 2 * mass if both else mass


def given_up(tail: Tail, step: Step, instance: Instance) -> bool:
    """Whether noise beyond the limit is given up at this draw of run 1."""
    if tail.added is not None:
        return _adds_unlike(tail.added, step, instance)
    if tail.changed is None:
        return True
    index = tuple(int(compile_expression(item)(instance.resume(step.state))) for item in tail.changed.index)
    family = instance.families[tail.changed.source]
    return family.side(0)(index) != family.side(1)(index)


def _adds_unlike(added: Added, step: Step, instance: Instance) -> bool:
    """Whether the entries that differ add unlike numbers."""
    family = instance.families[added.source]
    place = next((index for index, (first, second) in family.pairs.items() if first != second), None)
    if place is None:
        return False
    values = []
    for side in (0, 1):
        run = instance.run(side, Silent())
        run.values.update({**step.state, added.counter: place[0]})
        values.append(_compiled(added.increment)(run))
    return values[0] != values[1]


@lru_cache(maxsize=64)
def _compiled(expression: ir.Expression) -> Evaluate:
    return compile_expression(expression)


def within(runs: Sequence[Trace], tails: Mapping[int, Tail], mechanism: ir.Mechanism) -> list[Trace]:
    """The runs in which all noise stays inside."""
    return [trace for trace in runs if _is_within(trace, tails, mechanism)]


def _is_within(trace: Trace, tails: Mapping[int, Tail], mechanism: ir.Mechanism) -> bool:
    for step in trace.steps:
        tail = tails.get(step.source) if step.observable is None and isinstance(step.source, int) else None
        if tail is None or not given_up(tail, step, trace.instance):
            continue
        noise = step.values[0] - step.arguments[0]
        try:
            limit = public_value(mechanism, tail.limit, trace.instance.valuation)
        except Aborted:
            return False
        if noise >= limit or (tail.both and -noise >= limit):
            return False
    return True
