"""Why there is no proof, where the kernel refuses the certificate of one."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from synth.bounds.rational import Rational
from synth.prover.acceptance import Unknown, check_within_claim
from synth.prover.obligations.public_facts import PublicFacts
from synth.trusted.kernel.check import INCOMPLETE, INVALID, Verdict
from synth.trusted.logic.codes import Code
from synth.trusted.reasons import Reason
from tests.support.proving import from_text

NOISY = """
@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def noisy(x: int, eps: float):
    return laplace(x, 1 / eps)
"""


def unknown(verdict: Verdict) -> Unknown:
    """What is made of a kernel's verdict."""
    mechanism = from_text(NOISY)
    bound = Rational.number(1), dict[str, object]()
    found = check_within_claim(
        mechanism, bound, PublicFacts(mechanism.requires), lambda claim: [""], lambda text: verdict
    )
    assert isinstance(found, Unknown)
    assert found.span == mechanism.span
    return found


def reason(verdict: Verdict) -> str:
    """What a user is told about a kernel's verdict."""
    return unknown(verdict).reason


def refused(rule: str, place: str, why: Reason, shown: bool = True, public: bool = False) -> Verdict:
    """A kernel's verdict; with ``shown`` it is about a side condition."""
    text = f"not shown: {why}" if shown else str(why)
    return Verdict(INVALID, None, rule, place, text, why, public=public)


@pytest.mark.parametrize(
    "verdict",
    [
        refused("While", "derivation.2", Code.INVARIANT_NOT_KEPT()),
        refused("Safe", "safety", Code.OBLIGATION_NOT_SHOWN(line=4, reason="division by zero"), public=True),
        refused("Schema", "derivation.8", Code.MISSING_FIELD(field="within"), shown=False),
    ],
)
def test_a_refused_certificate_is_our_defect(verdict: Verdict) -> None:
    said = reason(verdict)
    assert "a defect of synth, not of the program" in said
    assert "certificate is invalid" not in said
    for part in (
        f"synth {version('synth')}",
        f"[{verdict.rule}] at {verdict.place}",
        verdict.reason,
        "report",
    ):
        assert part is not None and part in said


def gave_up(rule: str, place: str, why: Reason) -> Verdict:
    """Of what the kernel says, the verdict where a solver has no answer."""
    return Verdict(INCOMPLETE, None, rule, place, f"z3 gave up on: {why} (timeout)", why)


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (
            refused("LapGen", "derivation.1", Code.TAIL_NOT_PAID(), public=True),
            "a condition on the parameters that is not shown: the mass pays for the tail",
        ),
        (
            gave_up("While", "derivation.1", Code.INVARIANT_NOT_KEPT()),
            "its check was not completed: z3 gave up on: the invariant is kept by an iteration (timeout)",
        ),
        (
            refused("Forall-Eq", "certificate", Code.POLYNOMIALS_TOO_LARGE(), shown=False),
            "its check was not completed: the polynomials are too large",
        ),
        (
            refused("Seq", "derivation.4", Code.TOO_MANY_WAYS(most=16), shown=False),
            "its check was not completed: more than 16 ways lead here",
        ),
        (refused("Norm", "gaussian", Code.NOISE_NOT_PAID(), public=True), "sigma"),
    ],
)
def test_what_is_not_shown_is_no_defect(verdict: Verdict, words: str) -> None:
    assert words in reason(verdict)
    assert "defect" not in reason(verdict)


@pytest.mark.parametrize(
    ("verdict", "final"),
    [
        (refused("Case", "derivation.1", Code.TAIL_NOT_PAID(), public=True), True),
        (gave_up("LapInt", "derivation.1", Code.GAP_NOT_POSITIVE()), True),
        (refused("LapGen", "derivation.1", Code.DISTANCE_NOT_PAID(), public=True), False),
    ],
)
def test_what_the_tails_are_no_other_coupling_mends(verdict: Verdict, final: bool) -> None:
    assert unknown(verdict).final == final
