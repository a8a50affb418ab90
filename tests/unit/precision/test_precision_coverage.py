"""Which mechanisms the theorem covers, and what is read off them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from textwrap import dedent

import pytest

from synth.precision import noised_real
from synth.trusted.errors import CertificateError, UsageError
from synth.trusted.kernel.certificate import Certificate
from synth.trusted.kernel.check import parse
from synth.trusted.logic.terms import read

HEADER = """\
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance("c"), "q": linf_distance(1)}, requires="eps > 0 and c > 0")
def m(x: float, q: list[float], n: int, eps: float, c: float):
"""
VALUES = {"eps": Fraction(1, 2), "c": Fraction(3), "n": Fraction(4)}


Make = Callable[..., Certificate]
BOUND = "(* |c<>| |eps<>|)"


@pytest.fixture
def make(certificates: Path) -> Make:
    """What a certificate says of such a program; its derivation is not looked at."""
    accepted = parse((certificates / "noisy.json").read_text(encoding="utf-8"))

    def to_certificate(body: str, epsilon: str = BOUND) -> Certificate:
        text = HEADER + "".join(f"    {line}\n" for line in dedent(body).strip().splitlines())
        program = replace(accepted.program, text=text, mechanism="m")
        return replace(accepted, program=program, proved=replace(accepted.proved, epsilon=read(epsilon)))

    return to_certificate


@pytest.mark.parametrize(
    "body",
    [
        "return laplace(x, 1 / eps)",
        "return x + laplace(0, 1 / eps)",
        "y = laplace(x, scale=1 / eps)\nreturn y",
        "scale = 1 / eps\nz = x - n\nreturn laplace(z, scale)",
        "y = laplace(n - x, 1 / eps)\nz = y\nreturn z",
    ],
)
def test_read_off(make: Make, body: str) -> None:
    item = noised_real(make(body), VALUES)
    assert item.epsilon == Fraction(3, 2) and item.scale == 2 and item.sensitivity == 3
    assert item.sensitivity_source == "the adjacency of x" and not item.stated


@pytest.mark.parametrize("body", ["return laplace(2 * x, 2 / eps)", "return laplace(x + x, 2 / eps)"])
def test_other_centres_are_as_sensitive_as_the_proof_allows(make: Make, body: str) -> None:
    item = noised_real(make(body, f"(* 2.0 {BOUND})"), VALUES)
    assert item.sensitivity == item.epsilon * item.scale == 12


def test_a_stated_sensitivity(make: Make) -> None:
    item = noised_real(make("return laplace(x, 1 / eps)"), VALUES, Fraction(2))
    assert item.sensitivity == 2 and item.stated


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return laplace(n, 1 / eps)", "on the integers"),
        ("return laplace(x, 1 / eps), laplace(x, 1 / eps)", "draws 2 times"),
        ("return exponential(x, 1 / eps)", "exponential, not Laplace"),
        ("return 2 * laplace(x, 1 / eps)", "just the noised real"),
        ("y = laplace(x, 1 / eps)\nreturn y > 0", "just the noised real"),
        ("y = laplace(x, 1 / eps)\nreturn y, n", "just the noised real"),
        ("return n", "draws 0 times"),
        ("y = laplace(x, 1 / eps)\nif y > 0:\n    y = 0\nreturn y", "branches and loops"),
        ("out = []\nfor i in range(len(q)):\n    out.append(laplace(q[i], 1 / eps))\nreturn out", "branches"),
        ("return laplace(x, sqrt(2) / eps)", "no rational value"),
    ],
)
def test_not_covered(make: Make, body: str, reason: str) -> None:
    with pytest.raises(CertificateError, match=r"Theorem 4\.5 doesn't cover m: ") as caught:
        noised_real(make(body), VALUES)
    assert reason in caught.value.message


def test_values_of_the_parameters(make: Make) -> None:
    item = make("return laplace(x, 1 / eps)")
    with pytest.raises(UsageError, match="no value for n, c"):
        noised_real(item, {"eps": Fraction(1)})
    with pytest.raises(UsageError, match="don't satisfy"):
        noised_real(item, VALUES | {"eps": Fraction(-1)})
    with pytest.raises(UsageError, match="must be positive"):
        noised_real(item, VALUES, Fraction(0))
    with pytest.raises(UsageError, match="is 0 for these parameters"):
        noised_real(make("return laplace(x, 1 / eps)", "0.0"), VALUES)
