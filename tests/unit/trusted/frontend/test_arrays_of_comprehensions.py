"""``np.array([e for x in xs])`` has the entries of a list without a name, which isn't copied."""

from __future__ import annotations

import pytest

from synth.trusted.core.writer import write_core
from synth.trusted.frontend.reader import read_source
from tests.support.table_runs import assert_as_python

HEADER = """import numpy as np
from synth.lang import *


def made(q, n):
    return np.array([v + n for v in q])


def ints(a):
    return [int(v) for v in a]


"""
SIGNATURE = "@mechanism(adjacent={'q': linf_distance(1)})\ndef f(q: list[int], r: list[int], n: int):\n"

BODIES = {
    "read twice": "a = np.array([v + n for v in q])\nb = a * 2\nreturn ints(a + b)",
    "changed": "a = np.array([v + n for v in q])\na += 1\nb = a * 2\na[a > 1] = n\nreturn ints(b - a)",
    "changed beside a copy": (
        "a = np.array([v + n for v in q])\nb = a.copy()\nb += 5\nreturn ints(a), ints(b)"
    ),
    "made in each round": (
        "t = 0\nfor i in range(3):\n    a = np.array([v * i for v in q])\n    b = a + n\n"
        "    t = t * 3 + sum(int(v) for v in b)\nreturn t"
    ),
    "of the round before": (
        "t = 0\nb = np.array([0 for v in q])\nfor i in range(3):\n    a = np.array([v * i + n for v in q])\n"
        "    t = t * 3 + sum(int(v) for v in a - b)\n    b = a\nreturn t"
    ),
    "made in a branch": (
        "a = np.array([v for v in q])\nif n > 0:\n    a = np.array([v + n for v in q])\nreturn ints(a)"
    ),
    "made by a function": "a = made(q, n)\nb = made(r, 1)\nreturn ints(a), ints(b)",
    "made twice by a function": "a = made(q, n)\nb = made(q, 1)\nreturn ints(a * b)",
    "of a list that has a name": (
        "xs = [v + n for v in q]\na = np.array(xs)\nxs.append(1)\nreturn ints(a), xs, len(a)"
    ),
    "of a list of a function": (
        "def g(xs):\n    a = np.asarray(xs)\n    xs.append(7)\n    return len(a) + len(xs)\n"
        "return g([v for v in q]), n"
    ),
    "filtered": "a = np.asarray([v for v in q if v > n])\nreturn len(a), [int(v) + 1 for v in a]",
    "of what is read behind": "m = n\na = np.array([v + m for v in q])\nm = 0\nreturn ints(a), m",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_as_python(body: str) -> None:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    assert_as_python(HEADER + SIGNATURE + lines)


def test_it_is_one_list() -> None:
    text = "    a = np.array([v + n for v in q])\n    return laplace(int((a * a).sum()), 1)\n"
    (found,) = read_source(HEADER + SIGNATURE + text, "p.py")
    assert write_core(found).count("list(int)") == 1
