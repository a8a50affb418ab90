"""Types that are tested and annotations that are evaluated: refused, or read as they run."""

from __future__ import annotations

import random

import pytest

from tests.support.real_runs import compare

IMPORTS = """from collections import Counter, defaultdict
from typing import ClassVar, List, Literal, NamedTuple, Optional, Protocol
import typing
import numpy as np
import numpy.typing as npt
from synth.lang import *
class P(NamedTuple):
    v: int
    w: int
class Q(NamedTuple):
    v: int
    w: int
class A:
    pass
class Sequence:
    pass
Numbers = List[float]
Constant = ClassVar[int]
"""

TESTED = {
    "a named tuple is of its class": "return (isinstance(P(x, 1), P), isinstance(P(x, 1), Q))",
    "one that is a variable": "p = P(x, 1)\nreturn isinstance(p, P)",
    "one or a tuple": "p = P(x, 1) if x > 0 else (x, 1)\nreturn isinstance(p, P)",
    "one of two": "p = P(x, 1) if x > 0 else Q(x, 1)\nreturn isinstance(p, P)",
    "a named tuple is no plain tuple": "return (type(P(x, 1)) is tuple, isinstance(P(x, 1), tuple))",
    "one or a tuple, plain": "p = P(x, 1) if x > 0 else (x, 1)\nreturn type(p) is tuple",
    "a truth value of numpy": "z = np.array([1])[0] > 0 if x > 0 else True\nreturn type(z) is np.bool_",
    "no value has an abstract type": (
        "z = np.array([1])[0] if x > 0 else 1\nreturn type(z) in (bool, int, np.integer)"
    ),
    "a tally is no plain dict": "return type(defaultdict(int)) is dict",
    "a Counter is a dict": "return isinstance(Counter([1, 2]), dict)",
    "a frozenset is no set": "return isinstance(frozenset({1, 2}), set)",
}

OF_NUMPY = {
    "a number that is written": "return type(np.float64(0.5)) is float",
    "one of two that are written": "return isinstance(0.5 if x > 0 else np.float64(0.5), np.floating)",
    "what is given back": "return isinstance(np.nan_to_num(e), np.floating)",
    "what is given back of what is written": "return type(np.nan_to_num(5)) is int",
    "the opposite of what is written": "return type(np.negative(-5)) is int",
    "a string that is drawn": "return type(np.random.choice(['a', 'b'])) is str",
    "an array that is an iterator": "return isinstance(np.zeros(2).flat, np.ndarray)",
    "one that is used up": "g = np.array([x]).flat\nreturn sum(g) - sum(g)",
}

ENTRIES = {
    "a given list": ("return all(isinstance(v, int) for v in q)", "same"),
    "a loop that only raises": (
        "for v in q:\n    if not isinstance(v, (int, float)):\n        raise TypeError()\nreturn x",
        "same",
    ),
    "an array of it": ("return all(isinstance(v, int) for v in np.array(q))", "refused"),
    "an array of its name": ("q = np.array(q)\nreturn all(isinstance(v, int) for v in q)", "refused"),
    "a list of numpy's numbers": (
        "p = [np.sum(np.array(q)) for _ in q]\nreturn all(isinstance(v, int) for v in p)",
        "refused",
    ),
    "one name of two": (
        "for v in q:\n    x += v\nfor v in np.array(q):\n    if isinstance(v, int):\n        x = 1\nreturn x",
        "refused",
    ),
    "a truth value or not": ("return any(isinstance(v, bool) for v in q)", "refused"),
}

EVALUATED = {
    "a name": "v: nowhere",
    "a local name": "v: later",
    "a type that is no longer Python's": "v: int",
    "what is returned": ") -> (nowhere",
    "by name only": "*, v: nowhere = 1",
    "one of many": "*v: nowhere",
    "an item of a type": "v: float[3]",
    "a type or a text": "v: float | 'a'",
    "neither": "v: None | None",
    "a member": "v: typing.nowhere",
    "a member of numpy": "v: np.nowhere",
    "a type of typing of a number": "v: Optional[3]",
    "a special form or None": "v: Literal | None",
    "a function of typing or None": "v: NamedTuple | None",
    "a special form in a type": "v: List[Protocol]",
    "a name of a special form or None": "v: Constant | None",
    "a function that makes a source or None": "v: np.random.default_rng | None",
    "a class that is called like a type of typing": "v: Sequence[float]",
}

PLAIN = (
    "v: float | None = None, *, w: 'nowhere' = 1",
    "v: A, w: np.ndarray, u: npt.NDArray",
    "v: Numbers | None, w: List[Numbers]",
)


def _program(body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"{IMPORTS}@mechanism(adjacent={{'x': discrete_distance()}})\ndef f(x: int):\n{lines}"


def _defined(given: str) -> str:
    return f"if x > 0:\n    def g({given}):\n        return 1\nlater = int = 1\nreturn 1"


@pytest.mark.parametrize("name", TESTED)
def test_a_type_is_the_one_that_python_has(name: str) -> None:
    compare(_program(TESTED[name]), random.Random(0))


@pytest.mark.parametrize("name", OF_NUMPY)
def test_what_numpy_makes_of_a_value_is_no_value_of_pythons(name: str) -> None:
    text = _program(OF_NUMPY[name]).replace("f(x: int)", "f(x: int, e: float)")
    assert compare(text, random.Random(0)) == "refused"


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_is_a_number_of_python_only_where_the_list_is_the_given_one(name: str) -> None:
    body, expected = ENTRIES[name]
    text = _program(body).replace("{'x'", "{'q': change_one_distance(), 'x'")
    text = text.replace("f(x: int)", "f(x: int, q: list[int])")
    assert compare(text, random.Random(0)) == expected


@pytest.mark.parametrize("name", EVALUATED)
def test_an_annotation_that_may_raise_in_a_run_is_refused(name: str) -> None:
    assert compare(_program(_defined(EVALUATED[name])), random.Random(0)) == "refused"


@pytest.mark.parametrize("given", PLAIN)
def test_types_as_annotations_of_nested_functions_are_read(given: str) -> None:
    assert compare(_program(_defined(given)), random.Random(0)) == "same"


def test_annotations_are_evaluated_under_a_name_that_only_looks_like_that_of_the_future() -> None:
    text = "from math import exp as annotations\n" + _program(_defined("v: nowhere"))
    assert compare(text, random.Random(0)) == "refused"


def test_annotations_that_are_never_evaluated_are_read() -> None:
    text = "from __future__ import annotations\n" + _program(_defined("v: nowhere"))
    assert compare(text, random.Random(0)) == "same"
