"""Loops that are left by ``return``, or count with ``while``, do what they do under Python."""

from __future__ import annotations

import random

import pytest

from tests.support.real_runs import compare

HEAD = """\
import random
from synth.lang import *


def shorter(xs):
    xs.pop()
    return 1


@mechanism(adjacent={"x": discrete_distance()}, requires="n >= 0")
def f(data: list[int], x: int, n: int):
"""
READ = {
    "left by a return": """
res = [False] * len(data)
count = 0
for i in range(len(data)):
    if data[i] > x:
        res[i] = True
        count += 1
        if count == n:
            return res
return res
""",
    "left by a return of what was computed": """
total = 0
for v in data:
    total += v
    if random.random() < 0.25:
        return total + 1, v == x
    if total > 2:
        return total, total + x
return total, total + x
""",
    "left in an inner loop": """
total = 0
for v in data:
    for w in range(2):
        total += 1
        if v + w == x:
            return total
    total += 10
return total
""",
    "with an end of its own": """
total = 0
for v in data:
    total += v
    if total > x:
        return total
else:
    total = -1
return total
""",
    "counted up to a length": """
res = [0] * len(data)
count = 0
i = 0
while i < len(data) and count < n:
    if data[i] > x:
        res[i] = 1
        count += 1
    i += 1
return res, count
""",
    "counted up to a number": """
res = [False] * n
i = 0
left = True
while left and i < n and x < 2:
    if i == x:
        i += 1
        continue
    res[i] = True
    left = random.random() < 0.5
    i += 1
return res
""",
    "counted, and returned from": """
res = [0] * len(data)
i = 0
while i < len(data) and x > 0:
    res[i] = data[i]
    if data[i] == x:
        return res
    i += 1
return res
""",
}
OTHERS = {
    "a counter that is read behind": "while i < n and x > 0:\n    res[i] = 1\n    i += 1\nreturn res, i",
    "a counter that a function asks for": (
        "get = lambda: 0\nwhile i < n and x > 0:\n    res[i] = 1\n    get = lambda: i\n    i += 1\n"
        "return res, get()"
    ),
    "a counter that goes back": (
        "while i < n and x > 0:\n    res[i] = 1\n    i += 1\n    if random.random() < 0.5:\n"
        "        x = 0\n        i = 0\nreturn res"
    ),
    "a step of two": "while i < n and x > 0:\n    res[i] = 1\n    i += 2\nreturn res",
    "a step that is left out": (
        "while i < n and x > 0:\n    res[i] = 1\n    x -= 1\n    if x == 1:\n        continue\n"
        "    i += 1\nreturn res"
    ),
    "an end that moves": "while i < n and x > 0:\n    res[i] = 1\n    n -= 1\n    i += 1\nreturn res",
    "a length that changes": (
        "ys = [1, 2, 3]\nwhile i < len(ys) and i < n:\n    res[i] = 1\n    ys.pop()\n    i += 1\nreturn res"
    ),
    "a length that a function changes": (
        "ys = [1, 2, 3]\nwhile i < len(ys) and i < n:\n    res[i] = shorter(ys)\n    i += 1\nreturn res"
    ),
    "a test that asks for the counter": "while i < n and i * i < x:\n    res[i] = 1\n    i += 1\nreturn res",
    "a counter from 1 on": "i = 1\nwhile i < n and x > 0:\n    res[i] = 1\n    i += 1\nreturn res",
    "ranges of its own": ("range = len\nwhile i < n and x > 0:\n    res[i] = 1\n    i += 1\nreturn res"),
    "a test before it that fails": (
        "y = n\nwhile 1 / y < 2 and i < n:\n    res[i] = 1\n    y -= 1\n    i += 1\nreturn res"
    ),
    "a list that ends before it": (
        "k = 0\nwhile data[k] > -9 and i < n:\n    res[i] = 1\n    k += 1\n    i += 1\nreturn res"
    ),
    "a test before it that binds": (
        "k = 0\nwhile (k := k + x) < 9 and i < n:\n    res[i] = 1\n    i += 1\nreturn res, k"
    ),
    "a test before it that draws": (
        "k = False\nwhile (k := random.random() < 0.5) and i < n:\n    res[i] = 1\n    i += 1\nreturn res, k"
    ),
    "a test before it that changes a list": (
        "ys = [1] * 5\nwhile shorter(ys) > 0 and i < n:\n    res[i] = 1\n    i += 1\nreturn res, len(ys)"
    ),
    "another return": "for v in data:\n    if v == x:\n        return v\n    res = [v]\nreturn res",
}


def text(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))


@pytest.mark.parametrize("name", READ)
def test_what_is_read_is_what_runs(name: str) -> None:
    assert compare(text(READ[name]), random.Random(name), 10) == "same"


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_another_loop_is_refused_or_what_runs(name: str) -> None:
    body = f"res = [0] * n\ni = 0\n{OTHERS[name]}"
    assert compare(text(body), random.Random(name), 10) in ("refused", "same", "undefined")
