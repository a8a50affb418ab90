"""Whatever the text, the reader gives mechanisms or a ProgramError, and nothing else."""

from __future__ import annotations

import contextlib

from hypothesis import given, settings
from hypothesis import strategies as st

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.random_programs import programs
from tests.support.well_formed import check

VALID = """from synth.lang import *
import math

LIMIT = 3

def clip(x, high=LIMIT):
    return max(0, min(x, high))

@mechanism(
    adjacent={"q": linf_distance("Delta", monotone=True), "p": discrete_distance()},
    requires="eps > 0 and Delta >= 0",
    epsilon="2 * eps",
)
def f(q: list[int], p: bool, score: Callable[[int], float], Delta: int, eps: float):
    out = []
    best = None
    for i, x in enumerate(q):
        noisy = clip(x) + laplace(0, scale=Delta / eps)
        if best is None or noisy > best:
            best, where = noisy, i
        elif not 0 <= noisy < LIMIT:
            continue
        out.append((i, score(i) > 1.5))
    while len(out) > 2 and out[-1][1]:
        out += [(0, False)]
        if exponential(len(out), 1) % 2 == 0:
            break
    else:
        out = out + [(1, True)]
    return best, out
"""
LINES = VALID.splitlines(keepends=True)
TOKENS = VALID.replace("(", " ( ").replace(")", " ) ").replace(":", " : ").split(" ")
PIECES = (
    *("q", "p", "out", "best", "None", "True", "0", "-1", "1.5", "[]", "()", "(1,)", "x", "eps"),
    *(
        "lambda: 0",
        "{}",
        "'a'",
        "*",
        "==",
        "is",
        "for",
        "return q",
        "break",
        "laplace",
        "f",
        "clip",
    ),
    *(
        "out.append",
        "[0]",
        "math",
        "math.inf",
        "range",
        "enumerate",
        "yield",
        "=",
        "+=",
        ":=",
        "\n",
    ),
)


def _read(text: str) -> None:
    with contextlib.suppress(ProgramError):
        for mechanism in read_source(text, "p.py"):
            check(mechanism)


def test_valid() -> None:
    """The text that the mutations start from can be read."""
    assert [mechanism.name for mechanism in read_source(VALID, "p.py")] == ["f"]


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_any_text(text: str) -> None:
    """Random text."""
    _read(text)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=40))
def test_shuffled_lines(lines: list[str]) -> None:
    """The lines of a program in any order."""
    _read("".join(lines))


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_replaced_pieces(data: st.DataObject) -> None:
    """A program in which some pieces are replaced."""
    tokens = list(TOKENS)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(tokens) - 1))
        tokens[place] = data.draw(st.sampled_from((*PIECES, *TOKENS)))
    _read(" ".join(tokens))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_cut_text(data: st.DataObject) -> None:
    """A program of which a part is left out or doubled."""
    start = data.draw(st.integers(0, len(VALID)))
    stop = data.draw(st.integers(0, len(VALID)))
    _read(VALID[:start] + VALID[stop:])


@settings(max_examples=50, deadline=None)
@given(programs(), st.data())
def test_changed_programs(source: str, data: st.DataObject) -> None:
    """A random program in which one word is another one."""
    words = source.split(" ")
    place = data.draw(st.integers(0, len(words) - 1))
    words[place] = data.draw(st.sampled_from((*PIECES, *words)))
    _read(" ".join(words))
