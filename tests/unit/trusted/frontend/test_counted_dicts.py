"""Dicts that count are read as tallies where nobody learns which keys they have, and agree with CPython."""

from __future__ import annotations

import random

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.real_runs import compare

HEAD = """from synth.lang import *


@mechanism(adjacent={"xs": change_one_distance()}, requires="n > 0")
def f(xs: list[int], n: int):
"""
START = "d = {}\nfor x in xs:\n"
RETURN = "\nreturn (d.get(0, 0), d.get(1, 0) + bernoulli(1 / 2))"


def _text(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.split("\n"))


COUNTS = {
    "get": "    d[x] = d.get(x, 0) + 1",
    "get behind": "    d[x] = 2 + d.get(x, 0)",
    "a computed key": "    d[x % 2] = d.get(x % 2, 0) + x",
    "in": "    if x in d:\n        d[x] += 1\n    else:\n        d[x] = 1",
    "not in": "    if x not in d:\n        d[x] = 1\n    else:\n        d[x] += 1",
    "first 0": "    if x not in d:\n        d[x] = 0\n    d[x] += x",
    "in a branch": "    if x > 0:\n        if x not in d:\n            d[x] = 0\n        d[x] += 1",
    "a key of a list": "    d[xs[0]] = d.get(xs[0], 0) + x",
}


@pytest.mark.parametrize("name", COUNTS)
def test_a_dict_that_counts_is_read_as_python_runs_it(name: str) -> None:
    made = "d: dict[int, int] = {}\n" if name == "in" else "d = {}\n"
    text = _text(made + "for x in xs:\n" + COUNTS[name] + RETURN)
    assert compare(text, random.Random(1)) == "same"


def test_an_entry_that_may_be_missing_is_read() -> None:
    body = START + COUNTS["get"] + "\nreturn [d[c] if c in d else 0 for c in (0, 1, 2)]"
    assert compare(_text(body), random.Random(1)) == "same"


REFUSED = {
    "the dict is returned": START + COUNTS["get"] + "\nreturn d",
    "the number of keys is asked for": START + COUNTS["get"] + "\nreturn len(d)",
    "whether a key is there": START + COUNTS["get"] + "\nreturn 1 if 0 in d else 0",
    "a key that may be missing": START + COUNTS["get"] + "\nreturn d[0]",
    "another number for a missing key": START + COUNTS["get"] + "\nreturn d.get(0, 1)",
    "no number for a missing key": START + COUNTS["get"] + "\nreturn d.get(0)",
    "it is gone through": START + COUNTS["get"] + "\nreturn [d.get(k, 0) for k in d]",
    "a sum that needs the key": START + "    d[x] += 1" + RETURN,
    "a sum that needs the key in one branch": (
        START + "    if x not in d and x > 0:\n        d[x] = 0\n    d[x] += 1" + RETURN
    ),
    "another key is begun": START + "    if x not in d:\n        d[x + 1] = 0\n    d[x] += 1" + RETURN,
    "a number that is not counted": START + "    d[x] = 1" + RETURN,
    "a first number that is another one": (
        START + "    if x in d:\n        d[x] += 1\n    else:\n        d[x] = 2" + RETURN
    ),
    "the other way round": START + "    if x in d:\n        d[x] = 1\n    else:\n        d[x] += 1" + RETURN,
    "the dict of another key": START + "    d[x] = d.get(x + 1, 0) + 1" + RETURN,
    "the key changes in between": START + "    d[x] = d.get(x, 0) + (x := x + 1)" + RETURN,
    "it is made anew": "d = {}\nfor x in xs:\n    d = {}\n" + COUNTS["get"] + RETURN,
    "a function sees it": START + COUNTS["get"] + "\ndef g():\n    return len(d)\nreturn g() + d.get(0, 0)",
    "a key is taken out": START + COUNTS["get"] + "\n    del d[x]" + RETURN,
}


@pytest.mark.parametrize("name", REFUSED)
def test_where_more_is_asked_of_it_it_is_refused(name: str) -> None:
    with pytest.raises(ProgramError):
        read_source(_text(REFUSED[name]), "p.py")
