"""What runs over a generator of the file does its work where it yields, and draws stand in Python's order."""

from __future__ import annotations

import random

import pytest

from tests.support.real_runs import compare

HEAD = """\
import random

import numpy as np
from synth.lang import *


def counted(n):
    for i in range(n):
        yield i * i


def above(values, t):
    for i, v in enumerate(values):
        if v > t:
            yield i
            return
        yield -1


def coins(n):
    for i in range(n):
        yield random.randint(0, 1)


def twice(x):
    yield x
    x += 1
    yield x


def nothing(x):
    if x > 100:
        yield x


def nested(n):
    for i in range(n):
        for v in twice(i):
            yield v


def endless(x):
    while True:
        yield x
        x += 1


def longer(xs):
    xs.append(7)
    yield len(xs)
    xs.append(8)
    yield len(xs)


def entries(a):
    for i in range(2):
        yield a[i]


def column(m):
    for i in range(2):
        yield m[i, 0]


def lengths(xs):
    yield len(xs)
    yield len(xs)


def of_function(g):
    a = g()
    yield a[1]
    yield a[1]


def guarded(x):
    try:
        yield x
    finally:
        pass


def gives(x):
    yield x
    return 3


class Source:
    def __init__(self, x):
        self.x = x

    def values(self):
        while self.x < 4:
            yield self.x
            self.x += 1


@mechanism(adjacent={"x": absolute_distance(1)}, requires="n >= 0")
def f(x: int, n: int):
"""

READ = {
    "a list": "return list(counted(n)), x",
    "a sum": "return sum(counted(3)) + x",
    "a comprehension": "return [v + x for v in counted(n) if v > 0]",
    "a loop": "s = 0\nfor v in counted(n):\n    s += v * x\nreturn s",
    "numbered": "s = 0\nfor i, v in enumerate(twice(x)):\n    s += i * v\nreturn s",
    "left early": "s = 0\nfor v in counted(5):\n    if v > 3:\n        break\n    s += v\nreturn s, x",
    "left by a return": "for v in counted(5):\n    if v > x:\n        return v\nreturn -1",
    "with an end of its own": "return list(above([x, n, 1], 0))",
    "rounds that go on": (
        "s = 0\nfor v in counted(4):\n    if v == 1:\n        continue\n    s += v\nreturn s, x"
    ),
    "an else": "s = x\nfor v in counted(2):\n    s += 1\nelse:\n    s += 10\nreturn s",
    "an else that isn't run": "s = x\nfor v in counted(2):\n    break\nelse:\n    s += 10\nreturn s",
    "several yields": "return list(twice(x))",
    "nothing": "return list(nothing(x)), x",
    "one in another": "return list(nested(2)), x",
    "coins": "s = 0\nfor v in coins(2):\n    s = 2 * s + v\nreturn s, x",
    "coins of both": (
        "s = 0\nfor v in coins(2):\n    if random.randint(0, 1) == 1:\n        break\n"
        "    s += v + 1\nreturn s, x"
    ),
    "without an end, that is left": (
        "s = 0\nfor v in endless(1):\n    if v > 3:\n        break\n    s += v\nreturn s, x"
    ),
    "a method": "if x < 0:\n    return [5]\nreturn list(Source(x).values())",
    "an object that changes": (
        "q = Source(x)\ns = 0\nif x > 0:\n    for v in q.values():\n        s += v\n        q.x += 1\n"
        "return s, q.x"
    ),
    "any": "return any(v > x for v in counted(3))",
}

OF_ARRAY = "a = np.array([x, 2])\ns = 0\nfor v in {}:\n    s += v\n    {}\nreturn s"

REFUSED_OR_READ = {
    "a variable": "g = counted(2)\nreturn list(g), list(g), x",
    "two at once": "return [a + b for a, b in zip(counted(2), twice(x))]",
    "a list that both change": (
        "xs = [x]\ns = 0\nfor v in longer(xs):\n    xs.append(v)\n    s += len(xs)\nreturn s, xs"
    ),
    "a list that is asked for": "xs = [x]\nreturn [v + len(xs) for v in longer(xs)]",
    "a list that it runs over": (
        "xs = [x, 2]\nfor v in above(xs, 5):\n    xs.append(v)\n    if len(xs) > 4:\n        break\nreturn xs"
    ),
    "an array that changes": OF_ARRAY.format("entries(a)", "a[1] = 9"),
    "an array that grows": OF_ARRAY.format("entries(a)", "a += 9"),
    "an array that is another one then": OF_ARRAY.format("entries(a)", "a = a + 9"),
    "an array that a loop changes": OF_ARRAY.format(
        "entries(a)", "a *= 2\n    for i in range(2):\n        a[i] += 9"
    ),
    "an array of a function": OF_ARRAY.format("of_function(lambda: a)", "a[1] = 9"),
    "an array around it": (
        "a = np.array([x, 2])\ndef g():\n    b = a\n    yield b[1]\n    yield b[1]\n"
        "s = 0\nfor v in g():\n    s += v\n    a[1] = 9\nreturn s"
    ),
    "an array around a function": (
        "a = np.array([x, 2])\ndef g():\n    return a\n"
        "s = 0\nfor v in g():\n    s += v\n    a[1] = 9\nreturn s"
    ),
    "an array of two dimensions": (
        "m = np.zeros((2, 2))\ns = x\nfor v in column(m):\n    s += v\n    m[1, 0] = 9\nreturn s"
    ),
    "a list that is another one then": (
        "xs = [x, 1]\ns = 0\nfor v in entries(xs):\n    s += v\n    xs = [9, 9]\nreturn s"
    ),
    "a list that is a longer one then": (
        "xs = [x]\ns = 0\nfor v in lengths(xs):\n    s += v\n    xs = xs + [1]\nreturn s"
    ),
    "a tuple": "return (counted(2), x)",
    "a try": "return list(guarded(x))",
    "a value": "return list(gives(x))",
    "a value that is called": "counted(3)\nreturn x",
    "a length": "return len(list(counted(3))) + x",
    "an index": "return list(counted(3))[1] + x",
    "within a loop": "s = 0\nfor i in range(2):\n    for v in twice(i):\n        s += v\nreturn s + x",
    "a loop over none": "s = 0\nfor v in nothing(0):\n    s += v\nreturn s + x",
}


def text(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("name", READ)
def test_what_is_read_is_what_runs(name: str) -> None:
    assert compare(text(READ[name]), random.Random(name), 6) == "same"


@pytest.mark.parametrize("name", REFUSED_OR_READ)
def test_what_is_hard_to_tell_is_refused_or_what_runs(name: str) -> None:
    assert compare(text(REFUSED_OR_READ[name]), random.Random(name), 6) in ("refused", "same")
