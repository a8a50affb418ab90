"""What may be known of the values that a part of a program hands on: how they compare with parameters."""

from __future__ import annotations

import random
from collections.abc import Iterator

from synth.prover.testing.instances import Instances
from synth.prover.testing.interpreter import Aborted, Run, compile_body, compile_expression
from synth.prover.testing.recording import ANYWHERE, Recorder, Supports
from synth.prover.testing.valuations import valuations
from synth.trusted.normal_form.sequential_parts import column
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

RUNS = 20
"""Per valuation."""

MAX_FACTS_PER_CUT = 12
"""Facts per cut that are looked into."""


def candidate_interface_facts(
    mechanism: ir.Mechanism, cut: int, part: ir.Mechanism, supports: Supports
) -> tuple[ir.Expression, ...]:
    """Comparisons of what the part behind a cut is given with parameters, that no test refutes.

    They are over the variables of the whole.
    """
    tests = list(_states(mechanism, cut, supports))
    found = [item for item in _comparisons(mechanism, part) if all(_holds(item, run) for run in tests)]
    return tuple(found[:MAX_FACTS_PER_CUT]) if tests else ()


def _comparisons(mechanism: ir.Mechanism, part: ir.Mechanism) -> Iterator[ir.Expression]:
    known = {item.name for item in mechanism.parameters}
    given = {item.name for item in part.parameters} - known
    lists = [ir.Length(name) for name in sorted(mechanism.lists) if column(name, 0) in given]
    scalars = [
        ir.Variable(name, ir.Sort.INT)
        for name in sorted(given)
        if mechanism.variables.get(name) is ir.Sort.INT
    ]
    public = [
        ir.Variable(item.name, ir.Sort.INT)
        for item in mechanism.parameters
        if item.kind is ir.ParameterKind.SCALAR and item.metric is None and item.sort is ir.Sort.INT
    ]
    lengths = [
        ir.Length(item.name) for item in mechanism.parameters if item.kind is ir.ParameterKind.SEQUENCE
    ]
    for scalar in scalars:
        yield builders.less_equal(builders.integer(0), scalar)
        yield from (builders.less(scalar, length) for length in lengths)
    values: list[ir.Expression] = [*scalars, *lists]
    limits: list[ir.Expression] = [*public, *lengths]
    yield from (builders.less_equal(value, limit) for value in values for limit in limits)


def _holds(fact: ir.Expression, run: Run) -> bool:
    try:
        return bool(compile_expression(fact)(run))
    except (Aborted, KeyError):
        return False


def _states(mechanism: ir.Mechanism, cut: int, supports: Supports) -> Iterator[Run]:
    """Runs on small inputs, as they are at a cut."""
    rng = random.Random(0)
    execute = compile_body(mechanism.body[:cut])
    for valuation in valuations(mechanism):
        instances = Instances.of(mechanism, valuation)
        for _ in range(RUNS):
            chosen = instances.drawn(rng)
            if chosen is None:
                continue
            run = chosen.run(0, Recorder(rng, supports, ANYWHERE))
            try:
                if execute(run) is None:
                    yield run
            except Aborted:
                continue
