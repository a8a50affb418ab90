"""Roulette wheels: draws by weights that are written with one uniform draw have the law of the program."""

from __future__ import annotations

import random

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.real_runs import compare

HEAD = """\
import bisect
import itertools
import math
import random
import numpy as np
from synth.lang import *


def chances(n):
    w = np.array([1.0, 2.0, 1.0]) + 0 * n
    return w / np.sum(w)


def spin(weights):
    total = sum(weights)
    u = random.uniform(0, total)
    upto = 0
    for i, w in enumerate(weights):
        if upto + w >= u:
            return i
        upto += w
    return len(weights) - 1


def unit():
    return random.random()


@mechanism(adjacent={"x": absolute_distance(1)})
def f(x: int, n: int):
    w = [2.0 - abs(k - 1) + 0 * x for k in range(3)]
"""

DRAW = "total = sum(w)\nu = random.random() * total\n"
WALK = "acc = 0.0\nfor i, v in enumerate(w):\n    acc += v\n    if u <= acc:\n        return i\nreturn 7"
OVER_SUMS = "for i, c in enumerate(cum):\n    if u <= c:\n        return i\nreturn 7"
SAME = {
    "an enumeration": DRAW + WALK,
    "strictly below": DRAW + WALK.replace("<=", "<"),
    "the other way round": DRAW + WALK.replace("u <= acc", "acc >= u"),
    "not above": DRAW + WALK.replace("u <= acc", "not u > acc"),
    "indices": DRAW
    + "s = 0\nfor i in range(len(w)):\n    s = s + w[i]\n    if s > u:\n        return i\nreturn 7",
    "fewer indices": DRAW
    + "s = 0\nfor i in range(2):\n    s = s + w[i]\n    if s > u:\n        return i\nreturn 7",
    "numbers that are taken off": (
        DRAW + "for i, v in enumerate(w):\n    u -= v\n    if u <= 0:\n        return i\nreturn 7"
    ),
    "numbers that are taken off another name": (
        DRAW
        + "rest = u\nfor i, v in enumerate(w):\n    if rest < v:\n        return i\n    rest -= v\nreturn 7"
    ),
    "a flag": (
        DRAW + "k = -1\nfound = False\nacc = 0.0\nfor i, v in enumerate(w):\n    acc += v\n"
        "    if not found and acc >= u:\n        k = i\n        found = True\nreturn k"
    ),
    "a while loop": (
        DRAW + "i = 0\nacc = w[0]\nwhile i < len(w) - 1 and acc < u:\n    i += 1\n    acc += w[i]\nreturn i"
    ),
    "a while loop that counts last": (
        DRAW + "i = 0\nacc = 0.0\nwhile True:\n    acc += w[i]\n    if u < acc or i == 2:\n        break\n"
        "    i += 1\nreturn i"
    ),
    "a number that is counted first": (
        DRAW + "i = -1\nacc = 0.0\nwhile i < 2:\n    i += 1\n    acc += w[i]\n    if u < acc:\n"
        "        break\nreturn i"
    ),
    "before it is added": (
        DRAW + "acc = 0.0\nfor i, v in enumerate(w):\n    if u < acc:\n        return i - 1\n"
        "    acc += v\nreturn 7"
    ),
    "continue": (
        DRAW + "acc = 0.0\nfor i, v in enumerate(w):\n    acc += v\n    if u > acc:\n        continue\n"
        "    return i\nreturn 7"
    ),
    "a count": DRAW
    + "acc = 0.0\nk = 0\nfor v in w:\n    acc += v\n    if u > acc:\n        k += 1\nreturn k",
    "an exponential": "a = sum(2.0 - abs(k - 1) + 0 * x for k in range(3))\nu = random.random() * a\n" + WALK,
    "chances in a list": "t = sum(w)\nw = [v / t for v in w]\nu = random.random()\n" + WALK,
    "chances as they come": (
        "t = sum(w)\nu = random.random()\nacc = 0\nfor i in range(3):\n    acc += w[i] / t\n"
        "    if u <= acc:\n        return i * x\nreturn 7"
    ),
    "sums that are divided": DRAW.replace(" * total", "") + WALK.replace("u <= acc", "u <= acc / total"),
    "chances in an array": (
        "p = chances(n)\nu = np.random.random()\ns = 0\nfor i, v in enumerate(p):\n"
        "    s += v\n    if u <= s:\n        return i\nreturn 7"
    ),
    "integers": "w = [1, 2, x * 0 + 1]\n" + DRAW + WALK,
    "a helper": "return spin(w), spin(w)",
    "a helper that draws": "total = sum(w)\nu = unit() * total\n" + WALK,
    "two walks of one draw": (
        DRAW + "a = 7\nb = 7\nacc = 0.0\nfor i, v in enumerate(w):\n    acc += v\n    if u <= acc:\n"
        "        a = i\n"
        "        break\nacc = 0.0\nfor i, v in enumerate(w):\n    acc += v\n    if u <= acc:\n        b = i\n"
        "        break\nreturn a, b"
    ),
    "a draw in each round": (
        "out = []\nfor r in range(2):\n    total = sum(w)\n    u = random.random() * total\n    acc = 0.0\n"
        "    k = 7\n    for i, v in enumerate(w):\n        acc += v\n        if u <= acc:\n"
        "            k = i\n"
        "            break\n    out.append(k)\nreturn out"
    ),
    "beyond the sum": (
        "w = [math.exp(0 * k) for k in range(4)]\n"
        "u = random.random() * sum(math.exp(0 * k) for k in range(2))\n" + WALK
    ),
    "one sum": DRAW + "return u <= w[0], u < w[0] + w[1]",
    "backwards": DRAW
    + "s = 0\nfor i in range(len(w) - 1, -1, -1):\n    s += w[i]\n    if s > u:\n        return i\nreturn 7",
    "a reversed range": DRAW
    + "s = 0\nfor i in reversed(range(3)):\n    s += w[i]\n    if s > u:\n        return i\nreturn 7",
    "a reversed list": DRAW + WALK.replace("enumerate(w)", "enumerate(reversed(w))"),
    "a list from its end": DRAW + WALK.replace("enumerate(w)", "enumerate(w[::-1])"),
    "backwards, taken off": (
        DRAW + "for i in range(2, -1, -1):\n    u -= w[i]\n    if u <= 0:\n        return i\nreturn 7"
    ),
    "chances backwards": (
        "t = sum(w)\np = [v / t for v in w]\nu = random.random()\nacc = 0.0\nfor i in range(2, -1, -1):\n"
        "    acc += p[i]\n    if u <= acc:\n        return i\nreturn 7"
    ),
    "what is left of 1": DRAW.replace("random.random()", "(1 - random.random())") + WALK,
    "what is left of 1, by name": "t = sum(w)\nv = random.random()\nu = 1.0 - v\nu = t * u\n" + WALK,
    "what is left of the sum": DRAW.replace("random.random()", "total - random.random()") + WALK,
    "what is left of 1 in chances": (
        "t = sum(w)\nw = [v / t for v in w]\nu = 1 - random.random()\n" + WALK.replace("<=", "<")
    ),
    "what is left of 1, taken off": (
        DRAW.replace("random.random()", "(1 - random.random())")
        + "for i, v in enumerate(w):\n    u -= v\n    if u <= 0:\n        return i\nreturn 7"
    ),
    "what is left of 1, backwards": DRAW.replace("random.random()", "(1 - random.random())")
    + "s = 0\nfor i in reversed(range(3)):\n    s += w[i]\n    if s > u:\n        return i\nreturn 7",
    "accumulated": DRAW + OVER_SUMS.replace("cum", "itertools.accumulate(w)"),
    "accumulated in a list": "cum = list(itertools.accumulate(w))\nu = random.random() * cum[-1]\n"
    + OVER_SUMS,
    "accumulated by hand": (
        DRAW + "cum = []\ns = 0.0\nfor v in w:\n    s += v\n    cum.append(s if cum else v)\n" + OVER_SUMS
    ),
    "accumulated and searched": (
        "cum = list(itertools.accumulate(w))\nreturn bisect.bisect_left(cum, random.uniform(0, sum(w)))"
    ),
}


def text(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("body", SAME.values(), ids=SAME)
def test_it_has_the_law_of_the_program(body: str) -> None:
    read_source(text(body), "p.py")
    assert compare(text(body), random.Random(1), 3) == "same"


def test_the_place_is_drawn_where_the_uniform_number_is() -> None:
    (found,) = read_source(text(SAME["two walks of one draw"]), "p.py")
    draws = [item for item in ir.statements(found.body) if isinstance(item, ir.Draw | ir.Choose)]
    assert [item.distribution for item in draws] == ["choice"]


def test_where_it_is_refused_the_first_reason_is_told() -> None:
    with pytest.raises(ProgramError, match="used twice"):
        read_source(text(DRAW + WALK.replace("return i", "return u")), "p.py")
