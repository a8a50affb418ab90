"""What constants and types leave of a function's returns may be one that gives back whatever there is."""

from __future__ import annotations

import random

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source
from tests.support.real_runs import compare

HEAD = """\
import numpy as np
from synth.lang import mechanism, discrete_distance


class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b


def of_kind(kind, x, rng=None):
    if kind == "array":
        return np.array([x, 1])
    if kind == "object":
        return Pair(x, 2)
    if kind == "source":
        if rng is None:
            return np.random.default_rng()
        return rng
    if kind == "function":
        return lambda y: y + x
    if kind == "several":
        if x > 0:
            return x
        return 2 * x
    elif kind == "loop":
        for k in (3, 4, 5):
            if k > x:
                return k
            x += 1
        return 0
    elif kind == "first":
        for k in (x, 4):
            return k
        return 7


def either(x):
    if x > 0:
        return Pair(x, 1)
    return Pair(1, x)


def nothing(x):
    if x is None:
        return 3


@mechanism(adjacent={"x": discrete_distance()})
def f(x: int, ys: list[int]):
"""


def text(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


SAME = [
    "return of_kind('array', x) + 1",
    "p = of_kind('object', x)\nreturn p.a + p.b",
    "return x + of_kind('source', x).laplace(0.0, 2.0)",
    "g = of_kind('function', x)\nreturn g(5)",
    "return of_kind('several', x)",
    "return of_kind('several', x) + of_kind('several', 3)",
    "return of_kind('loop', x)",
    "return of_kind('first', x)",
    "return [of_kind('several', y) for y in ys]",
    "t = 0\nfor y in ys:\n    p = of_kind('object', y)\n    t += p.a + p.b\nreturn t",
    "return nothing(x) is None",
    "return of_kind('none of them', x) is None",
]


@pytest.mark.parametrize("body", SAME)
def test_it_is_what_python_gives(body: str) -> None:
    assert compare(text(body), random.Random(1), 8) == "same"


def test_one_of_several_objects_is_refused() -> None:
    with pytest.raises(ProgramError) as caught:
        read_source(text("p = either(x)\nreturn p.a"), "p.py")
    assert caught.value.code is Refusal.ALIASING
