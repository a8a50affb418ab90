"""Uniform draws among the sums of chances: what is read has the law that CPython's program has."""

from __future__ import annotations

import random

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.real_runs import compare

HEAD = """\
import random
import numpy as np
from synth.lang import *


def shares(*numbers):
    w = np.array(numbers)
    return w / w.sum()


def chances(n):
    w = np.array([1.0, 2.0, 1.0]) + 0 * n
    return w / np.sum(w)


@mechanism(adjacent={"x": absolute_distance(1)})
def f(x: int, n: int):
"""

SUMS = "c = np.cumsum(chances(n))\n"
DRAW = SUMS + "u = random.random()\n"
SAME = {
    "searchsorted": "return np.searchsorted(np.cumsum(chances(n)), np.random.random())",
    "from the right": "return int(np.searchsorted(np.cumsum(chances(n)), np.random.random(), side='right'))",
    "argmax": SUMS + "return np.argmax(np.random.random() < c)",
    "any": SUMS + "u = np.random.random()\nif np.any(u <= c):\n    return np.argmax(u <= c)\nreturn 7",
    "a loop over indices": (DRAW + "for i in range(len(c)):\n    if u <= c[i]:\n        return i\nreturn 7"),
    "a loop over sums": (DRAW + "for i, s in enumerate(c):\n    if s > u:\n        return i * x\nreturn 7"),
    "a loop that goes on": (
        "c = chances(n).cumsum()\nu = random.random()\ni = 0\nwhile u > c[i]:\n    i += 1\nreturn i + x"
    ),
    "several questions": (DRAW + "a = u < c[0]\nb = u < c[1]\nreturn a, b, u > c[2]"),
    "a draw in each round": (
        SUMS + "out = []\nfor k in range(2):\n    u = random.random()\n"
        "    out.append(1 if u <= c[1] else 0)\nreturn out"
    ),
    "the sums of others": (
        SUMS + "d = np.cumsum(np.array([3.0, 1.0]) / 4)\nu = random.random()\n"
        "v = random.random()\nreturn u < c[0], v < d[0]"
    ),
    "the draw comes first": "u = random.random()\nc = np.cumsum(chances(n))\nreturn np.argmax(u < c)",
    "a name for a sum": DRAW + "s = c[1]\nif x > 2:\n    n = 1\nreturn u <= s, n",
}

AT = "    if s >= u:\n        return i\nreturn 7"
ONE = "    if u <= s:\n        return 1\nreturn 7"
LOOPS = {
    "chances that are added up": "for i in range(len(p)):\n    s += p[i]\n" + AT,
    "chances of an enumeration": "for i, v in enumerate(p):\n    s = s + v\n" + AT,
    "chances beside others": "for i, v in zip([5, 6, 9], p):\n    s += v\n" + AT,
    "a loop that counts": "k = 0\nfor v in p:\n    s += v\n    if u > s:\n        k += 1\nreturn k",
    "a break": "k = 9\nfor i in range(3):\n    s += p[i]\n    if u < s:\n"
    "        k = i\n        break\nreturn k",
    "before it is added": "for v in p:\n    if u <= s:\n        return 1\n    s += v\nreturn 7",
    "backwards": "for v in p[::-1]:\n    s += v\n" + ONE,
    "fewer": "for i in range(2):\n    s += p[i]\n" + AT,
}
OTHER_LOOPS = {
    "from the second on": "for i in range(1, 3):\n    s += p[i]\n" + AT,
    "a start that is not 0": "s = 0.25\nfor v in p:\n    s += v\n" + ONE,
    "chances that are left out": "for i in range(3):\n    if i == 1:\n        continue\n    s += p[i]\n" + AT,
    "twice": "for v in p:\n    s += v\n    if u <= s:\n        return 1\n    s += v\nreturn 7",
    "two loops": "for k in range(2):\n    for v in p:\n        s += v\n"
    "        if u <= s:\n            return k\nreturn 7",
    "another entry": "for i in range(2):\n    s += p[i + 1]\n" + AT,
    "in a branch": "for v in p:\n    if x > 0:\n        s += v\n" + ONE,
    "other numbers": "for v in p * 2:\n    s += v\n" + ONE,
    "another index": "j = 0\nfor i in range(3):\n    s += p[j]\n" + AT,
}
START = "p = chances(n)\nu = random.random()\ns = 0.0\n"
SAME |= {name: START + loop for name, loop in LOOPS.items()}

REFUSED = {
    "a number beside": DRAW + "if u < 0.5:\n    return 9\nreturn np.argmax(u < c)",
    "a number behind": DRAW + "a = np.argmax(u < c)\nreturn a, u < 0.5",
    "two sums": (SUMS + "d = np.cumsum(shares(1.0, 3.0))\nu = random.random()\nreturn u < c[0], u < d[0]"),
    "entries that are changed": (SUMS + "c[1] = 0.9\nu = random.random()\nreturn np.searchsorted(c, u)"),
    "sums of what is no share": "return np.searchsorted(np.cumsum([0.5, 0.5]), np.random.random())",
    "other sums": "c = np.cumsum(chances(n)) * 2\nreturn np.searchsorted(c, np.random.random())",
    "a number that is searched": "return np.searchsorted(np.cumsum(chances(n)), 0.5)",
    "a formula": SUMS + "return np.searchsorted(c, 2 * np.random.random())",
    "equality": SUMS + "return np.argmax(np.random.random() == c)",
    "in a formula, too": DRAW + "a = np.argmax(u < c)\nreturn a, -np.log(u)",
    "a variable that changes": (
        DRAW + "s = c[0]\nfor i in range(2):\n    if u <= s:\n        return i\n    s = s + 0.5\nreturn 7"
    ),
}


REFUSED |= {name: START + loop for name, loop in OTHER_LOOPS.items()}


def text(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("body", SAME.values(), ids=SAME)
def test_it_has_the_law_of_the_program(body: str) -> None:
    read_source(text(body), "p.py")
    assert compare(text(body), random.Random(1), 3) == "same"


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_what_is_refused(body: str) -> None:
    with pytest.raises(ProgramError):
        read_source(text(body), "p.py")


def test_the_place_is_drawn_once_and_where_the_uniform_number_is() -> None:
    (found,) = read_source(text(SAME["several questions"]), "p.py")
    assert [item.distribution for item in ir.statements(found.body) if isinstance(item, ir.Choose)] == [
        "choice"
    ]
