"""Attributes that are always one constant decide branches; methods of sources are values."""

from __future__ import annotations

import random

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.real_runs import compare

HEAD = """\
import random
from dataclasses import dataclass

import numpy as np
from synth.lang import mechanism, discrete_distance


class Config:
    def __init__(self, twice=False, parts=1, kind="one"):
        self.twice = twice
        self.parts = parts
        self.kind = kind


@dataclass
class Fields:
    twice: bool = False
    parts: int = 1


"""
MECHANISM = "@mechanism(adjacent={'x': discrete_distance()})\ndef f(x: int, b: bool, ys: list[int]):\n"


def text(body: str, before: str = "") -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"{HEAD}{before}\n\n{MECHANISM}{lines}"


def branches(program: str) -> int:
    (found,) = read_source(program, "p.py")
    return sum(isinstance(item, ir.If) for item in ir.statements(found.body))


@pytest.mark.parametrize(
    "condition", ["c.twice", "c.twice is True", "c.parts == 2", "not c.parts", "c.parts > 1 and x > 0"]
)
@pytest.mark.parametrize("maker", ["Config()", "Config(False, 1)", "Fields()"])
def test_a_branch_that_is_never_taken_is_not_read(maker: str, condition: str) -> None:
    program = text(f"c = {maker}\nif {condition}:\n    return nobody(x)\nreturn x")
    assert branches(program) == 0
    assert compare(program, random.Random(1), 4) == "same"


CHANGING = """
class Changing:
    def __init__(self, x):
        if x > 0:
            self.low = False
        else:
            self.low = True
        self.off = False
        self.turn(x)

    def turn(self, x):
        if x > 1:
            self.off = True

    def reset(self):
        self.off = False
"""
LATE = """
class Late:
    def __init__(self, x):
        self.seen = self.peek() if x > 5 else 0
        self.flag = 1

    def peek(self):
        return self.flag
"""

SAME = [
    ("c = Changing(x)\nreturn 1 if c.off else 2", CHANGING),
    ("c = Changing(x)\nreturn 1 if c.low else 2", CHANGING),
    ("c = Changing(x)\nc.reset()\nreturn 1 if c.off else 2", CHANGING),
    ("c = Config()\nif x > 0:\n    c.twice = True\nreturn 1 if c.twice else 2", ""),
    ("c = Config()\nfor y in ys:\n    if c.twice:\n        return y\n    c.twice = True\nreturn 0", ""),
    ("t = 0\nfor y in ys:\n    c = Config(y > 0)\n    t += 1 if c.twice else 2\nreturn t", ""),
    ("c = Config(True, 2)\nd = Config(False)\nreturn (c.twice, d.twice, c.parts + d.parts)", ""),
    ("c = Config(b)\nreturn 1 if c.twice is True else 2", ""),
    ("c = Config(b is True)\nreturn 1 if c.twice is not False else 2", ""),
    ("c = Config(kind='two')\nreturn 1 if c.kind == 'one' else 2", ""),
    ("c = Config()\nif b:\n    c.kind = 'two'\nreturn 1 if c.kind == 'one' else 2", ""),
    ("c = Config(kind='one' if b else None)\nreturn 1 if c.kind == 'one' else 2", ""),
    ("c = Config(parts=x)\nreturn 1 if isinstance(c.parts, int) else 2", ""),
    ("c = Config()\nc.parts = 0.5 if b else 1\nreturn c.parts", ""),
    ("rng = np.random.default_rng()\nnoise = rng.laplace\nreturn noise(x, 2.0)", ""),
    ("rng = np.random.default_rng()\nd = Config(rng.normal)\nreturn d.twice(x, 2.0)", ""),
    ("draw = random.random\nreturn 1 if draw() < 0.25 else x", ""),
]


@pytest.mark.parametrize(("body", "before"), SAME)
def test_objects_are_as_under_python(body: str, before: str) -> None:
    assert compare(text(body, before), random.Random(1), 8) == "same"


REFUSED = [
    ("c = Late(x)\nreturn c.seen", LATE, Refusal.NOT_ASSIGNED),
    ("c = Config(np.float64(x) > 0)\nreturn 1 if c.twice is True else 2", "", Refusal.UNSUPPORTED_TYPE),
    ("c = Config(np.isfinite(1.0))\nreturn 1 if c.twice is True else 2", "", Refusal.UNSUPPORTED_TYPE),
    (
        "c = Config(np.any(np.array([x]) > 0))\nreturn 1 if c.twice is True else 2",
        "",
        Refusal.UNSUPPORTED_TYPE,
    ),
    ("c = Config(parts=np.sum([x]))\nreturn 1 if type(c.parts) is int else 2", "", Refusal.UNSUPPORTED_TYPE),
    ("rng = np.random.default_rng()\nnoise = rng.weird\nreturn noise(x)", "", Refusal.UNSUPPORTED_NAME),
    (
        "rng = np.random.default_rng()\nstart = rng.seed\nstart(0)\nreturn rng.laplace(x)",
        "",
        Refusal.UNSUPPORTED_NAME,
    ),
]


@pytest.mark.parametrize(("body", "before", "code"), REFUSED)
def test_what_is_not_known_is_refused(body: str, before: str, code: Refusal) -> None:
    with pytest.raises(ProgramError) as caught:
        read_source(text(body, before), "p.py")
    assert caught.value.code is code
