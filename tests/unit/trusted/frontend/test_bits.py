"""Shifts and last bits of integers are Python's; others are refused."""

from __future__ import annotations

import itertools

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.typed_runs import Run, run_python

HEAD = "from synth.lang import *\n\n@mechanism(requires='n >= 0')\n"
HEAD += "def f(a: int, b: bool, n: int, q: float):\n    "

EXPRESSIONS = [
    *("a >> 1", "a << 3", "a >> 0", "(a >> 2) & 1", "a & 7", "1 & a", "(a * 4 + 1) & 3", "1 << 5", "-7 >> 1"),
    *("[(a >> j) & 1 for j in range(3)]", "sum([(1 << j) * ((a >> j) % 2) for j in range(4)])"),
    "[2 ** j for j in range(4)]",
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_they_are_python_s(expression: str) -> None:
    text = f"{HEAD}return {expression}\n"
    (mechanism,) = read_source(text, "p.py")
    for a, n in itertools.product(range(-9, 10), range(2)):
        inputs = {"a": a, "b": True, "n": n, "q": 0}
        expected = run_python(text, "f", inputs, iter(()))
        found = Run(mechanism, inputs, iter(())).output()
        as_list = [tuple((item,) for item in expected)] if isinstance(expected, list) else [expected]
        assert list(found) == as_list


@pytest.mark.parametrize(
    "expression", ["a >> n", "a >> -1", "a << 65", "q >> 1", "b >> 1", "b << 1", "a & 5", "a & -1", "q & 1"]
)
def test_others_are_refused(expression: str) -> None:
    with pytest.raises(ProgramError, match=r"is (not|only) supported"):
        read_source(f"{HEAD}return {expression}\n", "p.py")


def test_ranges_of_powers_are_written_out() -> None:
    text = (
        f"{HEAD}out = [a]\n    for level in range(3):\n        width = 2 ** level\n"
        "        for start in range(0, 4, width):\n            out.append(start + width)\n    return out\n"
    )
    (mechanism,) = read_source(text, "p.py")
    inputs = {"a": 5, "b": True, "n": 0, "q": 0}
    expected = run_python(text, "f", inputs, iter(()))
    assert Run(mechanism, inputs, iter(())).output() == (tuple((item,) for item in expected),)
