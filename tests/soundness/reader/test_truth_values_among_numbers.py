"""True and False among numbers are 1 and 0 where a list is only returned, not where numpy may take them."""

from __future__ import annotations

import random

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.real_runs import compare

HEAD = """\
import numpy as np
from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="n > 0")
def f(q: list[int], n: int):
    out = []
    for v in q:
        noisy = v + np.random.laplace(0, 1)
        if noisy > n:
            out.append({first})
        else:
            out.append({second})
"""

READ = {
    "a gap or no answer": ("noisy - n", "False", "return out"),
    "no answer first": ("True", "noisy", "return out"),
}

REFUSED = {
    "they are added": ("noisy", "False", "return sum(out)"),
    "an array is made": ("noisy", "False", "return np.array(out) + np.array(out)"),
    "the largest": ("noisy", "False", "return np.max(out)"),
    "an entry": ("noisy", "False", "return out[0] + out[1]"),
    "another name": ("noisy", "False", "xs = out\n    return np.sum(xs)"),
    "in a nested function": ("noisy", "False", "g = lambda: np.sum(out)\n    return g()"),
    "one of numpy's": ("noisy", "noisy > 3", "return out"),
    "a function that is called like one of Python's": ("noisy", "False", "return len(out)"),
    "in a tuple": ("noisy", "False", "p = (out, 1)\n    return np.sum(p[0])"),
}


def text(case: tuple[str, str, str]) -> str:
    first, second, end = case
    return f"{HEAD.replace('{first}', first).replace('{second}', second)}    {end}\n"


@pytest.mark.parametrize("name", READ)
def test_what_is_read_is_what_runs(name: str) -> None:
    found = text(READ[name])
    read_source(found, "p.py")
    assert compare(found, random.Random(name), 3) == "same"


@pytest.mark.parametrize("name", REFUSED)
def test_what_numpy_may_take_is_refused(name: str) -> None:
    with pytest.raises(ProgramError):
        read_source(text(REFUSED[name]), "p.py")
