"""A loop over a list goes where the list grows only if nothing else notices; that keeps the law."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from synth.prover.normal_form.recording import rewriting
from synth.trusted.core.reader import read_as_written
from synth.trusted.errors import ProgramError
from synth.trusted.logic.rejection import Rejected
from synth.trusted.program import syntax as ir
from synth.trusted.program.numbering import renumber
from synth.trusted.steps import streaming
from synth.trusted.steps.rewriting import Count, Stream, rewritten, taken
from tests.soundness.hunts.defined_laws import Differ, compare, law
from tests.soundness.hunts.inputs import inputs_of
from tests.support.list_programs import list_program
from tests.support.refuting import mechanism

HEAD = """
@mechanism(adjacent={"x": linf_distance(1)})
def f(x: list[int], c: bool, k: int):
"""
MADE = "xs = []\nfor v in x:\n    if v > 0:\n        xs.append(v)\n"
SUM = "for w in xs:\n    s = s + w\n"
PLACES = 300
"""Programs of the grammar; about a third has a loop that may be moved."""


def read(text: str) -> ir.Mechanism:
    body = "\n".join(f"    {row}" for row in text.strip("\n").split("\n"))
    of = mechanism(f"{HEAD}{body}\n")
    return replace(of, body=renumber(of.body))


def places(of: ir.Mechanism, wanted: Callable[[ir.Statement], bool]) -> Iterator[tuple[int, ...]]:
    def inside(body: tuple[ir.Statement, ...], place: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for number, item in enumerate(body):
            if wanted(item):
                yield (*place, number)
            for side, inner in enumerate(ir.blocks(item)):
                yield from inside(inner, (*place, number, side))

    return inside(of.body, ())


def loops(of: ir.Mechanism) -> list[tuple[int, ...]]:
    """Where blocks with a loop stand, the last ones first."""
    return list(
        places(of, lambda item: isinstance(item, ir.Block) and any(isinstance(i, ir.Loop) for i in item.body))
    )[::-1]


def lists(of: ir.Mechanism) -> list[tuple[int, ...]]:
    return list(places(of, lambda item: isinstance(item, ir.NewList)))


REFUSED = {
    "its coins decide what the list holds": (
        "s = 0\nxs = []\nfor v in x:\n    xs.append(v + s)\n"
        "for w in xs:\n    s = 1 if bernoulli(1/2) else 0\nreturn s"
    ),
    "it draws what was drawn before": (
        "s = 0\nxs = []\nfor v in x:\n    s = uniform_int(0, 1)\n    xs.append(v + s)\n"
        "for w in xs:\n    s = uniform_int(0, 1)\nreturn s"
    ),
    "it draws in a loop": (
        f"s = 0\n{MADE}for w in xs:\n    while bernoulli(1/2):\n        s = s + w\nreturn s"
    ),
    "it is left early": f"s = 0\n{MADE}for w in xs:\n    if w > 2:\n        break\n    s = s + w\nreturn s",
    "it returns": f"s = 0\n{MADE}for w in xs:\n    if w > 2:\n        return s\n    s = s + w\nreturn s",
    "it reads what is counted": (
        "n = 0\nxs = []\nfor v in x:\n    xs.append(v)\n    n = n + 1\ns = 0\n"
        "for w in xs:\n    s = s + w * n\nreturn s"
    ),
    "it reads the length": f"s = 0\n{MADE}for w in xs:\n    s = s + w * len(xs)\nreturn s",
    "it reads another entry": f"s = 0\n{MADE}for i, w in enumerate(xs):\n    s = s + xs[0] * i\nreturn s",
    "it has a loop that may not end": (
        f"s = 0\n{MADE}for w in xs:\n    while s < w:\n        s = s + k\nreturn s"
    ),
    "it has a loop whose end moves": (
        f"s = 0\n{MADE}for w in xs:\n    j = 0\n    n = w\n    while j < n:\n        s = s + j\n"
        "        n = n + k\n        j = j + 1\nreturn s"
    ),
    "it has a loop that does not count in each round": (
        f"s = 0\n{MADE}for w in xs:\n    j = 0\n    while j < w:\n        s = s + 1\n        if s > k:\n"
        "            j = j + 1\nreturn s"
    ),
    "a loop in it asserts": (
        f"s = 0\n{MADE}for w in xs:\n    for j in range(2):\n        assert k > j\n"
        "        s = s + w\nreturn s"
    ),
    "the list reads the sum": f"s = 0\nxs = []\nfor v in x:\n    xs.append(v + s)\n{SUM}return s",
    "a branch reads the sum": (
        f"s = 0\nxs = []\nfor v in x:\n    if v > s:\n        xs.append(v)\n{SUM}return s"
    ),
    "the sum is returned before": f"s = 0\n{MADE}if c:\n    return s\n{SUM}return s",
    "the list of results is returned before": (
        f"ys = []\n{MADE}if c:\n    return ys\nfor w in xs:\n    ys.append(w)\nreturn ys"
    ),
    "the sum begins with the length": f"{MADE}s = len(xs)\n{SUM}return s",
    "the sum begins with what changes": (
        f"n = 0\nxs = []\nfor v in x:\n    xs.append(v)\n    n = n + 1\ns = n\n{SUM}return s"
    ),
    "the sum begins in a branch": f"s = 0\n{MADE}if c:\n    s = k\n{SUM}return s",
    "an entry of the length": f"s = 0\nxs = []\nfor v in x:\n    xs.append(v + len(xs))\n{SUM}return s",
    "the round is left before": (
        "s = 0\nfor r in range(2):\n    xs = []\n    for v in x:\n        xs.append(v)\n"
        "    if c:\n        break\n    for w in xs:\n        s = s + w\nreturn s"
    ),
    "made in another body": f"s = 0\n{MADE}if c:\n    for w in xs:\n        s = s + w\nreturn s",
    "backwards": f"s = 0\n{MADE}for w in reversed(xs):\n    s = 2 * s + w\nreturn s",
    "from the second on": f"s = 0\n{MADE}for i in range(1, len(xs)):\n    s = 2 * s + xs[i]\nreturn s",
    "another list is longer": (
        f"s = 0\nys = []\n{MADE}for v in x:\n    ys.append(v)\n"
        "for a, b in zip(xs, ys):\n    s = s + a * b\nreturn s"
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_moved(name: str) -> None:
    of = read(REFUSED[name])
    with pytest.raises(Rejected) as error:
        taken(of, Stream(loops(of)[0]))
    assert error.value.why.code.id == "not-streamed"


@pytest.mark.parametrize("place", [(9,), (), (0,), (0, 0), (-1,)])
def test_a_place_without_a_loop_or_list(place: tuple[int, ...]) -> None:
    of = read(f"s = 0\n{MADE}{SUM}return s")
    for step in (Stream(place), Count(place)):
        with pytest.raises(Rejected):
            taken(of, step)


def test_a_counter_whose_name_is_taken() -> None:
    of = read(f"s = 0\n{MADE}{SUM}return s + len(xs)")
    (place,) = lists(of)
    form, _ = taken(of, Count(place))
    with pytest.raises(Rejected):
        taken(form, Count(place))


OUTCOME_OF_A_COUNTER = """
@adjacent(x=linf_distance(1.0))
def f(x: sequence(int)) -> output(int):
    y: int
    xs: list(int)
    xs = []
    if 0 < len(x):
        xs.append(x[0])
    ensure(0 <= len(xs), "scale")
    y = outcomes("uniform_int", lambda xs·len: {0 <= xs·len and xs·len <= len(xs): 1.0 / real(len(xs) + 1)})
    return y
