"""Cosines of uniform draws: two formulas are noise, and all others are refused."""

from __future__ import annotations

import numpy as np
import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir

HEAD = """\
import math
import random
from math import pi

import numpy as np
from synth.lang import mechanism, absolute_distance

rng = np.random.default_rng()


def four(a, b, c, d):
    return np.log(1 - a) * np.cos(np.pi * b) + np.log(1 - c) * np.cos(np.pi * d)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def f(x: float, eps: float):
"""


def laws(body: str) -> list[str]:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    (found,) = read_source(HEAD + lines, "p.py")
    return [item.distribution for item in ir.statements(found.body) if isinstance(item, ir.Draw)]


U = "random.random()"
READ = [
    ("return x - four(rng.random(), rng.random(), rng.random(), rng.random()) / eps", "laplace"),
    (f"return x + 2.0 * four({U}, {U}, {U}, {U})", "laplace"),
    (f"a = math.log({U}) * math.cos(pi * {U}) - math.log({U}) * math.cos({U} * pi)\nreturn x + a", "laplace"),
    (f"return x + math.sqrt(-2 * math.log({U})) * math.cos(2 * math.pi * {U})", "gaussian"),
    (f"u = {U} - 0.5\nreturn x - math.copysign(math.log(1 - 2 * abs(u)), u) / eps", "laplace"),
]


@pytest.mark.parametrize(("body", "law"), READ)
def test_a_formula_is_one_draw(body: str, law: str) -> None:
    assert laws(body) == [law]


HALF = f"math.log({U}) * math.cos(pi * {U})"
REFUSED = [
    f"return x + np.sqrt(-2.0 * np.log({U})) * np.cos(2.0 * np.pi * {U})",
    f"return x + {HALF}",
    f"h = {HALF}\nreturn x + h + h",
    f"h = {HALF}\ng = {HALF}\nk = {HALF}\na = h + g\nb = h + k\nreturn (x + a, x + b)",
    f"return x + {HALF} + 2 * {HALF}",
    f"return x + {HALF} * {HALF}",
    f"u = {U}\nreturn x + math.log(u) * math.cos(pi * u) + {HALF}",
    f"u = {U}\nreturn x + math.log({U}) * math.cos(pi * u) + math.log({U}) * math.cos(pi * u)",
    f"e = math.log({U})\nreturn x + e * math.cos(pi * {U}) + e * math.cos(pi * {U})",
    f"return x + math.log({U}) * math.cos(3 * pi * {U}) + {HALF}",
    f"return x + math.log({U}) * math.cos(pi * {U} + 1) + {HALF}",
    f"return x + math.log({U}) * math.cos({U}) + {HALF}",
    f"return x + math.sqrt(-3 * math.log({U})) * math.cos(2 * pi * {U})",
    f"return x + random.gauss(0.0, 1.0) * math.cos(pi * {U})",
    f"return x * math.cos(pi * {U})",
    "return math.cos(x)",
    "return pi * x",
    "return math.pi",
]


@pytest.mark.parametrize("body", REFUSED)
def test_other_formulas_are_refused(body: str) -> None:
    with pytest.raises(ProgramError) as caught:
        laws(body)
    assert caught.value.code is not Refusal.READER_DEFECT


def test_four_uniform_draws_make_a_laplace_draw() -> None:
    """Chances of intervals, of 10**6 draws of the formula."""
    a, b, c, d = np.random.default_rng(1).random((4, 1_000_000))
    drawn = np.log(1 - a) * np.cos(np.pi * b) + np.log(1 - c) * np.cos(np.pi * d)
    for end in (-3.0, -1.0, -0.25, 0.0, 0.5, 2.0):
        expected = np.exp(end) / 2 if end < 0 else 1 - np.exp(-end) / 2
        assert abs((drawn < end).mean() - expected) < 0.002
