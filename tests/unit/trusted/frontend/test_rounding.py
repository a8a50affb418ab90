"""Numbers that are rounded to digits: what is read is what Python gives, or is refused."""

from __future__ import annotations

import random

import pytest

from tests.support.real_runs import compare

HEAD = "import numpy as np\nfrom synth.lang import *\n@mechanism(adjacent={'x': absolute_distance(1)})\n"
READ = (
    ("x: float", "return round(x, 2)"),
    ("x: float", "return round(x * 0.37, 1)"),
    ("x: float", "return round(x * 37.5, -1)"),
    ("x: float", "return round(x * 0.625, ndigits)"),
    ("x: float", "return round(x, None)"),
    ("x: float", "return round(x, x > 1)"),
    ("x: float, n: int", "return round(x * 1.25, n)"),
    ("x: int", "return round(x, 2)"),
    ("x: float", "return np.round(x, 2)"),
    ("x: float", "return np.array([x * 0.25, 1.5]).round(1)"),
    ("x: int", "return np.round(np.array([x, 25]), -1)"),
    ("x: int", "return np.round(np.array([x, 25]), 1)"),
)
NOT_READ = (
    ("x: float", "return round(x, 1.0)"),
    ("x: int", "return round(x, -1)"),
    ("x: int, n: int", "return round(x, n)"),
    ("x: float", "return round(np.array([x, 1.5]), 1)"),
    ("x: float", "return round(x, 1, 2)"),
)


def _stated(head: str, body: str) -> str:
    return f"ndigits = 2\n{HEAD}def f({head}):\n    {body}\n"


@pytest.mark.parametrize(("head", "body"), READ)
def test_they_are_the_nearest_multiples(head: str, body: str) -> None:
    assert compare(_stated(head, body), random.Random(0)) == "same"


@pytest.mark.parametrize(("head", "body"), NOT_READ)
def test_other_digits_are_refused(head: str, body: str) -> None:
    assert compare(_stated(head, body), random.Random(0)) == "refused"
