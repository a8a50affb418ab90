"""A function that a helper returns goes on with the lists and arrays that the helper was given."""

from __future__ import annotations

import random

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.real_runs import compare

HEAD = """\
import numpy as np
from synth.lang import *


def first(xs):
    return lambda: xs[0]


def beside(xs):
    return (lambda: xs[0]), 1


def another(a):
    b = a
    return lambda: b[0]


def deeper(a):
    def made():
        return lambda: a[0]
    return made()


def own(a):
    b = a + 1
    return lambda: b[0]


@mechanism(adjacent={"data": change_one_distance(1)})
def f(data: list[int], x: int):
    xs = [v + x for v in range(2)]
    a = np.array([x, 2])
"""

READ = {
    "an entry": "g = first(xs)\nxs[0] = 50\nreturn g()",
    "each entry": "g = first(xs)\nfor i in range(len(xs)):\n    xs[i] = 5\nreturn g()",
    "one of two results": "g, k = beside(xs)\nxs[0] = 5\nreturn g(), k",
    "an array of its own": "g = own(a)\na[0] = 5\nreturn g()",
}

REFUSED = {
    "another list": "g = first(xs)\nxs = [77]\nreturn g()",
    "an array": "g = first(a)\na[0] = 5\nreturn g()",
    "an array that a loop changes": "g = first(a)\nfor i in range(2):\n    a[i] = 5\nreturn g()",
    "another name of an array": "g = another(a)\na[0] = 5\nreturn g()",
    "an array further out": "g = deeper(a)\na += 5\nreturn g()",
    "what a mechanism is given": (
        "g = first(data)\nfor i in range(len(data)):\n    data[i] = 5\nreturn data, g()"
    ),
}


def text(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("name", READ)
def test_what_is_read_is_what_runs(name: str) -> None:
    assert read_source(text(READ[name]), "p.py")
    assert compare(text(READ[name]), random.Random(name), 6) == "same"


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_be_an_old_one_is_refused(name: str) -> None:
    with pytest.raises(ProgramError):
        read_source(text(REFUSED[name]), "p.py")
