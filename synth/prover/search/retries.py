"""Loops that draw anew until private data, or noise around it, let them go on."""

from __future__ import annotations

from collections.abc import Iterator

from synth.prover.search.cuts import Cuts, computed_from, cuts
from synth.trusted.normal_form.retries import NoRound, one_round
from synth.trusted.normal_form.sequential_parts import NoCut, parts
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis, expressions, private_parameters


def ways_with_rounds(mechanism: ir.Mechanism) -> Iterator[Cuts]:
    """Give ways to cut a program so that one round says all of some parts: first behind each such loop."""
    statements = list(ir.statements(mechanism.body))
    if not any(
        isinstance(item, ir.Loop) and any(map(_draws, ir.statements(item.body))) for item in statements
    ):
        return
    for way in dict.fromkeys((_behind_loops(mechanism), cuts(mechanism)[0], ())):
        if any(map(decides_again, _parts(mechanism, way))):
            yield way


def _parts(mechanism: ir.Mechanism, way: Cuts) -> tuple[ir.Mechanism, ...]:
    """The parts; none of a program that can't be taken for even one of them."""
    try:
        return parts(mechanism, way)
    except NoCut:
        return ()


def _behind_loops(mechanism: ir.Mechanism) -> Cuts:
    found: list[int] = []
    for place in range(1, len(mechanism.body)):
        try:
            *_, part, rest = parts(mechanism, (*found, place))
        except NoCut:
            continue
        if decides_again(part) and any(map(_draws, ir.statements(rest.body))):
            found.append(place)
    return tuple(found)


def decides_again(mechanism: ir.Mechanism) -> bool:
    """Return whether one round says all of the mechanism, and private data may decide how many there are.

    Elsewhere the loop costs nothing, and one round would cost twice what follows.
    """
    try:
        one_round(mechanism)
    except NoRound:
        return False
    analysis, sources = Analysis(mechanism), private_parameters(mechanism)
    private = computed_from(mechanism, mechanism.body, sources, drawn=False)
    loops = (item for item in ir.statements(mechanism.body) if isinstance(item, ir.Loop))
    drawing = (loop for loop in loops if any(map(_draws, ir.statements(loop.body))))
    inside = (value for loop in drawing for item in ir.statements(loop.body) for value in expressions(item))
    return any(analysis.is_tainted(value, private) for value in inside)


def _draws(statement: ir.Statement) -> bool:
    return isinstance(statement, ir.Draw | ir.Choose)
