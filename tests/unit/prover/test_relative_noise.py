"""Data divided by as much as they may differ keep their quotient where noise meets other noise."""

from __future__ import annotations

import pytest

from synth.prover.normal_form.pipeline import canonical
from synth.prover.normal_form.relative_noise import relative_draws
from synth.prover.prove import Proved, prove
from synth.prover.templates.loading import load_templates
from synth.trusted.program import syntax as ir
from tests.support.proving import from_text

RELEASED = "return laplace(x / B, 1 / eps)"
AGAINST_A_NUMBER = "return laplace(x / B, 1 / eps) > t"
AGAINST_NOISE = "bar = laplace(t, 1 / eps); return laplace(x / B, 1 / eps) > bar"
THE_LARGER = "y = laplace(t, 1 / eps); z = x / B; return max(laplace(z, 1 / eps), y) > 3"
LISTED = "ys = [laplace(x / B, 1 / eps), laplace(t, 1 / eps)]; return ys[0] > ys[1]"


def mechanism(statements: str, distance: str = "B", claim: str = "eps") -> ir.Mechanism:
    body = "\n".join(f"    {item}" for item in statements.split("; "))
    return from_text(
        f'@mechanism(adjacent={{"x": absolute_distance("{distance}")}}, '
        f'requires="eps > 0 and B > 0 and c > 0", '
        f'epsilon="{claim}")\ndef m(x: float, t: float, B: float, c: float, eps: float):\n{body}\n'
    )


def epsilon_within_claim(of: ir.Mechanism) -> str | None:
    found = prove(of, load_templates())
    return str(found.epsilon) if isinstance(found, Proved) and found.checked.within_claim else None


@pytest.mark.parametrize("statements", [RELEASED, AGAINST_A_NUMBER])
def test_elsewhere_the_noise_is_as_wide_as_the_data(statements: str) -> None:
    assert not relative_draws(canonical(mechanism(statements)))


@pytest.mark.parametrize("statements", [AGAINST_NOISE, THE_LARGER, LISTED])
def test_what_meets_other_noise_stays_divided(statements: str) -> None:
    assert len(relative_draws(canonical(mechanism(statements)))) == 1


def test_another_divisor_is_no_distance() -> None:
    assert not relative_draws(mechanism(AGAINST_NOISE.replace("B", "c")))


@pytest.mark.parametrize("statements", [RELEASED, AGAINST_A_NUMBER, AGAINST_NOISE, THE_LARGER])
def test_a_quotient_costs_what_a_count_does(statements: str) -> None:
    assert epsilon_within_claim(mechanism(statements)) == "eps"


@pytest.mark.parametrize(
    "false",
    [
        mechanism(AGAINST_NOISE, distance="2*B"),
        mechanism(AGAINST_NOISE, claim="eps/2"),
        mechanism(AGAINST_NOISE, distance="c"),
        mechanism(AGAINST_NOISE.replace("x / B", "x / B / B")),
        mechanism(AGAINST_NOISE.replace("x / B", "x / c")),
    ],
    ids=["moves by 2", "half the noise", "another distance", "divided once more", "another divisor"],
)
def test_a_quotient_that_moves_by_more_has_no_proof(false: ir.Mechanism) -> None:
    assert epsilon_within_claim(false) is None
