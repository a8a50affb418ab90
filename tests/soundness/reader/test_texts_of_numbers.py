"""A repr tells a number of numpy from one of Python that equals it, as texts tell numbers of two types."""

from __future__ import annotations

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

HEAD = """\
import logging

import numpy as np
from synth.lang import *


def show(v):
    print((v, 1))


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="0")
def f(x: float, n: int):
    y = 0.5 if x > 0 else np.float64(0.5)
    z = np.float64(n)
"""

TELLING = {
    "in a tuple": "print((y, 1))",
    "in a list": "print([y])",
    "by repr": "print(repr(y))",
    "in an f-string": "print(f'{y!r}')",
    "by format": "print('{!r}'.format(y))",
    "with %": "print('%5r' % y)",
    "with % and more": "print('%s %r' % (n, y))",
    "in a log": "logging.info('%r', y)",
    "in a list with a name": "w = [y]\n    print(w)",
    "raised with more": "if np.random.laplace(0, 1) > 1:\n        raise ValueError(y, 1)",
    "raised by an exception that shows a repr": "if np.random.laplace(0, 1) > 1:\n        raise KeyError(y)",
    "a comparison": "print((y > 0, 1))",
    "a chain of comparisons": "print((0 < y < 5, 1))",
    "a quotient": "print([y / 2])",
    "a quotient that is raised": "if np.random.laplace(0, 1) > 1:\n        raise ValueError(y / 2)",
    "in a helper": "show(n if x > 0 else np.int64(n))",
    "its class": "print('{0.__class__}'.format(y))",
    "an attribute": "print('{.dtype}'.format(y))",
    "with % and a length": "print('%lr' % y)",
    "in a log, in an f-string": "logging.info(f'%r', y)",
    "in a log, in a text that is made": "logging.info('{}'.format('%r'), y)",
    "in a log, behind a level": "logging.log(30, f'%r', y)",
}

ALIKE = {
    "by str": "print(y, f'{y} {y:.2f}', '%d records, %s' % (n, y), str(y))",
    "one of numpy's": "print((z, float(z)), repr(z))",
    "in a log": "logging.info('%s', y)",
    "raised": "if np.random.laplace(0, 1) > 1:\n        raise ValueError(f'{n}')",
}


def read(body: str) -> None:
    read_source(f"{HEAD}    {body}\n    return 0\n", "p.py")


@pytest.mark.parametrize("body", TELLING.values(), ids=TELLING)
def test_a_repr_that_data_decide_is_refused(body: str) -> None:
    with pytest.raises(ProgramError) as caught:
        read(body)
    codes = (Refusal.MIXED_TYPES, Refusal.PRIVATE_RAISE, Refusal.UNSUPPORTED_CALL)
    assert caught.value.code in codes, caught.value.message


@pytest.mark.parametrize("body", ALIKE.values(), ids=ALIKE)
def test_texts_that_are_alike_are_read(body: str) -> None:
    read(body)


PLAIN = """\
import math
import statistics

from synth.lang import *


def refuse(v):
    if v > 1:
        raise ValueError("too large")


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="0")
def f(x: float, n: int, k: float, u: int | float, b: bool, c: bool):
"""

OF_TWO_TYPES = {
    "a power": "print(2 ** n if x > 0 else float(2 ** n))",
    "either of two": "print(u if x > 0 else float(u))",
    "what is called a real": "y: float = n\n    print(y if x > 0 else float(y))",
    "a mean": "m = statistics.mean([n, n])\n    print(m if x > 0 else float(m))",
    "the larger truth value": "print(max(b, c) if x > 0 else int(max(b, c)))",
    "the larger one than an infinity": "print(max(-math.inf, b) if x > 0 else int(max(-math.inf, b)))",
    "a zero to which 0 is added": "print(k + 0 if x > 0 else k)",
    "a zero of which 0 is taken": "print(0.0 + k if x > 0 else k)",
}


@pytest.mark.parametrize("body", OF_TWO_TYPES.values(), ids=OF_TWO_TYPES)
def test_equal_numbers_that_look_unlike_are_refused(body: str) -> None:
    with pytest.raises(ProgramError, match=r"of either of two types"):
        read_source(f"{PLAIN}    {body}\n    return 0\n", "p.py")


AT_TWO_PLACES = {
    "numbers": "if x > 0:\n        raise ValueError(k)\n    raise ValueError(k + 0)",
    "texts": "if x > 0:\n        raise ValueError('a')\n    raise ValueError('a')",
    "calls": "refuse(laplace(x, 1))\n    refuse(laplace(x, 1))\n    return 0",
}


@pytest.mark.parametrize("body", AT_TWO_PLACES.values(), ids=AT_TWO_PLACES)
def test_a_traceback_tells_where_it_was_raised(body: str) -> None:
    (mechanism,) = read_source(f"{PLAIN}    {body}\n", "p.py")
    returns = [item for item in ir.statements(mechanism.body) if isinstance(item, ir.Return)]
    raised = [item.values for item in returns if builders.TRUE in item.values]
    assert len(raised) == 2 and raised[0] != raised[1]


def test_what_is_raised_is_assigned() -> None:
    with pytest.raises(ProgramError, match="may be used before it is assigned"):
        read_source(f"{PLAIN}    if x > 0:\n        y = 1\n    raise ValueError(y)\n", "p.py")


TUPLES = {
    "a side of a branch": "print(P(1) if x > 0 else (1,))",
    "two classes": "print(P(1) if x > 0 else Q(1))",
    "in a list": "w = [P(1) if x > 0 else (1,)]\n    print(w)",
    "in a tuple": "w = (P(1) if x > 0 else (1,), 2)\n    print(w)",
    "in a log": "w = P(1) if x > 0 else (1,)\n    logging.warning('%s', w)",
    "in an f-string": "w = P(1) if x > 0 else (1,)\n    print(f'{w}')",
    "a slice": "p = P(1)\n    print(p[:1] if x > 0 else p)",
}
NAMED = """import logging
from typing import NamedTuple
from synth.lang import *
class P(NamedTuple):
    u: int
class Q(NamedTuple):
    u: int
@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="0")
def f(x: float, n: int):
"""


@pytest.mark.parametrize("line", TUPLES.values(), ids=TUPLES)
def test_a_named_tuple_looks_unlike_a_tuple_that_equals_it(line: str) -> None:
    read_source(f"{NAMED}    w = P(n)\n    print(w, (n, 1), [w])\n    return 0\n", "p.py")
    with pytest.raises(ProgramError, match="a tuple or a named tuple"):
        read_source(f"{NAMED}    {line}\n    return 0\n", "p.py")
