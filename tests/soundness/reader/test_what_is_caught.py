"""An exception that Python makes another one of, where a handler of a ``try`` catches that: it is refused."""

from __future__ import annotations

import random

import pytest

from synth.trusted.frontend.reader import read_source
from tests.support.real_runs import compare

BECOMING = {
    "by its number": ("OSError(2, 'a')", "FileNotFoundError"),
    "by another name": ("IOError(2, 'a')", "FileNotFoundError"),
    "with what is no place": ("SyntaxError('a', 5)", "TypeError"),
    "of a class of its own": ("IndentationError('a', 5)", "TypeError"),
    "from what is no exception": ("ValueError('a') from 5", "TypeError"),
}


def _tried(raised: str, caught: str) -> str:
    return (
        "from synth.lang import *\n@mechanism(adjacent={'x': discrete_distance()})\n"
        "def f(x: int, n: int):\n    try:\n        if n > 0:\n"
        f"            raise {raised}\n    except {caught}:\n        pass\n    return x if n > 0 else 0\n"
    )


@pytest.mark.parametrize("name", BECOMING)
def test_what_becomes_another_exception_may_be_caught(name: str) -> None:
    assert compare(_tried(*BECOMING[name]), random.Random(0)) == "refused"


@pytest.mark.parametrize(
    "raised", ["OSError('a')", "OSError()", "ValueError('a', 5)", "KeyError('a') from None"]
)
def test_what_stays_what_it_is_is_read(raised: str) -> None:
    (found,) = read_source(_tried(raised, "TypeError"), "p.py")
    assert found.preconditions


def test_what_a_loop_over_positions_raises_may_be_caught() -> None:
    program = (
        "from synth.lang import *\n@mechanism(adjacent={'xs': add_remove_distance(1)})\n"
        "def f(xs: list[int]):\n    i = 0\n    while i < len(xs):\n        try:\n            if xs[i] > 0:\n"
        "                raise ValueError('a')\n        except ValueError:\n            pass\n"
        "        i += 1\n    return 0\n"
    )
    assert compare(program, random.Random(0)) == "refused"
