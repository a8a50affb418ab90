"""A uniform draw is one draw wherever it is used, and an array that is shuffled is so by all of its names."""

from __future__ import annotations

import random

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.real_runs import compare

HEAD = """\
import math
import random
from random import shuffle as mix

import numpy as np
from synth.lang import *

rng = np.random.default_rng()


def chances(n):
    w = np.array([1.0, 2.0, 1.0]) + 0 * n
    return w / np.sum(w)


@mechanism(adjacent={"x": absolute_distance(1)})
def f(x: int, n: int):
"""

DRAW = "c = np.cumsum(chances(n))\nu = random.random()\n"
LOG = "math.log(random.random())"
RADIUS = f"math.sqrt(-2 * {LOG})"
TURN = "t = math.cos(math.pi * random.random())\n"
PROGRAMS = {
    "any of the first sums": DRAW + "if np.any(u <= c[:1]):\n    return 0\nreturn x",
    "argmax of the first sums": DRAW + "return np.argmax(u <= c[:2])",
    "searchsorted in the first sums": DRAW + "return np.searchsorted(c[:1], u)",
    "the first answers": DRAW + "b = u <= c\nreturn np.any(b[:1])",
    "a cosine in two normal draws": f"{TURN}return x + {RADIUS} * t, x + {RADIUS} * t",
    "a cosine in both halves": f"{TURN}return x + ({LOG} * t - {LOG} * t)",
    "a cosine in each round": f"{TURN}return [x + {RADIUS} * t for i in range(2)]",
    "a view of an array": "a = np.array([x, 1, 2])\nb = a[1:]\nmix(a)\nreturn b[0]",
    "another name": "a = np.array([x, 1, 2])\nb = a\nmix(a)\nreturn b[0]",
    "another name, of which the second is shuffled": (
        "a = np.array([x, 1, 2])\nb = np.asarray(a)\nmix(b)\nreturn a[0]"
    ),
    "in each round": (
        "a = np.array([x, 1, 2])\nout = []\nfor i in range(2):\n    out.append(a[0])\n    mix(a)\nreturn out"
    ),
}
READ = [name for name in PROGRAMS if "the first" in name]
REFUSED = [name for name in PROGRAMS if name not in READ]


def text(name: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in PROGRAMS[name].splitlines())


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused(name: str) -> None:
    with pytest.raises(ProgramError):
        read_source(text(name), "p.py")


@pytest.mark.parametrize("name", READ)
def test_sums_that_are_cut_are_read_as_they_run(name: str) -> None:
    assert compare(text(name), random.Random(1), 3) == "same"


def test_an_array_is_shuffled_by_its_own_name() -> None:
    program = HEAD + "    a = np.array([x, 1, 2])\n    random.shuffle(a)\n    return a[0]\n"
    assert compare(program, random.Random(1), 3) == "same"
