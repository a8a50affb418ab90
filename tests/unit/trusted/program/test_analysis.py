"""What analysis reads off a program: liveness means that nobody looks at the rest."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, assume, given, settings

from synth.prover.normal_form.structured_exits import normalize
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis, assigned, length_name, without_obligations
from tests.support.proving import from_text
from tests.support.random_programs import programs
from tests.support.typed_runs import ObligationFailed, Run, Stuck

INPUTS: list[dict[str, Any]] = [{"q": [3, 1], "t": 0, "n": -1}, {"q": [2, 0, 5, 1], "t": 3, "n": 4}]
OTHER = {ir.Sort.INT: 977, ir.Sort.REAL: Fraction(977, 2), ir.Sort.BOOL: True}


@dataclass
class Scrambled(Run):
    """A run that spoils, at each loop's head, the variables that are not live there."""

    live: dict[int, frozenset[str]] = field(default_factory=dict)

    def _loop(self, loop: ir.Loop) -> None:
        head = ir.Loop(loop.loop, (_Spoil(loop.loop), *loop.body), loop.span)  # type: ignore[arg-type]
        super()._loop(head)

    def _statement(self, statement: Any) -> None:
        if isinstance(statement, _Spoil):
            for name in self.variables.keys() - self.live[statement.loop]:
                self.variables[name] = OTHER[self.mechanism.variables[name]]
        else:
            super()._statement(statement)


@dataclass(frozen=True)
class _Spoil:
    loop: int


def _output(run: Run) -> object:
    try:
        return run.output()
    except (ObligationFailed, Stuck) as failed:
        return type(failed)


def _noise() -> Any:
    return itertools.cycle([(k * k + 1) % 5 - 2 for k in range(31)])


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_only_live_variables_matter(source: str) -> None:
    """Spoiling the others at every loop's head changes no output."""
    try:
        (mechanism,) = read_source(source, "random.py")
    except ProgramError:
        assume(False)
    mechanism = normalize(mechanism)
    mechanism = replace(mechanism, body=without_obligations(mechanism.body))
    live = Analysis(mechanism).live_at_loop
    for inputs in INPUTS:
        expected = _output(Run(mechanism, inputs, _noise()))
        assert _output(Scrambled(mechanism, inputs, _noise(), live=live)) == expected


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_obligations_are_left_out(source: str) -> None:
    try:
        (mechanism,) = read_source(source, "random.py")
    except ProgramError:
        assume(False)
    body = without_obligations(mechanism.body)
    assert not any(isinstance(item, ir.Obligation) for item in ir.statements(body))
    assert assigned(body) == assigned(mechanism.body)


def _threshold() -> ir.Mechanism:
    return from_text(
        """
        @mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
        def f(q: list[int], t: int, eps: float) -> list[bool]:
            out = []
            seen = []
            level = laplace(t, 1 / eps)
            largest = 0
            for x in q:
                if x > largest:
                    largest = x
                seen.append(x)
                above = laplace(seen[0], 1 / eps) > level
                if above:
                    out.append(True)
                else:
                    out.append(False)
            return out
        """
    )


def test_structure() -> None:
    """Sites inside and outside the loop, the branch that only computes, the list that is returned."""
    analysis = Analysis(_threshold())
    assert sorted(len(loops) for loops in analysis.site_loops.values()) == [0, 1]
    quiet = [analysis.branches[number].span.line for number in analysis.quiet_branches]
    assert quiet == [10]
    assert analysis.returned_lists == {"out"}
    (live,) = analysis.live_at_loop.values()
    assert {"level", length_name("out")} <= live
    assert "above" not in live


def test_taint() -> None:
    """What may differ between the runs: draws, private data, and what branches on them assign."""
    analysis = Analysis(_threshold())
    assert {"q", "level", "largest", "seen"} <= analysis.tainted(frozenset())
    assert "out" not in analysis.tainted(frozenset())
    private = from_text(
        """
        @mechanism(adjacent={"x": absolute_distance(1)})
        def f(x: int, t: int) -> int:
            flag = 0
            if x > t:
                flag = 1
            return flag
        """
    )
    analysis = Analysis(private)
    (branch,) = analysis.branches
    assert "flag" in analysis.tainted(frozenset())
    assert "flag" not in analysis.tainted(frozenset({branch}))
