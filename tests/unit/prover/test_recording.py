"""The rewritings as steps: together they make the form that the prover works on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from synth.prover.normal_form import recording
from synth.prover.normal_form.clipped_sizes import clipped_by_size
from synth.prover.normal_form.late_draws import late_draws, without_copies
from synth.prover.normal_form.pipeline import KEEPING_NOISE, canonical
from synth.prover.normal_form.public_sides import on_both_sides
from synth.prover.normal_form.recording import rewriting
from synth.trusted.core.comparison import same_program
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_program
from synth.trusted.program import syntax as ir
from synth.trusted.program.numbering import renumber
from synth.trusted.steps.rewriting import (
    Advance,
    Count,
    Defer,
    Permute,
    Repeat,
    SameNoise,
    Stream,
    WriteOut,
    rewritten,
)
from tests import ROOT
from tests.support.refuting import mechanism

QUICK = sorted((ROOT / "benchmarks").glob("*/*.py"))
SLOW = sorted(ROOT.glob("tests/*/programs/*/*.py"))

JOINED = """
@mechanism(adjacent={"x": absolute_distance(1)})
def f(x: int) -> int:
    if x > 0:
        return 1
    return laplace(x, 1)
"""


@pytest.mark.parametrize(
    "path",
    [*QUICK, *(pytest.param(path, marks=pytest.mark.slow) for path in SLOW)],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_steps_make_the_canonical_form(path: Path) -> None:
    try:
        mechanisms = read_program(path).mechanisms
    except ProgramError:
        return
    for of in mechanisms:
        found, form = rewriting(of), canonical(of)
        moved = any(late_draws(replace(of, body=renumber(without_copies(of).body))))
        others = Defer | Permute | Stream | Count | Repeat | Advance | WriteOut
        unfused = recording._has_law(found.program) and not recording._has_law(form)
        sized = clipped_by_size(of).body != of.body
        sided = on_both_sides(of) is not of
        stepped = any(isinstance(step, others) for step in found.steps)
        if not (moved or unfused or sized or sided or stepped):
            assert same_program(found.program, replace(form, body=renumber(form.body)))
        assert same_program(found.program, rewritten(of, found.steps)[0])


def test_a_program_that_nothing_changes_needs_no_step() -> None:
    of = mechanism(JOINED.replace("    if x > 0:\n        return 1\n", ""))
    assert rewriting(of).steps == ()


def _without_the_first_statement(of: ir.Mechanism) -> ir.Mechanism:
    return replace(of, body=of.body[1:])


def _with_another_return(of: ir.Mechanism) -> ir.Mechanism:
    one = ir.Constant(1, ir.Sort.INT)
    return replace(of, body=(ir.Return((one,), (), of.span),))


@pytest.mark.parametrize("wrong", [_without_the_first_statement, _with_another_return])
def test_a_wrong_rewriting_is_left_out(monkeypatch: pytest.MonkeyPatch, wrong: object) -> None:
    of = mechanism(JOINED)
    whole = rewriting(of)
    assert [type(step) for step in whole.steps] == [SameNoise]
    monkeypatch.setattr(recording, "KEEPING_NOISE", (wrong, *KEEPING_NOISE))
    assert same_program(rewriting(of).program, whole.program)
    monkeypatch.setattr(recording, "KEEPING_NOISE", (wrong,))
    found = rewriting(of)
    assert (found.steps, found.program) == ((), of)


GUARDED = """
@mechanism(adjacent={"counts": l1_distance(1)}, requires="len(counts) == 6")
def f(counts: list[int]) -> list[tuple[int, float]]:
    released = []
    for place in range(6):
        GUARD
        noisy = laplace(counts[place] + 0.0, 1)
        if noisy > 5:
            released.append((place, noisy))
    return released
"""


@pytest.mark.parametrize("guard", ["if counts[place] == 0: continue", "if not counts[place] > 0: continue"])
def test_what_noise_decides_is_decided_behind_many_private_branches(guard: str) -> None:
    of = mechanism(GUARDED.replace("GUARD", guard))
    branches = (item for item in ir.statements(rewriting(of).program.body) if isinstance(item, ir.If))
    inside = [item for branch in branches for item in ir.statements((branch,))]
    assert any(isinstance(item, ir.Append) for item in inside)
    assert not any(isinstance(item, ir.Draw) for item in inside)