"""
"""The outcome of the draw is called as a counter of the list would be."""


def test_an_outcome_that_has_the_name_of_the_counter() -> None:
    """In the law `len(xs)` would be the outcome, and the length that decides it would be gone."""
    of = read_as_written(OUTCOME_OF_A_COUNTER.strip() + "\n")
    with pytest.raises(Rejected) as error:
        taken(of, Count((0,)))
    assert error.value.why.code.id == "not-counted"
    other = read_as_written(OUTCOME_OF_A_COUNTER.strip().replace("xs·len", "o") + "\n")
    assert same_law(other, taken(other, Count((0,)))[0], "outcome")


MOVED = {
    "it tosses a coin": f"s = 0\n{MADE}for w in xs:\n    if bernoulli(1/2):\n        s = s + w\nreturn s",
    "it tosses a coin for each coin": (
        "s = 0\nxs = []\nfor v in x:\n    if v > 0:\n        xs.append(v + uniform_int(0, 1))\n"
        "for w in xs:\n    s = s + w * uniform_int(0, 1)\nreturn s"
    ),
    "its entry decides a chance": (
        f"s = 0\n{MADE}for w in xs:\n    s = s + (1 if bernoulli(1/2 if w > 1 else 1/3) else 2)\nreturn s"
    ),
    "it tosses behind an end": (
        f"s = 0\n{MADE}if len(xs) == 1:\n    return 9\n"
        "for w in xs:\n    s = 2 * s + uniform_int(0, 1)\nreturn s"
    ),
    "a sum": f"s = 0\n{MADE}{SUM}return s",
    "begun behind": f"{MADE}s = k\n{SUM}return s",
    "with its length": f"{MADE}s = 0\n{SUM}return s, len(xs)",
    "asked whether empty": f"{MADE}if len(xs) == 0:\n    return -1\ns = 0\n{SUM}return s",
    "the last entry": f"{MADE}t = 0\nfor w in xs:\n    t = w\nreturn t",
    "its positions": f"s = 0\n{MADE}for i, w in enumerate(xs):\n    s = s + i * w\nreturn s",
    "by position": f"s = 0\n{MADE}for i in range(len(xs)):\n    s = s + i * xs[i]\nreturn s",
    "under a condition": (
        f"s = 0\n{MADE}for w in xs:\n    if w > 1:\n        continue\n    s = s + w\nreturn s"
    ),
    "a list of a list": (
        f"{MADE}ys = []\nfor w in xs:\n    ys.append(w + 1)\ns = 0\nfor y in ys:\n    s = s + y\nreturn s"
    ),
    "two sums": f"s = 0\nt = 1\n{MADE}{SUM}for w in xs:\n    t = 2 * t + w\nreturn s, t",
    "of one name": f"s = 0\n{MADE}for v in xs:\n    s = s + v\nreturn s",
    "pairs": (
        "s = 0\nxs = []\nfor v in x:\n    if v > 0:\n        xs.append((v, 2 * v))\n"
        "for a, b in xs:\n    s = s + a * b\nreturn s"
    ),
    "with a loop in it": (
        f"s = 0\n{MADE}for w in xs:\n    for j in range(3):\n        s = s + w * j\nreturn s"
    ),
    "with a loop over the input": (
        f"s = 0\n{MADE}for w in xs:\n    for v in x:\n        if v < w:\n            s = s + 1\nreturn s"
    ),
    "with coins in a loop": (
        f"s = 0\n{MADE}for w in xs:\n    for j in range(2):\n        s = s + w * uniform_int(0, j)\nreturn s"
    ),
    "in two places": (
        "s = 0\nxs = []\nfor v in x:\n    if v > 0:\n        xs.append(v)\n    else:\n        xs.append(k)\n"
        f"{SUM}return s"
    ),
    "one more": f"s = 0\n{MADE}xs.append(k)\n{SUM}return s",
    "with coins": (
        "s = 0\nxs = []\nfor v in x:\n    if bernoulli(1/2):\n        if v > 0:\n            xs.append(v)\n"
        f"{SUM}return s"
    ),
    "left early": (
        f"s = 0\nxs = []\nfor v in x:\n    if v > 1:\n        break\n    xs.append(v)\n{SUM}return s"
    ),
    "in rounds": (
        "s = 0\nfor r in range(2):\n    xs = []\n    for v in x:\n        if v > r:\n"
        "            xs.append(v)\n    for w in xs:\n        s = s + w\nreturn s"
    ),
}


def same_law(of: ir.Mechanism, form: ir.Mechanism, seed: str) -> bool:
    """Whether the laws on some inputs were compared.  Raises Differ."""
    rng = random.Random(seed)
    inputs = [found for _ in range(4) if (found := inputs_of(of, rng, 3, tables=True)) is not None]
    return bool(inputs) and all(compare(law(of, item), law(form, item)) is not None for item in inputs)


@pytest.mark.parametrize("name", MOVED)
def test_the_law_stays_the_same(name: str) -> None:
    of = read(MOVED[name])
    found = rewriting(of)
    assert any(isinstance(step, Stream) for step in found.steps)
    assert not any(isinstance(item, ir.Append) for item in ir.statements(found.program.body))
    assert same_law(of, rewritten(of, found.steps)[0], name)


def programs() -> Iterator[tuple[str, ir.Mechanism]]:
    for number in range(PLACES):
        text = list_program(random.Random(f"lists {number}"))
        try:
            of = mechanism(text.removeprefix("from synth.lang import *\n"))
        except ProgramError:
            continue
        yield text, replace(of, body=renumber(of.body))


def test_whatever_is_accepted_keeps_the_law() -> None:
    accepted = compared = 0
    for text, of in programs():
        for step in (*map(Stream, loops(of)), *map(Count, lists(of))):
            try:
                form, _ = taken(of, step)
            except Rejected:
                continue
            accepted += isinstance(step, Stream)
            try:
                compared += same_law(of, form, text)
            except Differ as error:
                raise AssertionError(f"{text}\n{step}: {error}") from None
    assert accepted > PLACES / 10 and compared > PLACES / 2


LEFT_OUT: dict[str, tuple[str, Callable[..., Any]]] = {
    "the round is left before": ("exited", lambda _: set()),
    "the sum is returned before": ("mentions", lambda _: set()),
    "it reads what is counted": ("mentions", lambda _: set()),
    "the sum begins with what changes": ("mentions", lambda _: set()),
    "a branch reads the sum": ("mentions", lambda _: set()),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_a_condition_that_is_left_out(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Without it a step is taken that changes the law."""
    of = read(REFUSED[name])
    monkeypatch.setattr(streaming, *LEFT_OUT[name])
    form, _ = taken(of, Stream(loops(of)[0]))
    values = {"x": (3, 1, 2), "c": True, "k": 2}
    with pytest.raises(Differ):
        compare(law(of, values), law(form, values))


NESTED = """
@adjacent(x=discrete_distance())
def f(x: bool) -> output((int, bool)):
    t: int
    i: int
    w: int
    c: bool
    xs: list(int)
    xs = []
    i = 0
    w = 0
    with block(L):
        if x:
            t = 1
            leave(L)
        t = 2
        xs.append(0)
    with block(M):
        while True:
            if len(xs) <= i:
                leave(M)
            with block(L):
                if xs[i] == 0:
                    leave(L)
                w = 1
            i = i + 1
    c = bernoulli(0.5)
    return t, c
"""
"""What the loop does has a block with the label of one around the append."""


def test_no_block_gets_into_another_of_its_label() -> None:
    of = read_as_written(NESTED.strip() + "\n")
    of = replace(of, body=renumber(of.body))
    with pytest.raises(Rejected) as error:
        taken(of, Stream(loops(of)[0]))
    assert error.value.why.code.id == "not-streamed"
    other = NESTED.replace("            with block(L)", "            with block(N)")
    other = other.replace("                    leave(L)", "                    leave(N)")
    of = read_as_written(other.strip() + "\n")
    assert taken(replace(of, body=renumber(of.body)), Stream(loops(of)[0]))
