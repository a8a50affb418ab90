"""The logarithm of what a variable holds is an exponent where the variable always holds that."""

from __future__ import annotations

import pytest

from synth.trusted.core.writer import write_core
from synth.trusted.frontend.reader import read_source

HEAD = """\
import math
import numpy as np
from synth.lang import absolute_distance, mechanism


class Noise:
    def __init__(self, eps):
        self.p = 1 - math.exp(-eps)


@mechanism(adjacent={"n": absolute_distance(1)}, requires="eps > 0 and k > 0")
def f(n: int, k: int, eps: float, other: float) -> int:
"""


def scales(*body: str) -> str:
    """The core program of a function with this body."""
    (found,) = read_source(HEAD + "".join(f"    {line}\n" for line in body), "p.py")
    return write_core(found)


@pytest.mark.parametrize(
    "body",
    [
        ("p = 1 - math.exp(-eps)", "return n + np.random.geometric(p)"),
        ("q = math.exp(-eps)", "p = 1 - q", "return n + np.random.geometric(p)"),
        ("noise = Noise(eps)", "return n + np.random.geometric(noise.p)"),
        ("if k > 3:", "    k = 3", "p = 1 - math.exp(-eps)", "return n + np.random.geometric(p)"),
    ],
)
def test_a_variable_that_always_holds_it(body: tuple[str, ...]) -> None:
    assert "-1.0 / -eps" in scales(*body)


@pytest.mark.parametrize(
    "body",
    [
        ("p = 1 - math.exp(-eps)", "p = p / 2", "return n + np.random.geometric(p)"),
        ("p = 1 - math.exp(-eps)", "if k > 3:", "    p = 0.5", "return n + np.random.geometric(p)"),
        ("eps = eps / 2", "p = 1 - math.exp(-eps)", "eps = eps / 2", "return n + np.random.geometric(p)"),
        (
            "p = 0.5",
            "for i in range(k):",
            "    n = n + np.random.geometric(p)",
            "    p = 1 - math.exp(-eps)",
            "return n",
        ),
        ("p = 1 - 2 * math.exp(-eps)", "return n + np.random.geometric(p)"),
        ("p = 2 - math.exp(-eps)", "return n + np.random.geometric(p)"),
    ],
)
def test_other_variables(body: tuple[str, ...]) -> None:
    assert "-1.0 / -eps" not in scales(*body) and "log(1.0 - p)" in scales(*body)


def test_what_the_logarithm_needs_is_still_shown() -> None:
    found = scales("p = 1 - math.exp(-eps)", "return n + np.random.geometric(p)")
    assert 'ensure(0.0 < 1.0 - p, "domain")' in found
