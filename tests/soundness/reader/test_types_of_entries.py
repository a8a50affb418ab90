"""Which type numpy gives the entries of an array is seen from the text, or nothing is put into it."""

from __future__ import annotations

import random

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.real_runs import compare

HEAD = """\
from typing import Annotated, Literal, Union
import numpy as np
from synth.lang import *


def put(y: float, x):
    c = np.array([y])
    c[0] = x
    return c[0] - x


@mechanism(adjacent={"x": discrete_distance()})
def f(x: float, n: int, k: KIND, s: Literal["a b", "c"]):
    v = 3 if x > 0 else 3.5
"""

REFUSED = {
    "drawn of one of two": "c = np.random.choice([v], size=1)\nc[0] = 0.7\nreturn c[0]",
    "drawn without replacement": (
        "c = np.random.choice([v], size=1, replace=False)\nc[0] = 0.7\nreturn c[0]"
    ),
    "in another order": "c = np.random.permutation([v])\nc[0] = 0.7\nreturn c[0]",
    "of no type, which is float64": "c = np.array([3]).astype(None)\nc[0] = 0.7\nreturn c[0] + x",
    "an integer that is called a real": "return put(n, x)",
    "either of two": "c = np.array([k])\nc[0] = x\nreturn c[0] - x",
    "either of two in a helper": "return put(k, x)",
}
READ = {
    "drawn of reals": "c = np.random.choice([3.5, 4.0], size=1)\nc[0] = 0.7\nreturn c[0]",
    "a real that is called so": "return put(3.5, n)",
    "of a type": "c = np.array([v]).astype(float)\nc[0] = 0.7\nreturn c[0]",
}


def text(body: str, kind: str = "int | float") -> str:
    return HEAD.replace("KIND", kind) + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("name", REFUSED)
def test_a_type_that_the_text_does_not_show_is_refused(name: str) -> None:
    with pytest.raises(ProgramError):
        read_source(text(REFUSED[name]), "p.py")


@pytest.mark.parametrize("name", READ)
def test_what_is_read_is_what_runs(name: str) -> None:
    found = text(READ[name], "float").replace(', s: Literal["a b", "c"]', "")
    read_source(found, "p.py")
    assert compare(found, random.Random(name), 4) == "same"


@pytest.mark.parametrize("kind", ["Union[int, float]", "'int | float'", "Annotated[int | float, 'a b']"])
def test_a_union_is_one_however_it_is_written(kind: str) -> None:
    with pytest.raises(ProgramError, match=r"takes entries of 'c' for integers"):
        read_source(text(REFUSED["either of two"], kind), "p.py")


@pytest.mark.parametrize("kind", ["float", "'float'", "Annotated[float, 'a | b']"])
def test_one_type_is_none(kind: str) -> None:
    assert read_source(text(REFUSED["either of two"], kind), "p.py")
