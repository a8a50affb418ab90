"""What a branch computes goes before it, and loops become one, only where nothing notices; the law stays."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from textwrap import indent
from typing import Any

import pytest

from synth.prover.normal_form.recording import rewriting
from synth.trusted.core.comparison import same_program
from synth.trusted.core.interpreter import Distribution, Violated
from synth.trusted.core.reader import read_as_written
from synth.trusted.errors import ProgramError
from synth.trusted.logic.rejection import Rejected
from synth.trusted.program import syntax as ir
from synth.trusted.program.numbering import renumber
from synth.trusted.steps import advancing, joining
from synth.trusted.steps.rewriting import Advance, Join, rewritten, taken
from tests.soundness.hunts.defined_laws import Differ, compare, law
from tests.soundness.hunts.inputs import inputs_of
from tests.support.core_programs import core_text
from tests.support.list_programs import list_program
from tests.support.refuting import mechanism

HEAD = """
@mechanism(adjacent={"x": linf_distance(1)})
def f(x: list[int], c: bool, k: int):
"""
PLACES = 80
"""Programs of each grammar."""

Placed = Advance | Join


def read(text: str) -> ir.Mechanism:
    body = "\n".join(f"    {row}" for row in text.strip("\n").split("\n"))
    of = mechanism(f"{HEAD}{body}\n")
    return replace(of, body=renumber(of.body))


def same_law(of: ir.Mechanism, form: ir.Mechanism, seed: str) -> bool:
    """Whether the laws on some inputs were compared.  Raises Differ."""
    rng = random.Random(seed)
    inputs = [found for _ in range(4) if (found := inputs_of(of, rng, 3, tables=True)) is not None]
    return bool(inputs) and all(compare(law(of, item), law(form, item)) is not None for item in inputs)


def steps(of: ir.Mechanism) -> Iterator[Placed]:
    """All steps of both kinds that there may be."""

    def inside(body: tuple[ir.Statement, ...], place: tuple[int, ...]) -> Iterator[Placed]:
        for number, item in enumerate(body):
            here = (*place, number)
            if isinstance(item, ir.Block):
                yield Join(here)
            if isinstance(item, ir.If):
                for side, part in enumerate(ir.blocks(item)):
                    yield from (Advance(here, side, length) for length in range(1, len(part) + 1))
            for side, inner in enumerate(ir.blocks(item)):
                yield from inside(inner, (*here, side))

    return inside(of.body, ())


COUNT = "n = 0\nfor v in x:\n    n = n + 1\n"
SUM = "s = 0\nfor w in x:\n    s = s + w\n"
TAKEN = {
    "a sum behind a test": "t = 0\nif c:\n    s = 0\n    for w in x:\n        s = s + w\n    t = s\nreturn t",
    "on the other side": (
        "if c:\n    t = 1\nelse:\n    s = 0\n    for w in x:\n        s += w\n    t = s\nreturn t"
    ),
    "before noise": "t = 0\nif c:\n    s = k + 1\n    t = s + uniform_int(0, 1)\nreturn t",
    "before a return": "if c:\n    s = k * 2\n    return s\nreturn k",
    "in a loop": "t = 0\nfor v in x:\n    if v > 0:\n        s = v + 1\n        t = 2 * t + s\nreturn t",
    "two sums": f"{COUNT}{SUM}return n, s",
    "with something between": f"{COUNT}t = k\n{SUM}return n, s, t",
    "with noise between": f"{COUNT}t = uniform_int(0, 2)\n{SUM}return n, s, t",
    "noise in the first": f"n = 0\nfor v in x:\n    n = n + uniform_int(0, 1)\n{SUM}return n, s",
    "begun behind": f"{COUNT}t = 0\nr = k\nfor w in x:\n    r = 2 * r + w\nreturn n, r, t",
    "with a branch": f"{COUNT}s = 0\nfor w in x:\n    if w > 1:\n        s = s + w\nreturn n, s",
    "with a list": f"{COUNT}ys = []\nfor w in x:\n    ys.append(w + k)\nreturn n, ys",
    "an end behind": f"{COUNT}if n == 1:\n    return -1\n{SUM}return s",
}  # fmt: skip


@pytest.mark.parametrize("name", TAKEN)
def test_the_law_stays_the_same(name: str) -> None:
    of = read(TAKEN[name])
    accepted = 0
    for step in steps(of):
        try:
            form, conditions = taken(of, step)
        except Rejected:
            continue
        accepted += 1
        assert conditions == ()
        assert same_law(of, form, name)
    assert accepted


BRANCH = (1,)
REFUSED: dict[str, tuple[str, Placed]] = {
    "read on the other side": (
        "s = 0\nif c:\n    s = k\nelse:\n    s = s + 1\nreturn s",
        Advance(BRANCH, 0, 1),
    ),
    "read behind": ("s = 0\nif c:\n    s = k\nreturn s", Advance(BRANCH, 0, 1)),
    "the test reads it": ("s = k\nif s > 1:\n    s = 0\nreturn 1", Advance(BRANCH, 0, 1)),
    "read in a later round": (
        "t = 0\nfor v in x:\n    if v:\n        s = v\n        t += s\n    else:\n        s = 9\nreturn 1",
        Advance((2, 0, 0, 0, 2), 0, 1),
    ),
    "it adds to what was there": (
        "s = 0\nt = 0\nfor v in x:\n    if v > 1:\n        s = s + v\n        t = s\nreturn t",
        Advance((3, 0, 0, 0, 2), 0, 1),
    ),
    "it draws": ("t = 0\nif c:\n    s = uniform_int(0, 2)\n    t = s\nreturn t", Advance(BRANCH, 0, 1)),
    "it may go on for ever": (
        "t = 0\nif c:\n    s = 0\n    while s != 1:\n        s = s + k\n    t = s\nreturn t",
        Advance(BRANCH, 0, 2),
    ),
    "it returns": ("t = 0\nif c:\n    return k\nreturn t", Advance(BRANCH, 0, 1)),
    "no branch": ("t = k\nif c:\n    t = 0\nreturn t", Advance((0,), 0, 1)),
    "no side": ("t = 0\nif c:\n    s = k\n    t = s\nreturn t", Advance(BRANCH, 2, 1)),
    "more than there are": ("t = 0\nif c:\n    s = k\n    t = s\nreturn t", Advance(BRANCH, 0, 9)),
    "nothing": ("t = 0\nif c:\n    s = k\n    t = s\nreturn t", Advance(BRANCH, 0, 0)),
    "it reads the count": (f"{COUNT}s = 0\nfor w in x:\n    s = s + n * w\nreturn s", Join((5,))),
    "it begins with the count": (f"{COUNT}s = n\nfor w in x:\n    s = 2 * s + w\nreturn s", Join((5,))),
    "it reads what comes between": (
        f"t = 0\n{COUNT}t = k\ns = 0\nfor w in x:\n    s = s + t * w\nreturn s, n",
        Join((7,)),
    ),
    "the sum is read between": (f"s = 7\n{COUNT}t = s\n{SUM}return s, t", Join((7,))),
    "the first loop reads the sum": (
        f"s = 3\nn = 0\nfor v in x:\n    n = n + s\n{SUM}return s, n",
        Join((6,)),
    ),
    "the second loop draws": (f"{COUNT}s = 0\nfor w in x:\n    s += uniform_int(0, 1)\nreturn s", Join((5,))),
    "the second one is left": (
        f"{COUNT}s = 0\nfor w in x:\n    if w > 1:\n        break\n    s = s + w\nreturn s, n",
        Join((5,)),
    ),
    "the first one is left": (
        f"n = 0\nfor v in x:\n    if v > 1:\n        break\n    n = n + 1\n{SUM}return s, n",
        Join((5,)),
    ),
    "another end": (f"{COUNT}s = 0\nfor j in range(k):\n    s = s + j\nreturn s, n", Join((5,))),
    "from 1 on": (f"{COUNT}s = 0\nfor j in range(1, len(x)):\n    s = s + j\nreturn s, n", Join((5,))),
    "left between": (
        "s = 5\nn = 0\nfor r in range(2):\n    n = 0\n    for v in x:\n        n += 1\n"
        "    if c:\n        break\n"
        "    s = 0\n    for w in x:\n        s = s + w\nreturn s, n",
        Join((3, 0, 0, 0, 8)),
    ),
    "no loop before": (f"{SUM}return s", Join((2,))),
    "no loop": (f"{COUNT}{SUM}return s", Join((3,))),
    "no place": (f"{COUNT}{SUM}return s", Join((9,))),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_moved(name: str) -> None:
    text, step = REFUSED[name]
    with pytest.raises(Rejected):
        taken(read(text), step)


LEFT_OUT: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "read on the other side": (advancing, "assigned", lambda _: set()),
    "read behind": (advancing, "assigned", lambda _: set()),
    "it reads the count": (joining, "mentions", lambda _: set()),
    "it begins with the count": (joining, "mentions", lambda _: set()),
    "it reads what comes between": (joining, "mentions", lambda _: set()),
    "the sum is read between": (joining, "mentions", lambda _: set()),
    "the first loop reads the sum": (joining, "mentions", lambda _: set()),
    "left between": (joining, "exited", lambda _: set()),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_a_condition_that_is_left_out(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Without it a step is taken that changes the law."""
    text, step = REFUSED[name]
    of = read(text)
    monkeypatch.setattr(*LEFT_OUT[name])
    form, _ = taken(of, step)
    with pytest.raises(Differ):
        for flag in (True, False):
            values = {"x": (3, 1), "c": flag, "k": 2}
            compare(law(of, values), law(form, values))


