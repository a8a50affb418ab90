"""Where data decide which type a value has, numpy and texts tell: items of tuples, and what looks typed."""

from __future__ import annotations

import random

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.real_runs import compare

HEAD = """\
import numpy as np
from synth.lang import *


class Thing:
    def astype(self, v):
        return v

    def sum(self, v, dtype):
        return v


def given(v, dtype):
    return v


@mechanism(adjacent={"x": absolute_distance(1)})
def f(x: int, n: int):
    k = 1 if x > 0 else 0
    v = 3 if x > 0 else 3.0
"""

REFUSED = {
    "an array": "a = np.array([(3, 3.0)[k]])\na[0] = 0.7\nreturn a[0]",
    "of a list": "a = np.array([[3, 3.0][k]])\na[0] = 0.7\nreturn a[0]",
    "by a name": "t = (3, 3.0)\nv = t[k]\na = np.array([v])\na[0] = 0.7\nreturn a[0]",
    "filled": "a = np.full(2, (3, 3.0)[k])\na[0] = 0.7\nreturn a[0]",
    "repeated": "t = (3, 3.0)\na = np.repeat([t[k]], 2)\na[0] = 0.7\nreturn a[0]",
    "inside": "t = ((3, 1), (3.0, 1))\na = np.array([t[k][0]])\na[0] = 0.7\nreturn a[0]",
    "a power": "return np.sum([(2, 2.0)[k]]) ** -1",
    "a power of one of numpy's": "return (2, np.sum([2]))[k] ** -1",
    "no type": "a = np.array([v], dtype=None)\na[0] = 0.7\nreturn a[0]",
    "a name for no type": "float = None\na = np.array([v], dtype=float)\na[0] = 0.7\nreturn a[0]",
    "an argument that is called like a type": "a = np.array([given(v, dtype=1)])\na[0] = 0.7\nreturn a[0]",
    "a method of one's own": "o = Thing()\na = np.array([o.astype(v)])\na[0] = 0.7\nreturn a[0]",
    "another one": "o = Thing()\na = np.array([o.sum(v, dtype=1)])\na[0] = 0.7\nreturn a[0]",
    "reals, which may be numpy's": "t = (3.5, 3.0)\na = np.array([t[k]])\na[0] = 0.7\nreturn a[0]",
    "shown in a list": "v = [np.float64(1), 1.0][k]\nprint([v])\nreturn v",
    "shown by its repr": "t = (np.float64(1), 1.0)\nv = t[k]\nprint(f'{v!r}')\nreturn v",
    "in what is raised": "t = (1, 1.0)\nif laplace(0.0, 1) > 1:\n    raise ValueError(t[k])\nreturn 0",
    "in a loop before": (
        "t = (3, 3.0)\nv = 3.0\nfor i in range(2):\n    a = np.array([v])\n    a[0] = 0.7\n    v = t[k]\n"
        "return a[0]"
    ),
}

READ = {
    "a written index": "t = (3, 3.0)\na = np.array([t[1]])\na[0] = 0.7\nreturn a[0] + x",
    "a written index from the end": "t = (3, 3.0)\na = np.array([t[-1]])\na[0] = 0.7\nreturn a[0] + x",
    "a type": "a = np.array([v], dtype=float)\na[0] = 0.7\nreturn a[0]",
    "a type afterwards": "a = np.array([v]).astype(int)\na[0] = 0.7\nreturn a[0]",
    "nobody sees the type": "t = (3, 3.0)\nreturn t[k] + 1",
    "items of an array": "a = np.array([3.5, 3.0])\nb = np.array([a[k]])\nb[0] = 0.7\nreturn b[0]",
}


def text(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("name", REFUSED)
def test_a_type_that_data_decide_is_refused(name: str) -> None:
    with pytest.raises(ProgramError):
        read_source(text(REFUSED[name]), "p.py")


@pytest.mark.parametrize("name", READ)
def test_what_is_read_is_what_runs(name: str) -> None:
    found = text(READ[name])
    read_source(found, "p.py")
    assert compare(found, random.Random(name), 4) == "same"
