"""A repr tells a number of numpy from one of Python that equals it, as texts tell numbers of two types."""

from __future__ import annotations

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source

HEAD = """\
import logging

import numpy as np
from synth.lang import *


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
    assert caught.value.code in (Refusal.MIXED_TYPES, Refusal.PRIVATE_RAISE), caught.value.message


@pytest.mark.parametrize("body", ALIKE.values(), ids=ALIKE)
def test_texts_that_are_alike_are_read(body: str) -> None:
    read(body)
