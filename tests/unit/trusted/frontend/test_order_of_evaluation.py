"""What is computed first is computed first, also if it reads a list that changes afterwards."""

from __future__ import annotations

from itertools import repeat
from textwrap import dedent, indent
from typing import Any

import pytest

from synth.refuter.output_table import distribution
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.typed_runs import Run, run_python

HEADER = """from synth.lang import *


def flush(buf: list[int], total: int) -> tuple[list[int], int]:
    return ([], total + len(buf))


@mechanism(adjacent={"q": absolute_distance(1)})
def f(q: int):
"""
BODIES = {
    "a length": """
        t = ([1, 1], 0)
        t = ([1], len(t[0]))
        return t[1]
        """,
    "an entry": """
        t = ([7], 0)
        t = ([1, 2], t[0][0])
        return t[1]
        """,
    "the truth of a list": """
        t = ([1], 0)
        for i in range(2):
            t = ([], t[1] + 1 if t[0] else t[1])
        return t[1]
        """,
    "another list": """
        t = ([5, 5], [9])
        t = ([1], [len(t[0])])
        return t[1][0]
        """,
    "a display further right": """
        t = (0, [5, 5, 5])
        t = (len(t[1]), [1])
        return t[0]
        """,
    "a tuple in a tuple": """
        t = (([4, 4], 0), 3)
        t = (([1], len(t[0][0])), len(t[0][0]))
        return t[0][1] + 10 * t[1]
        """,
    "a helper's result": """
        state = ([3, 3], 1)
        state = flush(state[0], state[1])
        return state[1]
        """,
}


def told(body: str) -> Any:
    """What the typed program returns, for sure."""
    (of,) = read_source(HEADER + indent(dedent(body).strip("\n"), "    ") + "\n", "f.py")
    (line,) = distribution(of, [{"q": 0}])
    return line.output


@pytest.mark.parametrize("name", BODIES)
def test_as_cpython_does(name: str) -> None:
    text = HEADER.split("\n\n\n", 1)[1].replace('@mechanism(adjacent={"q": absolute_distance(1)})\n', "")
    scope: dict[str, Any] = {}
    exec(text + indent(dedent(BODIES[name]).strip("\n"), "    "), scope)
    assert told(BODIES[name]) == scope["f"](0)


@pytest.mark.parametrize("argument", ["lambda r, s=(yield): r", "lambda r, *, s=(yield): r"])
def test_defaults_of_functions_of_an_index_are_looked_at(argument: str) -> None:
    text = (
        "from synth.lang import *\n\n\ndef h(x: int) -> None:\n    return\n"
        f"    choice(1, {argument})\n\n\n"
        '@mechanism(adjacent={"q": absolute_distance(1)})\n'
        "def leak(q: int) -> int:\n    return 0 if h(0) is None else q\n"
    )
    with pytest.raises(ProgramError, match="yield"):
        read_source(text, "leak.py")


CALLS = """from synth.lang import *


def grow(xs):
    xs.append(5)
    return len(xs)


def sizes(xs):
    return [len(xs)]


@mechanism()
def f(n: int):
    xs = [n]
"""
CHANGING = {
    "a term before a draw": "return 2 * (len(xs) + laplace(0, 1)) + 1 + laplace(grow(xs), 1)",
    "a term behind a draw": "return 1 + laplace(grow(xs), 1) - 3 * (laplace(0, 1) + len(xs))",
    "terms on both sides": "return 2 * (laplace(0, 1) * 0.5 - len(xs)) + laplace(grow(xs), 1) + len(xs)",
    "start before the list": """
        found = 0
        for i, size in enumerate(start=grow(xs), iterable=sizes(xs)):
            found = 10 * i + size
        return found
        """,
    "the list before start": """
        found = 0
        for i, size in enumerate(iterable=sizes(xs), start=grow(xs)):
            found = 10 * i + size
        return found
        """,
}


@pytest.mark.parametrize("name", CHANGING)
def test_calls_that_change_lists(name: str) -> None:
    text = CALLS + indent(dedent(CHANGING[name]).strip("\n"), "    ") + "\n"
    (of,) = read_source(text, "f.py")
    expected = run_python(text, "f", {"n": 7}, repeat(3))
    output = Run(of, {"n": 7}, repeat(3)).output()
    assert output == (expected if isinstance(expected, tuple) else (expected,))
