"""Small adjacent inputs on which a page shows two coupled executions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from synth.prover.testing.instances import Instance, Instances
from synth.prover.testing.valuations import Valuation, valuations
from synth.trusted.core.expressions import Given, Malformed, NoValue, start
from synth.trusted.program import syntax as ir
from synth.views.certificate.term_values import NotComputed, approximate

Pair = tuple[Mapping[str, Given], Mapping[str, Given]]

_LENGTHS = (5, 4, 6, 3, 2, 8)
_PER_VALUATION = 6


def example_inputs(mechanism: ir.Mechanism) -> Iterator[Pair]:
    """Pairs of inputs of a few entries, those with a budget of 1 first; the same in each process."""
    rng = random.Random(0)
    for valuation in _readable(mechanism, valuations(mechanism)):
        for _ in range(_PER_VALUATION):
            found = Instances.of(mechanism, valuation).drawn(rng)
            if found is not None:
                pair = _given(mechanism, found, 0), _given(mechanism, found, 1)
                if _is_admissible(mechanism, pair[0]):
                    yield pair


def _readable(mechanism: ir.Mechanism, found: list[Valuation]) -> Iterator[Valuation]:
    """Shorter inputs at ε = 1 where those are admissible, and what there is."""
    names = {
        item.name
        for item in ([] if mechanism.epsilon is None else ir.subexpressions(mechanism.epsilon))
        if isinstance(item, ir.Variable) and item.sort is ir.Sort.REAL
    }
    unit = {name: Fraction(1) for name in names}
    for length in _LENGTHS:
        for valuation in found[:3]:
            small = {
                name: min(value, length) if type(value) is int else value
                for name, value in valuation.scalars.items()
            }
            yield replace(valuation, scalars={**small, **unit}, length=length, shifts={})
    yield from found


def _given(mechanism: ir.Mechanism, found: Instance, side: int) -> dict[str, Given]:
    given: dict[str, Given] = {}
    for item in mechanism.parameters:
        if item.kind is ir.ParameterKind.SCALAR:
            given[item.name] = found.scalars[side][item.name]
        elif item.kind is ir.ParameterKind.SEQUENCE:
            entry = found.families[item.name].side(side)
            given[item.name] = tuple(entry((place,)) for place in range(found.lengths[item.name]))
        else:
            entry = found.families[item.name].side(side)
            given[item.name] = lambda *index, entry=entry: entry(index)
    return given


def _is_admissible(mechanism: ir.Mechanism, given: Mapping[str, Given]) -> bool:
    try:
        return bool(approximate(mechanism.requires, start(mechanism, given)))
    except (NotComputed, Malformed, NoValue):
        return False
