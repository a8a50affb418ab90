"""A list of which a loop changes each entry has its new entries for whoever asks, and no caller sees more."""

from __future__ import annotations

import random

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.real_runs import compare

HEAD = """\
import random
from functools import partial

import numpy as np
from synth.lang import *


class Held:
    def __init__(self, values):
        self.values = values

    def first(self):
        return self.values[0]


def first(xs):
    return xs[0]


def same(xs):
    return xs


def flipped(bits, n):
    for i in range(n):
        if random.random() < 0.25:
            bits[i] = 1 - bits[i]
    return bits


def until(bits):
    for i in range(len(bits)):
        if bits[i] == 1:
            return i
        bits[i] = 5
    return -1


def mixed(one, other):
    for i in range(len(one)):
        one[i] = one[i] + other[0]
    return sum(one)


def both(one, other):
    for i in range(len(one)):
        one[i] += 1
        other[i] += 10
    return sum(one)


def changed_beside(xs, get):
    for i in range(len(xs)):
        xs[i] = xs[i] + get()
    return sum(xs)


@mechanism(adjacent={"data": change_one_distance(1)}, requires="n >= 0")
def f(data: list[int], x: int, n: int):
"""

MADE = "xs = [v + 1 for v in data]\n"

READ = {
    "each entry": "for i in range(len(xs)):\n    xs[i] = 2 * xs[i] + i\nreturn xs",
    "some entries": "for i in range(len(xs)):\n    if xs[i] > 0:\n        xs[i] = -xs[i]\nreturn xs, sum(xs)",
    "in place": "for i in range(len(xs)):\n    xs[i] += x\n    xs[i] *= 2\nreturn xs",
    "by an enumeration": "for i, v in enumerate(xs):\n    xs[i] = v * v\nreturn xs",
    "of two lists": (
        "ys = [0] * len(xs)\nfor i in range(len(xs)):\n    ys[i] = xs[i]\n    xs[i] = i\nreturn xs, ys"
    ),
    "until it is left": (
        "for i in range(len(xs)):\n    xs[i] = 9\n    if i == 1:\n        break\n"
        "else:\n    xs.append(3)\nreturn xs"
    ),
    "with rounds that go on": (
        "for i in range(len(xs)):\n    xs[i] = 1\n    if i == 1:\n        continue\n    xs[i] = 7\nreturn xs"
    ),
    "from the second on": "for i in range(1, len(xs)):\n    xs[i] = 0\nreturn xs",
    "again and again": (
        "for k in range(2):\n    for i in range(len(xs)):\n        xs[i] = xs[i] + k + 1\nreturn xs"
    ),
    "in a branch": "if x > 0:\n    for i in range(len(xs)):\n        xs[i] = 3\nreturn xs",
    "that grows later": (
        "for i in range(len(xs)):\n    xs[i] = 3\nxs.append(x)\nxs[0] = 8\nreturn xs, len(xs)"
    ),
    "real entries": "for i in range(len(xs)):\n    xs[i] = xs[i] / 2\nreturn xs",
    "entries of two types": "for i in range(len(xs)):\n    if i > 0:\n        xs[i] = 0.5\nreturn xs",
    "entries that are none": "for i in range(len(xs)):\n    if i > 0:\n        xs[i] = None\nreturn xs",
    "truth values": (
        "ys = [False] * len(xs)\nfor i in range(len(xs)):\n    if xs[i] > 1:\n        ys[i] = True\n"
        "return ys, xs"
    ),
    "truth values that are asked for": (
        "ys = [False] * 3\nfor i in range(2):\n    ys[i] = x > i\n    if not ys[i]:\n        break\n"
        "return ys, any(ys), all(ys)"
    ),
    "truth values and numbers": (
        "ys = [True] * 2\nfor i in range(2):\n    if x > i:\n        ys[i] = 3\nreturn ys, ys[0] == 1"
    ),
    "with coins": (
        "for i in range(len(xs)):\n    if random.random() < 0.25:\n        xs[i] = 1 - xs[i]\nreturn xs"
    ),
    "with noise": "for i in range(len(xs)):\n    xs[i] += np.random.laplace(0, 1)\nreturn xs",
    "in a function": "return sum(flipped(xs, len(xs))), xs",
    "in a function that stays what it was": "ys = flipped(xs, len(xs))\nys[0] = 3\nreturn xs[0], ys",
    "in a function that returns early": "k = until(xs)\nreturn k, xs",
    "two lists in a function": "ys = [1, 2]\nreturn mixed(xs, ys), xs, ys",
    "an array of it made before": "a = np.array(xs)\nfor i in range(len(xs)):\n    xs[i] = 0\nreturn a, xs",
    "a copy of it": "ys = list(xs)\nfor i in range(len(xs)):\n    xs[i] = 0\nreturn ys, xs",
    "a nested function asks behind": (
        "def get():\n    return xs[0]\nfor i in range(len(xs)):\n    xs[i] = 4\nreturn get()"
    ),
}

GIVEN = {
    "what a mechanism is given": "for i in range(len(data)):\n    data[i] = data[i] + x\nreturn data",
    "what it is given, with noise": (
        "for i in range(len(data)):\n    data[i] += np.random.laplace(0, 1)\nreturn data, n"
    ),
    "what it is given, twice": (
        "for i in range(len(data)):\n    data[i] += 1\n"
        "for i, v in enumerate(data):\n    data[i] = 2 * v\nreturn data"
    ),
}

