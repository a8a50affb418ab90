"""Functions of numbers raise for what is no number, also where what they give doesn't depend on it."""

from __future__ import annotations

import random

import pytest

from synth.trusted.core.writer import write_core
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.real_runs import compare

HEAD = """\
import numpy as np
from synth.lang import *


class Thing:
    pass


@mechanism(adjacent={"x": absolute_distance(1)})
def f(x: int, n: int):
    p = None
    if x > n:
        p = 1.0
"""

FUNCTIONS = ("isnan", "isinf", "isfinite", "isposinf", "isneginf")
OTHERS = ("Thing()", "Thing", "abs", "int", "np.random.default_rng()", "'a'", "None")


def text(line: str) -> str:
    return f"{HEAD}    {line}\n"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_may_be_none_is_shown_not_to_be(name: str) -> None:
    found = text(f"return 1 if np.{name}(p) else 0")
    (mechanism,) = read_source(found, "p.py")
    assert "ensure(" in write_core(mechanism)
    assert compare(found, random.Random(name), 6) == "same"


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_no_number_is_refused(name: str, other: str) -> None:
    with pytest.raises(ProgramError):
        read_source(text(f"return 1 if np.{name}({other}) else x"), "p.py")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_number_is_taken_where_it_is_one(name: str) -> None:
    found = text(f"return x if p is not None and np.{name}(p) else 0")
    read_source(found, "p.py")
    assert compare(found, random.Random(name), 4) == "same"
