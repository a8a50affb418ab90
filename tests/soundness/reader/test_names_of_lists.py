"""A list that has two names, or that an attribute holds, is one list wherever it is changed."""

from __future__ import annotations

import random

import pytest

from tests.support.real_runs import compare

HEAD = """\
import random

import numpy as np
from synth.lang import *


class Counts:
    def __init__(self, n):
        self.seen = [0, 0, n]
        self.drawn = 0

    @property
    def fresh(self):
        return [random.randint(0, 1), 5]

    def turn(self):
        self.drawn += 1
        return self

    def note(self, place):
        self.seen[place] += 1
        return self.seen

    def clear(self):
        self.seen.clear()


def same(xs):
    return xs


def flipped(xs):
    for i in range(len(xs)):
        if random.random() < 0.25:
            xs[i] = 1 - xs[i]
    return xs


def twice(x):
    xs = [0, 0]
    xs[0] = x
    return xs, xs


def grown_twice(x):
    xs = []
    xs.append(x)
    return xs, (xs, 1)


@mechanism(adjacent={"x": absolute_distance(1)})
def f(x: int, n: int):
"""

READ = {
    "an entry of the first name": "xs = [x, 1]\nys = same(xs)\nxs[0] = 7\nreturn ys[0], xs[0]",
    "an entry of the second name": "xs = [x, 1]\nys = same(xs)\nys[1] += 7\nreturn xs[1], ys[1]",
    "appended by either": "xs = [x]\nys = same(xs)\nxs.append(2)\nys.append(3)\nreturn sum(xs), len(ys)",
    "before the second name": (
        "xs = [x, 1]\nxs[0] = 4\nys = same(xs)\nxs[1] = 5\nreturn ys[0], ys[1], sum(xs)"
    ),
    "in a branch": "xs = [x, 1]\nys = same(xs)\nif n > 0:\n    ys[0] = 3\nreturn xs[0]",
    "in a loop": (
        "xs = [x, 1]\nys = same(xs)\nfor i in range(2):\n    ys[i] = ys[i] + i\nreturn xs[0] - xs[1]"
    ),
    "three names": "xs = [x]\nys = same(xs)\nzs = same(ys)\nzs[0] += 1\nreturn xs[0] + ys[0]",
    "emptied": "xs = [x]\nys = same(xs)\nys.clear()\nreturn len(xs)",
    "sorted": "xs = [3, n, 1]\nys = same(xs)\nys.sort()\nreturn xs[0], x",
    "a function that changes what it is given": (
        "e = [0, 1]\nr = flipped(e)\nreturn r[0], r[1], e[0], e[1], x"
    ),
    "entries of an attribute": (
        "c = Counts(n)\nc.seen[1] += 2\nc.seen[0] = x\nreturn c.seen[0], c.seen[1], c.seen[2]"
    ),
    "an attribute that is returned": (
        "c = Counts(n)\ns = c.note(1)\ns[0] = 9\nc.seen[2] -= 1\nreturn s[1], s[2], c.seen[0], x"
    ),
    "an attribute that is emptied": "c = Counts(n)\ns = c.note(1)\nc.clear()\nreturn len(s), x",
    "the index is evaluated behind the value": (
        "c = Counts(n)\ni = 0\nc.seen[(i := i + 1)] = i\nreturn c.seen[0], c.seen[1], x"
    ),
    "an owner is evaluated once": (
        "c = Counts(n)\nc.turn().seen[0] += 1\nc.turn().seen[1] = 4\nreturn c.drawn, c.seen[0], c.seen[1], x"
    ),
    "an owner is evaluated behind the value": (
        "c = Counts(n)\nc.turn().seen[0] = c.drawn\nc.turn().seen[c.drawn] += c.drawn\n"
        "return c.seen[0], c.seen[2], x"
    ),
    "a draw as an index": "c = Counts(n)\nc.seen[random.randint(0, 2)] += 1\nreturn c.seen[0], c.seen[1], x",
    "an optional chance": (
        "p = None\nif n > 0:\n    p = 0.5\nif p is None:\n    p = 0.25\nreturn x + np.random.binomial(1, p)"
    ),
}

REFUSED_OR_READ = {
    "the first name gets another list": "xs = [x]\nys = same(xs)\nxs = [0]\nreturn ys[0]",
    "the first name gets a longer list": "xs = [x]\nys = same(xs)\nxs = xs + [1]\nreturn len(ys)",
    "the first name is made longer": "xs = [x]\nys = same(xs)\nxs += [1]\nreturn len(ys)",
    "the list of the round before": (
        "last = []\nfor i in range(3):\n    now = [i]\n    if i > 0:\n        last = same(old)\n"
        "    old = same(now)\n"
        "return len(last), x"
    ),
    "one of two lists": (
        "xs = [x]\nys = [1]\nzs = same(xs) if n > 0 else same(ys)\nzs.append(1)\nreturn len(xs)"
    ),
    "a name in a loop": (
        "xs = [x]\nfor i in range(2):\n    xs = [i]\n    ys = same(xs)\n    ys[0] += 1\nreturn xs[0]"
    ),
    "a list that is made anew at each access": "c = Counts(n)\nc.fresh[0] += 1\nreturn c.fresh[1], x",
    "a list that is drawn at each access": "c = Counts(n)\nc.fresh[c.fresh[0]] = x\nreturn c.drawn",
    "a list that is changed by its second name while a loop runs": (
        "xs = [x, 1]\nys = same(xs)\nfor v in xs:\n    ys[0] = 2\nreturn xs[0]"
    ),
    "a list that replaces the second name": "xs = [x]\nys = same(xs)\nys = [2]\nys[0] += 1\nreturn xs[0]",
    "a list of a fixed size that is given back twice": "xs, ys = twice(1)\nxs[0] = x\nreturn ys[0]",
    "a list that is given back twice": "xs, (ys, k) = grown_twice(1)\nxs[0] = x\nreturn ys[0]",
    "a list that is given back twice and grows": "xs, ys = twice(1)\nxs.append(x)\nreturn len(ys)",
    "a copy": "xs = [x, 1]\nys = list(same(xs))\nys[0] = 5\nreturn xs[0]",
    "a chance that may be none": "p = 0.5\nif n > 0:\n    p = None\nreturn x + np.random.binomial(1, p)",
}


def text(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("name", READ)
def test_what_is_read_is_what_runs(name: str) -> None:
    assert compare(text(READ[name]), random.Random(name), 4) == "same"


@pytest.mark.parametrize("name", REFUSED_OR_READ)
def test_what_is_hard_to_tell_is_refused_or_what_runs(name: str) -> None:
    assert compare(text(REFUSED_OR_READ[name]), random.Random(name), 4) in ("refused", "same")
