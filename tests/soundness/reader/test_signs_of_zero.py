"""A real that is 0 is shown as ``0.0`` or ``-0.0``, which are equal: so where it is shown that is refused."""

from __future__ import annotations

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source

HEAD = """\
import numpy as np
from synth.lang import *

Z = -0.0

@mechanism(adjacent={"x": discrete_distance(), "y": discrete_distance()})
def f(x: int, y: float, n: int, e: float):
"""

TELLING = {
    "a side of a branch": "print(-0.0 if x > 0 else 0.0)\nreturn 1",
    "a name of it": "v = -0.0 if x > 0 else 0.0\nprint(v)\nreturn 1",
    "a product of numbers": "print(0 * -1.0 if x > 0 else 0.0)\nreturn 1",
    "a constant of the file": "print(Z if x > 0 else 0.0)\nreturn 1",
    "rounded numbers": "print(np.ceil(-0.5) if x > 0 else 0.0)\nreturn 1",
    "an item": "t = (-0.0, 0.0)\nprint(t[x % 2])\nreturn 1",
    "an entry of an array": "u = -np.zeros(2)\nprint(u[0] if x > 0 else 0.0)\nreturn 1",
    "public numbers times 0": "print(n * -0.0 if x > 0 else n * 0.0)\nreturn 1",
    "what is returned, too": "v = y * 0.0\nprint(v)\nreturn v",
    "a returned quotient": "v = 0 / x if x != 0 else 0.0\nprint(v)\nreturn v",
    "what is raised": "if x > 1:\n    raise ValueError(y * 0.0)\nreturn 0",
    "the text of what is raised": "v = y * 0.0\nif x > 1:\n    raise ValueError(f'{v}')\nreturn 0",
    "what a branch raises": "if x > 1:\n    raise ValueError(-0.0 if y > 0 else 0.0)\nreturn 0",
    "noise that is cut and raised": "if x > 1:\n    raise ValueError(min(laplace(y, 1.0), 0.0))\nreturn 0",
}

SILENT = {
    "noise that is returned": "v = laplace(y, 1.0)\nprint(v)\nreturn v",
    "noise plus something": "v = laplace(y, 1.0) + e\nprint(v)\nreturn v",
    "an integer that is returned": "v = laplace(x, 1)\nprint(v)\nreturn v",
    "public reals": "print(e, e / 2, 0.0, -0.0)\nreturn laplace(x, 1)",
    "public reals that are raised": "if x > 1:\n    raise ValueError(f'beyond {e}')\nreturn 0",
    "an integer that is raised": "if x > 1:\n    raise ValueError(x)\nreturn 0",
}


def text(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("name", TELLING)
def test_the_sign_of_zero_is_shown(name: str) -> None:
    with pytest.raises(ProgramError, match=r"of two types|each of one type|are printed|0\.0 or -0\.0"):
        read_source(text(TELLING[name]), "p.py")


@pytest.mark.parametrize("name", SILENT)
def test_what_has_no_sign_of_zero_is_shown(name: str) -> None:
    (mechanism,) = read_source(text(SILENT[name]), "p.py")
    assert mechanism.output is not None
