"""A program and its parts, one after the other on what those before them published, have the same output."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from synth.prover.normal_form.pipeline import canonical
from synth.prover.search.cuts import cuts
from synth.prover.testing.interpreter import Aborted, Number, Run, compile_body
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.normal_form.sequential_parts import NoCut, column, parts, rename_to_interface
from synth.trusted.program import syntax as ir
from tests import ROOT
from tests.support.proving import from_file, names_in
from tests.support.random_programs import programs
from tests.unit.prover.test_interpreter import INPUTS, Recorder, _noise

VARIANTS = ROOT / "tests" / "completeness" / "programs" / "variants" / "sequences.py"
Output = tuple[tuple[Number, ...], dict[str, list[tuple[Number, ...]]]]


def _run(mechanism: ir.Mechanism, recorder: Recorder, inputs: dict[str, Any]) -> Output:
    """What is returned, and the lists.  Raises Aborted."""
    sequences = {
        item.name: {(place,): value for place, value in enumerate(inputs[item.name])}
        for item in mechanism.parameters
        if item.kind is ir.ParameterKind.SEQUENCE
    }
    scalars = {
        item.name: inputs[item.name] for item in mechanism.parameters if item.kind is ir.ParameterKind.SCALAR
    }
    run = Run(scalars, sequences, {name: len(values) for name, values in sequences.items()}, recorder)
    compile_body(mechanism.body)(run)
    assert recorder.returned is not None
    return recorder.returned, run.lists


def _in_parts(mechanisms: tuple[ir.Mechanism, ...], inputs: dict[str, Any], seed: int) -> Output:
    known, lists, noise = dict(inputs), dict[str, list[tuple[Number, ...]]](), _noise(seed)
    output: tuple[Number, ...] = ()
    for part in mechanisms:
        recorder = Recorder(noise)
        output, grown = _run(part, recorder, known)
        (*_, last) = (item for item in ir.statements(part.body) if isinstance(item, ir.Return))
        names = [item.name if isinstance(item, ir.Variable) else "" for item in last.values]
        known |= dict(zip(names, output, strict=True))
        for name in last.lists:
            lists[name] = lists.get(name, []) + grown.get(name, [])
            for place in range(len(part.lists[name].components)):
                known[column(name, place)] = [entry[place] for entry in lists[name]]
    return output, lists


def _compared(mechanism: ir.Mechanism, way: tuple[int, ...]) -> bool:
    """Whether there are such cuts, and the program ends on some input."""
    try:
        mechanisms = parts(mechanism, way)
    except NoCut:
        return False
    returns = [set(item.lists) for item in ir.statements(mechanism.body) if isinstance(item, ir.Return)]
    returned = set.intersection(*returns)
    compared = False
    for seed, inputs in enumerate(INPUTS):
        try:
            output, lists = _run(mechanism, Recorder(_noise(seed)), inputs)
        except Aborted:
            continue
        found, others = _in_parts(mechanisms, inputs, seed)
        assert found == output
        assert {name: others.get(name, []) for name in returned} == {
            name: lists.get(name, []) for name in returned
        }
        compared = True
    return compared


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
@pytest.mark.slow
def test_parts_of_random_programs(source: str) -> None:
    try:
        (mechanism,) = map(canonical, read_source(source, "random.py"))
    except ProgramError:
        assume(False)
    places = range(1, len(mechanism.body))
    ways = [*combinations(places, 1), *combinations(places, 2)][:60]
    assume(sum(_compared(mechanism, way) for way in ways))


@pytest.mark.parametrize("cut", [(0,), (2, 2), (3, 2), (99,)])
def test_cuts_lie_inside_one_behind_the_other(cut: tuple[int, ...]) -> None:
    mechanism = canonical(from_file(VARIANTS, names_in(VARIANTS)[0]))
    with pytest.raises(NoCut, match="inside of the program"):
        parts(mechanism, cut)


@pytest.mark.parametrize("name", names_in(VARIANTS))
def test_what_is_handed_on_is_public_and_published(name: str) -> None:
    mechanism = canonical(from_file(VARIANTS, name))
    for way in filter(None, cuts(mechanism)):
        found = parts(mechanism, way)
        published: set[str] = set()
        for part in found:
            new = {item.name for item in part.parameters} - {item.name for item in mechanism.parameters}
            assert all(part.parameter(name).metric is None and part.parameter(name).published for name in new)
            assert {name.partition("[")[0] for name in new} <= published
            (*_, last) = (item for item in ir.statements(part.body) if isinstance(item, ir.Return))
            published |= {item.name for item in last.values if isinstance(item, ir.Variable)} | set(
                last.lists
            )


SECOND = """
from synth.lang import *

@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def second(q: list[int], eps: float):
    out = []
    for x in q:
        out.append(laplace(x, scale=1 / eps))
    total = 0
    for y in out:
        total += y
    z = laplace(total, scale=1 / eps)
    return z
"""


def test_a_list_that_was_handed_on_has_columns() -> None:
    (mechanism,) = map(canonical, read_source(SECOND, "second.py"))
    ((cut, *_), *_) = cuts(mechanism)
    last = parts(mechanism, (cut,))[-1]
    assert last.parameter("out[0]").sort is ir.Sort.INT
    assert rename_to_interface(ir.Length("out"), last) == ir.Length("out[0]")