def _fragment(rng: random.Random) -> str:
    """Statements that count, add up, test or draw, with few names."""
    one, other = rng.sample(("n", "s", "t"), 2)
    start, step = rng.choice(("0", "k", other)), rng.choice(("v", "1", other))
    loop = f"{one} = {start}\nfor v in x:\n    {one} = {one} + {step}\n"
    match rng.randrange(5):
        case 0 | 1:
            return loop
        case 2:
            more = rng.choice(("", f"    {other} = {one}\n", f"    return {one}\n"))
            return f"if {rng.choice(('c', 'n > 1', 's > 0'))}:\n{indent(loop, '    ')}{more}"
        case 3:
            return f"if c:\n    {one} = k\nelse:\n{indent(loop, '    ')}    {other} = {one} + 1\n"
        case _:
            return f"{one} = {rng.choice((other, 'k', 'uniform_int(0, 1)'))}\n"


def _program(rng: random.Random) -> str:
    start = "".join(f"{name} = 0\n" for name in "nst" if rng.random() < 0.5)
    body = start + "".join(_fragment(rng) for _ in range(rng.randint(2, 4)))
    return f"{HEAD}{indent(body, '    ')}    return {rng.choice(('n', 's', 't', 'n, t'))}\n"


def some_programs() -> Iterator[tuple[str, ir.Mechanism]]:
    for number in range(3 * PLACES):
        rng = random.Random(f"advanced {number}")
        text = _program(rng) if number % 3 else list_program(rng)
        try:
            of = mechanism(text.removeprefix("from synth.lang import *\n"))
        except ProgramError:
            continue
        yield text, replace(of, body=renumber(of.body))
        if not number % 3:
            yield "core", read_as_written(core_text(rng))


