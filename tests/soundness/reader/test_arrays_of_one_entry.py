"""An array of one entry, as ``laplace(0, b, 1)`` gives, has the truth of its entry; others have none."""

from __future__ import annotations

import random

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.real_runs import compare

HEAD = """\
import numpy as np
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)})
def f(x: int, n: int):
"""

READ = {
    "drawn": "a = n + np.random.laplace(0, 1, 1)\nif a > 0:\n    return x\nreturn a[0]",
    "drawn in the test": "return x if np.random.laplace(0, 1, 1) + n > 1 else 0",
    "two draws": (
        "bar = np.random.laplace(0, 1, 1)\nc = np.random.laplace(0, 1, 1)\n"
        "if x + c >= bar:\n    return bar[0]\nreturn c[0]"
    ),
    "not": "a = np.array([x])\nreturn 1 if not a - 1 else 0",
    "and": "a = np.array([x])\nif a > 0 and a < n:\n    return 1\nreturn 0",
    "in a loop": (
        "a = np.random.laplace(0, 1, 1)\ns = 0\nfor i in range(2):\n    if a + i > 1:\n"
        "        s += 1\nreturn s, x"
    ),
    "while": "a = np.random.laplace(0, 1, 1)\ni = 0\nwhile a + i < 2:\n    i += 1\nreturn i, x",
}

REFUSED = {
    "two entries": "a = np.array([x, 1])\nreturn 1 if a > 0 else 0",
    "as many as there are": "a = np.zeros(n)\nreturn 1 if a else x",
    "a mask": "a = np.array([x])\nreturn 1 if a[a > 0] else 0",
}


def text(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("name", READ)
def test_what_is_read_is_what_runs(name: str) -> None:
    found = text(READ[name])
    read_source(found, "p.py")
    assert compare(found, random.Random(name), 4) == "same"


@pytest.mark.parametrize("name", REFUSED)
def test_other_arrays_have_no_truth(name: str) -> None:
    with pytest.raises(ProgramError):
        read_source(text(REFUSED[name]), "p.py")
