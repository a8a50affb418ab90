"""``a, b = f(…)``: what the only return of a function gives may be parameters, objects and functions."""

from __future__ import annotations

import pytest

from synth.trusted.core.writer import write_core
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source

HEAD = """\
from synth.lang import *


class A:
    def __init__(self, q, n):
        self.q, self.n, self.g = self._checked(q, n, lambda v: v + 1)

    def _checked(self, q, n, g):
        if n > 4:
            raise ValueError("too large")
        return q, n, g

    def drop(self):
        self._checked(self.q, self.n, self.g)


def two(q, k):
    return q, k + 1


def either(q, k):
    if k > 1:
        return q, k
    return k, q


@mechanism(adjacent={"q": l1_distance(1)})
def f(q: list[float], n: int):
"""
REFUSED = {
    "a second name": "r, k = two(q, 2)\nreturn laplace(r[0], k)",
    "a tuple that is kept": "t = two(q, 2)\nreturn laplace(t[0][0], 2)",
    "one of two returns": "a, b = either(q, n)\nreturn laplace(a[0], 2)",
    "as many as there are not": "a, b, c = two(q, 2)\nreturn laplace(a[0], 2)",
    "a part of a tuple": "return (two(q, 2), 1)",
}


def core_of(body: str) -> str:
    (found,) = read_source(HEAD + "".join(f"    {line}\n" for line in body.splitlines()), "p.py")
    return write_core(found)


def test_they_are_what_they_are_outside() -> None:
    text = core_of("a = A(q, n)\na.drop()\nreturn laplace(a.g(a.q[0]), 2)")
    assert "v = q[0]" in text and "v + 1.0, 2.0)" in text and "@requires(n <= 4)" in text


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    with pytest.raises(ProgramError):
        core_of(REFUSED[name])


NUMPY = """\
import numpy as np
from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) >= 1")
def f(q: list[int], n: int, x: float):
    a = np.exp(np.array(q) * 0.5)
    m = None
"""


def test_the_side_of_a_conditional_expression_that_is_read_says_its_type() -> None:
    """``a *= np.array(m) if m else 1`` is in place on an array of reals; with an open side it isn't known."""
    tail = "    return float(a.sum())\n"
    (found,) = read_source(f"{NUMPY}    a *= np.array(m) if m is not None else 1\n{tail}", "p.py")
    assert "exp(" in write_core(found)
    with pytest.raises(ProgramError, match="for integers depends on the data"):
        read_source(f"{NUMPY}    b = np.array([1 if n > 0 else x])\n    b[0] = 0.5\n{tail}", "p.py")
