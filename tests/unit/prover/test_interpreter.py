"""The search's fast interpreter runs programs as the plain one of the reader's tests does."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, assume, given, settings

from synth.prover.testing.interpreter import (
    Aborted,
    Arguments,
    Number,
    Run,
    Silent,
    compile_body,
    compile_expression,
)
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.random_programs import programs
from tests.support.typed_runs import ObligationFailed, Stuck
from tests.support.typed_runs import Run as PlainRun

INPUTS: list[dict[str, Any]] = [
    {"q": [], "t": 1, "n": 2},
    {"q": [3, 1], "t": 0, "n": -1},
    {"q": [2, 0, 5, 1], "t": 3, "n": 4},
]


@dataclass
class Recorder:
    """Adds given noise to each centre, and keeps what is returned."""

    noise: Iterator[int]
    returned: tuple[Number, ...] | None = None
    appended: list[tuple[str, tuple[Number, ...]]] = field(default_factory=list)

    def draw(self, run: Run, site: ir.Draw, arguments: Arguments) -> Number:
        return arguments[0](run) + next(self.noise)

    def branch(self, number: int, taken: bool) -> None:
        pass

    def append(self, statement: ir.Append, values: tuple[Number, ...]) -> None:
        self.appended.append((statement.target, values))

    def finish(self, values: tuple[Number, ...]) -> None:
        self.returned = values


def _noise(seed: int) -> Iterator[int]:
    return itertools.cycle([(k * k * (seed + 1) + seed) % 5 - 2 for k in range(31)])


def _fast(mechanism: ir.Mechanism, inputs: dict[str, Any], seed: int) -> object:
    recorder = Recorder(_noise(seed))
    sequences = {"q": {(place,): value for place, value in enumerate(inputs["q"])}}
    scalars = {name: value for name, value in inputs.items() if name != "q"}
    run = Run(scalars, sequences, {"q": len(inputs["q"])}, recorder)
    try:
        compile_body(mechanism.body)(run)
    except Aborted:
        return "aborted"
    return recorder.returned, run.lists


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_same_runs(source: str) -> None:
    try:
        (mechanism,) = read_source(source, "random.py")
    except ProgramError:
        assume(False)
    for seed, inputs in enumerate(INPUTS):
        plain = PlainRun(mechanism, inputs, _noise(seed))
        try:
            output: Any = plain.output()
        except ObligationFailed:
            assert _fast(mechanism, inputs, seed) == "aborted"
            continue
        except Stuck:
            continue
        assume(plain.steps < 2000)  # the fast one gives up earlier
        found = _fast(mechanism, inputs, seed)
        assert found != "aborted"
        values, lists = found  # type: ignore[misc]
        scalars = tuple(part for part in output if not isinstance(part, tuple))
        assert values == scalars
        assert lists == plain.lists


def test_operands_are_compiled_once() -> None:
    """A sum of many terms lies as deep as it is long: compiled twice each, they would never end."""
    terms = 100
    total: ir.Expression = ir.Constant(0, ir.Sort.INT)
    for number in range(1, terms + 1):
        total = ir.Operation(ir.Operator.ADD, (total, ir.Constant(number, ir.Sort.INT)), ir.Sort.INT)
    assert compile_expression(total)(Run({}, {}, {}, Silent())) == terms * (terms + 1) // 2