REFUSED_OR_READ = {
    "another name": "ys = same(xs)\nfor i in range(len(xs)):\n    xs[i] = xs[i] + ys[0]\nreturn xs",
    "another name that changes": (
        "ys = same(xs)\nfor i in range(len(xs)):\n    xs[i] = 1\n    ys[0] = 5\nreturn xs"
    ),
    "an attribute": "h = Held(xs)\nfor i in range(len(xs)):\n    xs[i] = xs[i] + h.first()\nreturn xs",
    "a nested function": (
        "def get():\n    return xs[0]\nfor i in range(len(xs)):\n    xs[i] = xs[i] + get()\nreturn xs"
    ),
    "a function that is given": "return changed_beside(xs, lambda: xs[0]), xs",
    "two names in a function": "return mixed(xs, xs), xs",
    "two names in a function that are changed": "return both(xs, xs), xs",
    "a dict": (
        "d = {'a': [x, 2]}\nys = d['a']\nfor i in range(len(ys)):\n    ys[i] = ys[i] + d['a'][0]\nreturn ys"
    ),
    "the list itself": "for i in range(len(xs)):\n    xs[i] = xs[i] + first(xs)\nreturn xs",
    "its sum": "for i in range(len(xs)):\n    xs[i] = sum(xs)\nreturn xs",
    "while it grows": "for i in range(len(xs)):\n    xs[i] = 1\n    xs.append(2)\nreturn xs",
    "while a loop runs over it": (
        "for v in xs:\n    for i in range(len(xs)):\n        xs[i] = 2 * v\nreturn xs"
    ),
    "while a loop runs over its end": ("for i, v in enumerate(reversed(xs)):\n    xs[i] = 2 * v\nreturn xs"),
    "beyond its end": "for i in range(len(xs) + 1):\n    xs[i] = 1\nreturn xs",
    "from its end": "for i in range(-1, 1):\n    xs[i] = 1\nreturn xs",
    "sums of truth values": (
        "ys = [False] * 2\nfor i in range(2):\n    ys[i] = x > i\nreturn ys[0] + ys[1], sum(ys), -ys[0]"
    ),
    "truth values of numpy": (
        "a = np.array([x, n])\nys = [False] * 2\nfor i in range(2):\n    ys[i] = a[i] > 0\n"
        "return ys[0] + ys[1]"
    ),
    "numpy's type of truth values that became integers": (
        "ys = [False, True]\nfor i in range(len(ys)):\n    ys[i] = 2\na = np.array(ys)\na[0] = 7\n"
        "return a, ~a"
    ),
    "numpy's type of truth values of which one became an integer": (
        "ys = [False, True, True]\nfor i in range(len(ys)):\n    if i < x:\n        ys[i] = 2\n"
        "a = np.array(ys)\na[0] = 7\nreturn a"
    ),
    "the type of a truth value that became an integer": (
        "ys = [False, True]\nfor i in range(2):\n    if i < x:\n        ys[i] = 1\n"
        "return isinstance(ys[0], bool)"
    ),
    "numpy's type of what became integers": (
        "ys = [0.5, 0.25]\nfor i in range(len(ys)):\n    ys[i] = 1\na = np.array(ys)\na[0] = 0.5\nreturn a"
    ),
}

HELD_ELSEWHERE = (
    "g = partial(first, data)\nfor i in range(len(data)):\n    data[i] = 7\nreturn data, g()",
    "g = partial(first, xs=data)\nfor i in range(len(data)):\n    data[i] += g()\nreturn data",
    "h = Held(data)\nfor i in range(len(data)):\n    data[i] = 7\nreturn data, h.first()",
    "h = Held(data)\nfor i in range(len(data)):\n    data[i] += h.first()\nreturn data",
    "def get():\n    return data[0]\nfor i in range(len(data)):\n    data[i] = 7\nreturn data, get()",
    "for i in range(len(data)):\n    data[i] = 7\nh = Held(data)\ndata[0] = 9\nreturn data, h.first()",
    "for i in range(len(data)):\n    data[i] = 7\nh = Held(data)\nh.values[0] = 9\nreturn data, h.first()",
)

SEEN_BY_THE_CALLER = (
    "for i in range(len(data)):\n    data[i] = 0\nreturn 1",
    "for i in range(len(data)):\n    data[i] = 0\nif x > 0:\n    return 1\nreturn data",
    "for i in range(len(data)):\n    data[i] = 0\nassert n > 3\nreturn data",
    "for i in range(len(data)):\n    data[i] = 0\n    if n > 3:\n        return 1\nreturn data",
    "for i in range(len(data)):\n    data[i] = 0\ndata = [1]\nreturn data",
    "flipped(data, len(data))\nreturn 1",
    "return flipped(data, len(data))",
)


def text(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("name", READ)
def test_what_is_read_is_what_runs(name: str) -> None:
    assert compare(text(MADE + READ[name]), random.Random(name), 6) == "same"


@pytest.mark.parametrize("name", GIVEN)
def test_a_parameter_that_is_returned_may_be_changed(name: str) -> None:
    assert compare(text(GIVEN[name]), random.Random(name), 6) == "same"


@pytest.mark.parametrize("name", REFUSED_OR_READ)
def test_what_is_hard_to_tell_is_refused_or_what_runs(name: str) -> None:
    found = text(MADE + REFUSED_OR_READ[name])
    assert compare(found, random.Random(name), 6) in ("refused", "same", "undefined")


@pytest.mark.parametrize("body", HELD_ELSEWHERE)
def test_a_parameter_that_something_else_holds_is_refused_or_what_runs(body: str) -> None:
    assert compare(text(body), random.Random(body), 6) in ("refused", "same", "undefined")


@pytest.mark.parametrize("body", SEEN_BY_THE_CALLER)
def test_what_is_written_into_a_parameter_is_seen_by_who_calls(body: str) -> None:
    with pytest.raises(ProgramError):
        read_source(text(body), "p.py")
