"""Rocq accepts what is emitted, on the axioms of its real numbers alone, and no lie about it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from synth.app.rocq import ALLOWED, compile_proof
from synth.rocq.document import rocq_file
from synth.trusted.errors import UnfinishedError
from synth.trusted.kernel.check import parse
from tests.unit.views.exporting import golden

NAME = Path("above_threshold.json")

LIES = {
    "a smaller epsilon": ("private_on eps_ program", "private_on (eps_ / 2) program"),
    "a smaller total": ("Definition total : R := eps_.", "Definition total : R := (eps_ / 2)."),
    "a test of the same answer twice": (
        "Definition events : list event := [(Branch 1)]",
        "Definition events : list event := []",
    ),
    "another shift of the threshold": (
        "| 0%nat => shift 0%nat ((1 / 2) * eps_)%R (1)%Z (1)%Z (1)%Z",
        "| 0%nat => shift 0%nat ((1 / 2) * eps_)%R (1)%Z (1)%Z (0)%Z",
    ),
    "a cheaper shift": ("(1)%Z (1)%Z (1)%Z", "(1)%Z (0)%Z (1)%Z"),
    "a program with less noise": (
        '(RDiv (RealConst 4) (RealVar "eps"));;\n      If',
        '(RDiv (RealConst 2) (RealVar "eps"));;\n      If',
    ),
    "a program that tells the noisy answer": (
        'Assign "result" (IntVar "i")',
        'Assign "result" (IntVar "answer")',
    ),
    "inputs that are farther apart": ("(RealConst 1)) q_1", "(RealConst 2)) q_1"),
}


def judged(folder: Path, text: str) -> tuple[str, ...]:
    return compile_proof(NAME, folder, text, time.monotonic() + 600).axioms


@pytest.mark.slow
def test_above_threshold_is_proved_on_the_axioms_of_the_reals(folder: Path) -> None:
    axioms = judged(folder, rocq_file(parse(golden("above_threshold"))))
    assert axioms and set(axioms) <= ALLOWED


@pytest.mark.slow
@pytest.mark.parametrize("lie", LIES)
def test_no_lie_compiles(folder: Path, lie: str) -> None:
    true, false = LIES[lie]
    text = rocq_file(parse(golden("above_threshold")))
    assert true in text
    with pytest.raises(UnfinishedError, match="Rocq does not accept"):
        judged(folder, text.replace(true, false, 1))


@pytest.mark.slow
def test_where_the_tactics_stop_is_said(folder: Path) -> None:
    true, false = LIES["another shift of the threshold"]
    text = rocq_file(parse(golden("above_threshold"))).replace(true, false, 1)
    with pytest.raises(UnfinishedError, match="the invariant of loop 0 is not shown where the loop begins"):
        judged(folder, text)


FALSE_OF_CHANCES = {
    "a smaller epsilon": ("private_on eps_ program", "private_on (eps_ / 2) program"),
    "and a smaller total": ("Definition total : R := eps_.", "Definition total : R := (eps_ / 2)."),
    "bits that are flipped less often": ('(RDiv (RealVar "eps") (RealConst 2))', '(RealVar "eps")'),
    "half of the cost": ("((1 / 2) * eps_)%R (1)%Z", "((1 / 2) * eps_)%R (0)%Z"),
}


@pytest.mark.slow
@pytest.mark.parametrize("lie", FALSE_OF_CHANCES)
def test_no_lie_about_chances_compiles(folder: Path, lie: str) -> None:
    true, false = FALSE_OF_CHANCES[lie]
    text = rocq_file(parse(golden("rappor")))
    assert true in text
    with pytest.raises(UnfinishedError, match="Rocq does not accept"):
        judged(folder, text.replace(true, false))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("proof", "why"),
    [
        ("Axiom private : statement.", "Axiom"),
        ("Theorem private : statement. Admitted.", "Admitted"),
        ("Unset Guard Checking.\nTheorem private : statement. Proof. exact coupling. Qed.", "Unset"),
        ("Variable private : statement.", "rests on"),
    ],
)
def test_what_only_looks_like_a_proof_is_none(folder: Path, proof: str, why: str) -> None:
    text = rocq_file(parse(golden("above_threshold")))
    head, end, _ = text.partition("Section Proof.")
    assert end
    with pytest.raises(UnfinishedError, match=why):
        judged(folder, f"{head}{proof}\n")