def _fails(found: Distribution) -> bool:
    return any(isinstance(item, Violated) for item in found.outcomes)


def test_whatever_is_accepted_keeps_the_law() -> None:
    """Where the program behind the step violates no obligation, the one before has the same law."""
    values = {"x": 1, "p": 2, "c": True, "q": (1, 2)}
    accepted = compared = 0
    for text, of in some_programs():
        for step in steps(of):
            try:
                form, _ = taken(of, step)
            except Rejected:
                continue
            accepted += 1
            try:
                if text != "core":
                    compared += same_law(of, form, text)
                    continue
                before, after = law(of, values), law(form, values)
                if before is not None and after is not None and not _fails(after):
                    assert not _fails(before)
                    compared += compare(before, after) is not None
            except Differ as error:
                raise AssertionError(f"{text}\n{step}: {error}") from None
    assert accepted > PLACES / 4 and compared > PLACES / 8


GUARDED = """
@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0 and top > 0")
def f(x: list[float], top: float, eps: float) -> float:
    if len(x) == 0:
        return laplace(0.0, top / eps)
    return sum(min(max(v, 0), top) for v in x) + laplace(0, top / eps)
"""


def test_a_sum_behind_a_test_for_records_is_made_where_they_are_counted() -> None:
    of = mechanism(GUARDED)
    found = rewriting(of)
    kinds = [type(step) for step in found.steps]
    assert Advance in kinds and Join in kinds
    assert sum(isinstance(item, ir.Loop) for item in ir.statements(found.program.body)) == 1
    assert same_program(rewritten(of, found.steps)[0], found.program)
