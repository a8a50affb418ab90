"""Ties of noise on reals, which have chance 0: a draw that is equal to what it is compared with.

Couplings need not do anything sensible there.  Where three noisy numbers are ordered, no coupling is that
puts a fourth one between the least and the largest also if all are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from synth.prover.testing.recording import Trace
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis, Body, expressions, target

Ties = Mapping[int, tuple[ir.Variable, ...]]
"""By sampling site, the noisy variables that what is drawn is compared with, if they are known before."""

_COMPARISONS = (ir.Operator.LESS, ir.Operator.LESS_EQUAL, ir.Operator.EQUAL)


def ties(analysis: Analysis) -> Ties:
    """All that may be of a mechanism that puts noise in order before its loops; of others none.

    There most tests have ties.
    """
    mechanism = analysis.mechanism
    noisy = analysis.tainted(frozenset(analysis.branches))
    pairs = set(_compared(mechanism))
    found: dict[int, tuple[ir.Variable, ...]] = {}
    for site, draw in analysis.sites.items():
        if isinstance(draw, ir.Draw) and draw.sort is ir.Sort.REAL:
            known = (_assigned_before(mechanism.body, draw) or set()) & noisy
            others = sorted(name for name in known if name != draw.target and (draw.target, name) in pairs)
            if others:
                found[site] = tuple(ir.Variable(name, ir.Sort.REAL) for name in others)
    repeated = {site for site, loops in analysis.site_loops.items() if loops}
    return found if found.keys() - repeated else {}


def _assigned_before(body: Body, draw: ir.Draw) -> set[str] | None:
    """What has a value wherever the draw is reached; None if it is not in the body."""
    known: set[str] = set()
    for statement in body:
        if statement is draw:
            return known
        for part in ir.blocks(statement):
            inside = _assigned_before(part, draw)
            if inside is not None:
                return known | inside
        name = target(statement)
        if name is not None:
            known.add(name)
    return None


def _compared(mechanism: ir.Mechanism) -> Iterator[tuple[str, str]]:
    for statement in ir.statements(mechanism.body):
        for whole in expressions(statement):
            for part in ir.subexpressions(whole):
                match part:
                    case ir.Operation(
                        operator, operands=(ir.Variable(one, sort=ir.Sort.REAL), ir.Variable(other))
                    ) if operator in _COMPARISONS:
                        yield one, other
                        yield other, one


def without_ties(runs: Iterable[Trace], apart: Ties) -> list[Trace]:
    """The runs in which no draw is equal to one of these."""
    return [run for run in runs if not _has_ties(run, apart)]


def _has_ties(run: Trace, apart: Ties) -> bool:
    """Whether some draw of a run is equal to what it is compared with."""
    return any(
        step.observable is None
        and isinstance(step.source, int)
        and any(step.state.get(item.name) == step.values[0] for item in apart.get(step.source, ()))
        for step in run.steps
    )
