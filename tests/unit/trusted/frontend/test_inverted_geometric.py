"""Discrete Laplace noise by the inverse of its distribution function: the law, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from synth.trusted.core.writer import write_core
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir

HEAD = "import math\nimport random\nimport numpy as np\nfrom synth.lang import *\n"
STATED = '@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")\n'
UNIFORM = "s = -eps\nu = random.random() - 0.5\nu *= 1 + np.exp(s)\n"
SIGN = "g = -1 if u < 0 else 1\n"
NOISE = "return x + g * np.floor(np.log(g * u) / s)"


def _read(body: str) -> ir.Mechanism:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    (found,) = read_source(f"{HEAD}{STATED}def f(x: int, eps: float):\n{lines}", "p.py")
    return found


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.5])
def test_the_formula_has_the_law_of_discrete_laplace_noise(epsilon: float) -> None:
    """The oracle is numpy: the share of the uniform draw's range that gives each number."""
    places = (np.arange(1_000_000) + 0.5) / 1_000_000 - 0.5
    scaled = places * (1 + np.exp(-epsilon))
    signs = np.where(scaled < 0, -1, 1)
    noise = signs * np.floor(np.log(signs * scaled) / -epsilon)
    ratio = math.exp(-epsilon)
    for number in range(-6, 7):
        chance = (1 - ratio) / (1 + ratio) * ratio ** abs(number)
        assert math.isclose(float(np.mean(noise == number)), chance, abs_tol=1e-5)


@pytest.mark.parametrize(
    "body",
    [
        UNIFORM + SIGN + NOISE,
        UNIFORM + "g = 1 if u >= 0 else -1\n" + "return x + np.floor(np.log(g * u) / s) * g",
        UNIFORM + SIGN + "n = int(np.round(g * np.floor(np.log(u * g) / s)))\nreturn x + n",
        "s = -eps\nu = (np.random.rand() - 0.5) * (np.exp(s) + 1)\n" + SIGN + NOISE,
    ],
)
def test_it_is_read_as_one_draw(body: str) -> None:
    found = _read(body)
    (draw,) = [item for item in ir.statements(found.body) if isinstance(item, ir.Draw)]
    assert (draw.distribution, draw.sort) == ("laplace", ir.Sort.INT)
    assert not any(isinstance(item, ir.Choose) for item in ir.statements(found.body))
    assert "laplace(0, 1.0 / -" in write_core(found)


REFUSED = {
    "another range": "s = -eps\nu = random.random() - 0.5\nu *= 1 + np.exp(2 * s)\n" + SIGN + NOISE,
    "a range that is too small": "s = -eps\nu = random.random() - 0.5\nu *= 1 - np.exp(s)\n" + SIGN + NOISE,
    "no range": "s = -eps\nu = random.random() - 0.5\n" + SIGN + NOISE,
    "a step that has changed": UNIFORM + SIGN + "s = 2 * s\n" + NOISE,
    "a step that has changed before": (
        "s = -eps\nr = 1 + np.exp(s)\ns = 2 * s\nu = random.random() - 0.5\nu *= r\n" + SIGN + NOISE
    ),
    "a step that some runs change": (
        "s = -eps\nr = 1 + np.exp(s)\nif eps > 1:\n    s = 2 * s\nu = random.random() - 0.5\nu *= r\n"
        + SIGN
        + NOISE
    ),
    "the sign is told, too": UNIFORM + SIGN + NOISE + ", g",
    "the draw is told, too": UNIFORM + SIGN + NOISE + ", u > 0.1",
    "the draw is used again": UNIFORM + SIGN + NOISE + " + g * np.floor(np.log(g * u) / s)",
    "the sign of another draw": (
        "w = random.random() - 0.5\n" + UNIFORM + "g = -1 if w < 0 else 1\nv = g * w\n" + NOISE
    ),
    "the sign of the draw before it was scaled": (
        "s = -eps\nu = random.random() - 0.5\n" + SIGN + "v = g * u\nu *= 1 + np.exp(s)\n" + NOISE
    ),
    "another sign than the logarithm's": UNIFORM + SIGN + "return x + np.floor(np.log(g * u) / s)",
    "a factor of the sign": UNIFORM + "g = -2 if u < 0 else 2\n" + NOISE,
    "a sum": UNIFORM + SIGN + "return x + g * (np.floor(np.log(g * u) / s) + 1)",
    "a multiple": UNIFORM + SIGN + "return x + g * (2 * np.floor(np.log(g * u) / s))",
    "a ceiling": UNIFORM + SIGN + "return x + g * np.ceil(np.log(g * u) / s)",
    "an integer, of which the type can be asked": (
        UNIFORM + SIGN + "return x + g * math.floor(math.log(g * u) / s)"
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_formulas_are_refused(name: str) -> None:
    with pytest.raises(ProgramError):
        _read(REFUSED[name])
