"""A dict that changes while the arguments beside it are evaluated: Python looks at it behind them."""

from __future__ import annotations

import random

import pytest

from tests.support.real_runs import compare

HEAD = """\
from synth.lang import *


class Pair:
    def __init__(self, v):
        self.items = (v,)

    def turn(self):
        self.items = (0,)
        return 1


def grow(d, v):
    d["b"] = v
    return 1


def change(d, v):
    d["a"] = v
    return 1


def added(values, d, v):
    d["b"] = v
    return sum([item for item in values])


def first(a, b):
    return a


@mechanism(adjacent={"x": absolute_distance(1)})
def f(x: int):
    d = {"a": 0}
    o = Pair(x)
"""

BODIES = {
    "a copy": ('return dict(d, b=change(d, x))["a"]', "same"),
    "keys of another dict": ('return x if "b" in dict.fromkeys(d, grow(d, 1)) else 0', "refused"),
    "values of which some come later": ("return sum(d.values(), grow(d, x))", "refused"),
    "a view that is given": ("return added(d.values(), d, x)", "same"),
    "a view of no entry that is given": ("e = {}\nreturn added(e.values(), e, x)", "same"),
    "keys that are numbered": (
        "m = 0\nfor i, k in enumerate(d, grow(d, 1)):\n    m += 1\nreturn x if m == 2 else 0",
        "refused",
    ),
    "keys beside others": (
        "m = 0\nfor i, k in zip(d, [grow(d, 1), 2]):\n    m += 1\nreturn x if m == 2 else 0",
        "refused",
    ),
    "a star behind a name": ("return first(b=o.turn(), *o.items)", "refused"),
    "a star behind a scale": ("return laplace(scale=o.turn(), *o.items)", "refused"),
    "a star behind a number": ("return first(b=1, *o.items)", "same"),
    "a star alone": ("return first(*(o.items), b=2)", "same"),
    "a star before a name": ("return first(*o.items, b=o.turn())", "same"),
    "views in loops": (
        "t = x\nfor v in d.values():\n    t += v\nfor k, v in d.items():\n    t += v\nreturn t",
        "same",
    ),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_dict_is_looked_at_when_python_does(name: str) -> None:
    body, expected = BODIES[name]
    text = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    assert compare(text, random.Random(0), 4) == expected
