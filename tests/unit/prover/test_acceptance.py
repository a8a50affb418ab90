"""Why there is no proof, where the kernel refuses the certificate of one."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from synth.prover.acceptance import Unknown, accepted
from synth.prover.costs.rational import Rational
from synth.prover.obligations.public_facts import PublicFacts
from synth.trusted.kernel.check import INCOMPLETE, INVALID, Verdict
from tests.support.proving import from_text

NOISY = """
@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def noisy(x: int, eps: float):
    return laplace(x, 1 / eps)
"""


def reason(verdict: Verdict) -> str:
    """What a user is told about a kernel's verdict."""
    mechanism = from_text(NOISY)
    bound = Rational.number(1), dict[str, object]()
    found = accepted(
        mechanism, bound, PublicFacts(mechanism.requires), lambda claim: "", lambda text: verdict
    )
    assert isinstance(found, Unknown)
    assert found.span == mechanism.span
    return found.reason


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict(INVALID, None, "While", "derivation.2", "not shown: the invariant is kept by an iteration"),
        Verdict(INVALID, None, "Safe", "safety", "not shown: line 4: division by zero", public=True),
        Verdict(INVALID, None, "Schema", "derivation.8", "'within' is missing"),
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


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (
            Verdict(
                INVALID, None, "LapGen", "derivation.1", "not shown: the mass pays for the tail", public=True
            ),
            "a condition on the parameters that is not shown: the mass pays for the tail",
        ),
        (
            Verdict(INCOMPLETE, None, "While", "derivation.1", "z3 gave up on: the invariant (timeout)"),
            "its check was not completed: z3 gave up on: the invariant (timeout)",
        ),
        (
            Verdict(INVALID, None, "Forall-Eq", "certificate", "the polynomials are too large"),
            "its check was not completed: the polynomials are too large",
        ),
        (
            Verdict(INVALID, None, "Norm", "gaussian", "not shown: epsilon and delta pay", public=True),
            "sigma",
        ),
    ],
)
def test_what_is_not_shown_is_no_defect(verdict: Verdict, words: str) -> None:
    assert words in reason(verdict)
    assert "defect" not in reason(verdict)
