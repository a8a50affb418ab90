"""The sign of a uniform draw that conditions tell: what is read is noise, or coins, or refused."""

from __future__ import annotations

import ast
import math
from fractions import Fraction

import pytest

from synth.trusted.core.writer import write_core
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir

HEAD = "import math\nimport random\nimport numpy as np\nfrom synth.lang import *\n"
STATED = '@mechanism(adjacent={"x": absolute_distance(1)}, requires="b > 0")\n'
NOISE = "return x - b * s * math.log(1 - 2 * abs(u))"


def _read(body: str, above: str = "") -> ir.Mechanism:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    (found,) = read_source(f"{HEAD}{above}{STATED}def f(x: float, b: float):\n{lines}", "p.py")
    return found


def _draws(mechanism: ir.Mechanism) -> list[str]:
    statements = list(ir.statements(mechanism.body))
    noise = [item.distribution for item in statements if isinstance(item, ir.Draw)]
    return noise + [item.distribution for item in statements if isinstance(item, ir.Choose)]


SIGNS = (
    "1 if u > 0 else -1",
    "1.0 if u >= 0 else -1.0",
    "-1 if u < 0 else 1",
    "-1 if 0 > u else 1",
    "1.0 if u > 0 else (-1.0 if u < 0 else 0.0)",
    "0 if u == 0 else 1 if u > 0 else -1",
    "-1 if u > 0 else 1",
)
UNIFORMS = ("random.random() - 0.5", "random.uniform(-0.5, 0.5)", "0.5 - np.random.rand()")


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("uniform", UNIFORMS)
def test_a_sign_times_the_logarithm_is_laplace_noise(sign: str, uniform: str) -> None:
    assert _draws(_read(f"u = {uniform}\ns = {sign}\n{NOISE}")) == ["laplace"]


@pytest.mark.parametrize("sign", SIGNS)
def test_they_are_signs(sign: str) -> None:
    """The oracle is Python: what the text is above 0 is the opposite of what it is below, and 1 or -1."""
    code = compile(ast.Expression(ast.parse(sign, mode="eval").body), "s", "eval")
    above, below = ({eval(code, {"u": side * size}) for size in (0.1, 0.3)} for side in (1, -1))
    assert len(above) == len(below) == 1 and above | below == {1, -1}


FUNCTIONS = (
    "def sgn(n):\n    if n >= 0:\n        return 1\n    else:\n        return -1\n",
    "def sgn(n):\n    if n > 0:\n        return 1\n    elif n < 0:\n        return -1\n    return 0\n",
    'def sgn(n):\n    """The sign."""\n    return 1 if n > 0 else -1\n',
)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_may_give_the_sign(function: str) -> None:
    body = "u = random.random() - 0.5\nreturn x + (-1 * b * sgn(u) * math.log(1 - 2 * math.fabs(u)))"
    assert _draws(_read(body, function)) == ["laplace"]


def test_that_a_draw_is_a_number_has_no_chance() -> None:
    body = f"u = random.random() - 0.5\nif u == 0:\n    return x\ns = 1 if u > 0 else -1\n{NOISE}"
    found = _read(body)
    assert _draws(found) == ["laplace"] and len([s for s in found.body if isinstance(s, ir.Return)]) == 1


def test_a_sign_alone_is_a_coin() -> None:
    assert _draws(_read("u = random.random() - 0.5\ns = 1 if u > 0 else -1\nreturn s * x")) == ["bernoulli"]


REFUSED = {
    "the sign is told, too": f"u = random.random() - 0.5\ns = 1 if u > 0 else -1\n{NOISE}, s",
    "the draw is told, too": f"u = random.random() - 0.5\ns = 1 if u > 0 else -1\n{NOISE}, u > 0.25",
    "another draw's sign": (
        f"u = random.random() - 0.5\ns = 1 if u > 0 else -1\nu = random.random() - 0.5\n{NOISE}"
    ),
    "another factor below 0": f"u = random.random() - 0.5\ns = 2 if u > 0 else -1\n{NOISE}",
    "no sign": f"u = random.random() - 0.5\ns = 1 if u > 0 else 1\n{NOISE}",
    "a draw that is not around 0": f"u = random.random() - 0.4\ns = 1 if u > 0 else -1\n{NOISE}",
    "another threshold": f"u = random.random() - 0.5\ns = 1 if u > 0.1 else -1\n{NOISE}",
    "a number that knows the draw": (
        "u = random.random()\ny = -math.log(u)\nif u == math.exp(-y):\n    return x\nreturn y"
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_sign_of_the_draw_makes_no_noise(name: str) -> None:
    with pytest.raises(ProgramError):
        _read(REFUSED[name])


def test_the_scale_is_the_factor() -> None:
    """Of the noise that is drawn, against the inverse of the distribution function."""
    text = write_core(_read(f"u = random.random() - 0.5\ns = -1 if u > 0 else 1\n{NOISE}"))
    assert "laplace(x, 1.0 * b)" in text
    for u in (Fraction(1, 4), Fraction(-3, 8)):
        drawn = -1 * (1 if u > 0 else -1) * math.log(1 - 2 * abs(u))
        chance = 1 - math.exp(-drawn) / 2 if drawn > 0 else math.exp(drawn) / 2
        assert math.isclose(chance, float(u) + 0.5)
