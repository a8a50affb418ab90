"""Mechanisms that draw from libraries are proved, checked and refuted like plain ones."""

from __future__ import annotations

from pathlib import Path

import pytest

import synth

HEAD = """\
import math
import random
import numpy as np
from synth.lang import mechanism, absolute_distance, change_one_distance, discrete_distance

rng = np.random.default_rng()

"""

PROVED = {
    "numpy's Laplace noise": (
        """
@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def f(x: float, eps: float):
    return x + np.random.laplace(0, 1 / eps)
""",
        "eps",
    ),
    "a die": (
        """
@mechanism(adjacent={"truth": discrete_distance()}, epsilon="math.log(5)")
def f(truth: bool) -> bool:
    die = random.randint(1, 6)
    return truth if die <= 4 else True if die == 6 else False
""",
        "log(5)",
    ),
    "noise by its inverse distribution function": (
        """
def two_sided(b: float) -> float:
    u = random.random() - 0.5
    return -b * math.copysign(1.0, u) * math.log(1 - 2 * abs(u))


@mechanism(adjacent={"salary": absolute_distance("spread")}, requires="eps > 0 and spread > 0", epsilon="eps")
def f(salary: float, spread: float, eps: float) -> float:
    return salary + two_sided(spread / eps)
""",
        "eps",
    ),
    "two geometric draws": (
        """
@mechanism(adjacent={"trips": change_one_distance()}, requires="eps > 0", epsilon="eps")
def f(trips: list[float], eps: float) -> int:
    n = sum(1 for km in trips if km > 10)
    return n + rng.geometric(1 - math.exp(-eps)) - rng.geometric(1 - math.exp(-eps))
""",
        "eps",
    ),
}
REFUTED = """
@mechanism(adjacent={"city": discrete_distance()}, requires="eps > 0 and k >= 2", epsilon="eps")
def f(city: int, k: int, eps: float) -> int:
    keep = random.random() < math.exp(eps) / (math.exp(eps) + k - 1)
    return city if keep else random.randrange(k)
"""


@pytest.mark.parametrize(("text", "epsilon"), PROVED.values(), ids=PROVED.keys())
def test_a_mechanism_is_proved_and_its_certificate_is_valid(tmp_path: Path, text: str, epsilon: str) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEAD + text)
    found = synth.prove(f"{path}::f", timeout=60)
    assert isinstance(found, synth.Proved)
    assert str(found.epsilon) == epsilon
    assert "(stub " in found.assumptions
    assert synth.check(found.certificate).verdict == "valid"


def test_a_claim_that_fails_is_refuted(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEAD + REFUTED)
    found = synth.refute(f"{path}::f", timeout=60)
    assert isinstance(found, synth.Refuted)
    assert synth.check(found.certificate).verdict == "valid"
