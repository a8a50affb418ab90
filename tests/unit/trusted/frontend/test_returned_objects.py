"""An object of a dataclass that is returned tells its fields, and of which class it is."""

from __future__ import annotations

import pytest

from synth.trusted.core.writer import write_core
from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir

HEAD = """\
import random
from dataclasses import dataclass, field
import numpy as np
from synth.lang import *


@dataclass
class Release:
    value: float
    epsilon: float = 1.0

    def doubled(self):
        return 2 * self.value


@dataclass(frozen=True)
class Other:
    value: float
    epsilon: float


@dataclass
class Pair:
    first: Release
    count: int


@dataclass(eq=False)
class Compared:
    value: float


@dataclass
class Partly:
    value: float
    hidden: float = field(default=0.0, compare=False)


@dataclass
class Own:
    value: float

    def __eq__(self, other):
        return True


@dataclass
class Kept:
    value: float

    def __post_init__(self):
        self.raw = self.value
        self.value = 0.0


@dataclass
class Empty:
    pass


class Plain:
    def __init__(self, value):
        self.value = value


class Above(Release):
    pass


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def f(x: float, n: int, eps: float):
"""


def read(body: str) -> ir.Mechanism:
    (found,) = read_source(HEAD + "".join(f"    {line}\n" for line in body.splitlines()), "p.py")
    return found


def test_the_fields_are_published() -> None:
    found = read("return Release(laplace(x, 1 / eps), eps)")
    shape = ir.ScalarShape(ir.Sort.REAL)
    assert found.output.values == (ir.DictShape((shape, shape), ("Release.value", "Release.epsilon")),)


def test_they_are_those_at_the_end() -> None:
    body = "r = Release(laplace(x, 1 / eps))\nr.epsilon = eps\nr.value = r.doubled()\nreturn r, n"
    text = write_core(read(body))
    assert "= eps" in text and "2.0 * " in text


@pytest.mark.parametrize(
    "body",
    [
        "r = Release(laplace(x, 1 / eps))\nif n > 0:\n    return r\nreturn Other(r.value, r.epsilon)",
        "r = Release(laplace(x, 1 / eps))\nif n > 0:\n    return r\nreturn r.value, r.epsilon",
        "r = Release(laplace(x, 1 / eps))\nif n > 0:\n    return r\nreturn {'value': r.value, 'epsilon': 1}",
    ],
)
def test_objects_of_two_classes_and_tuples_are_told_apart(body: str) -> None:
    assert len(read(body).output.values) == 2


def test_objects_of_one_class_are_alike() -> None:
    body = "r = Release(laplace(x, 1 / eps))\nif n > 0:\n    return r\nreturn Release(3, 2)"
    assert len(read(body).output.values) == 1


def test_objects_within_objects_and_tuples() -> None:
    found = read("r = Release(laplace(x, 1 / eps))\nreturn Pair(r, n), Other(1.0, 2.0), (n, 1)")
    (shape,) = found.output.values
    assert isinstance(shape, ir.TupleShape)
    pair, other, _ = shape.items
    assert isinstance(pair, ir.DictShape) and isinstance(pair.items[0], ir.DictShape)
    assert isinstance(other, ir.DictShape) and other.keys == ("Other.value", "Other.epsilon")


@pytest.mark.parametrize(
    "body",
    [
        "return Compared(x)",
        "return Partly(1.0, x)",
        "return Own(x)",
        "return Kept(x)",
        "return Empty()",
        "return Plain(x)",
        "return Above(x)",
        "return Pair(Plain(x), 1)",
        "return (Compared(x), 1)",
        "return Release",
        "return [Release(x)]",
        "return ((Release(x), 1), 1)",
    ],
)
def test_what_is_more_or_less_than_its_fields_is_refused(body: str) -> None:
    with pytest.raises(ProgramError):
        read(body)


SOURCES = ("random.Random()", "np.random.default_rng()", "np.random.RandomState()")
HELD = (
    "r = Release(laplace(x, 1 / eps), SOURCE)\nreturn r",
    "return Other(laplace(x, 1 / eps), SOURCE)",
    "return Other(1.0, (SOURCE, laplace(x, 1 / eps)))",
    "return Pair(Release(1.0, SOURCE), 1)",
)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("body", HELD)
def test_a_source_in_a_field_is_refused_where_it_is_returned(body: str, source: str) -> None:
    text = body.replace("SOURCE", source)
    with pytest.raises(ProgramError, match="a source of random numbers") as error:
        read(text)
    assert error.value.code is Refusal.UNSUPPORTED_OUTPUT
    assert (error.value.line, error.value.column) == (HEAD.count("\n") + len(text.splitlines()), 5)


def test_a_source_in_a_tuple_is_no_entry_of_a_list() -> None:
    body = "out = []\nfor i in range(n):\n    out.append((laplace(x, 1), random.Random()))\nreturn out"
    with pytest.raises(ProgramError, match="a source of random numbers"):
        read(body)


def test_what_is_refused_of_an_output_is_named() -> None:
    with pytest.raises(ProgramError, match="returning a function here is not supported"):
        read("return Other(x, lambda v: v)")
