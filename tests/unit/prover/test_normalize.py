"""Programs with fewer exits do what they did before."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import HealthCheck, assume, given, settings

from synth.prover.normal_form.structured_exits import normalize
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.random_programs import programs
from tests.support.typed_runs import ObligationFailed, Run, Stuck
from tests.support.well_formed import check

INPUTS: list[dict[str, Any]] = [
    {"q": [], "t": 1, "n": 2},
    {"q": [3, 1], "t": 0, "n": -1},
    {"q": [2, 0, 5, 1], "t": 3, "n": 4},
]


def _output(mechanism: ir.Mechanism, inputs: dict[str, Any], seed: int) -> object:
    noise = itertools.cycle([(k * k * (seed + 1) + seed) % 5 - 2 for k in range(31)])
    try:
        return Run(mechanism, inputs, noise).output()
    except ObligationFailed as failed:
        return "obligation", str(failed)
    except Stuck:
        return "stuck"


def _exits(mechanism: ir.Mechanism) -> int:
    return sum(isinstance(item, ir.Exit) for item in ir.statements(mechanism.body))


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_same_outputs(source: str) -> None:
    """Same outputs, same failures, no more exits; and once is enough."""
    try:
        (mechanism,) = read_source(source, "random.py")
    except ProgramError:
        assume(False)
    simpler = normalize(mechanism)
    check(simpler)
    assert _exits(simpler) <= _exits(mechanism)
    for seed, inputs in enumerate(INPUTS * 2):
        before = _output(mechanism, inputs, seed)
        assume(before != "stuck")
        assert _output(simpler, inputs, seed) == before


def test_continue_becomes_else() -> None:
    """No exit is left but the one that ends the loop."""
    (mechanism,) = read_source(
        "from synth.lang import *\n"
        "@mechanism\n"
        "def f(q: list[int], t: int) -> int:\n"
        "    total = 0\n"
        "    for x in q:\n"
        "        if x > t:\n"
        "            continue\n"
        "        if x < -t:\n"
        "            continue\n"
        "        total += 1\n"
        "    return total\n",
        "continue.py",
    )
    assert _exits(mechanism) == 3
    assert _exits(normalize(mechanism)) == 1
