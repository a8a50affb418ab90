"""Statements stand again before others only where that changes nothing; then the law stays."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
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
from synth.trusted.steps import repetition
from synth.trusted.steps.rewriting import Repeat, Stream, rewritten, taken
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


def read(text: str) -> ir.Mechanism:
    body = "\n".join(f"    {row}" for row in text.strip("\n").split("\n"))
    of = mechanism(f"{HEAD}{body}\n")
    return replace(of, body=renumber(of.body))


def same_law(of: ir.Mechanism, form: ir.Mechanism, seed: str) -> bool:
    """Whether the laws on some inputs were compared.  Raises Differ."""
    rng = random.Random(seed)
    inputs = [found for _ in range(4) if (found := inputs_of(of, rng, 3, tables=True)) is not None]
    return bool(inputs) and all(compare(law(of, item), law(form, item)) is not None for item in inputs)


REPEATED: dict[str, tuple[str, Repeat]] = {
    "a number": ("s = k + 1\nif c:\n    return s\nreturn -s", Repeat((0,), 1, ((1,), (1, 0, 0), (2,)))),
    "two numbers": ("s = k\nt = s + 1\nreturn s + t", Repeat((0,), 2, ((2,),))),
    "a branch": (
        "s = 0\nif c:\n    s = k\nt = s\nif bernoulli(1/2):\n    t = 2\nreturn s, t",
        Repeat((0,), 2, ((2,), (3,), (4,))),
    ),
    "a list": (
        "xs = []\nfor v in x:\n    if v > 0:\n        xs.append(v)\ns = 0\nfor r in range(3):\n"
        "    for w in xs:\n        s = 2 * s + w + r\nreturn s, len(xs)",
        Repeat((0,), 3, ((5, 0, 0, 0, 1),)),
    ),
    "twice at one place": ("s = k\nreturn s", Repeat((0,), 1, ((1,), (1,)))),
    "in rounds": (
        "t = 0\nfor r in range(2):\n    s = k\n    t = 2 * t + s\nreturn t",
        Repeat((2, 0, 0, 0, 2), 1, ((2, 0, 0, 0, 3),)),
    ),
    "with what is asked for": (
        "s = 1\nif k != 0:\n    s = k\nt = 1 / s\nif c:\n    return t\nreturn -t",
        Repeat((0,), 4, ((4, 0, 0),)),
    ),
}


@pytest.mark.parametrize("name", REPEATED)
def test_the_law_stays_the_same(name: str) -> None:
    text, step = REPEATED[name]
    of = read(text)
    form, conditions = taken(of, step)
    more = sum(1 for _ in ir.statements(form.body)) - sum(1 for _ in ir.statements(of.body))
    assert more > 0 and more % len(step.before) == 0 and conditions == ()
    assert same_law(of, form, name)


REFUSED: dict[str, tuple[str, Repeat]] = {
    "it counts": ("s = 0\ns = s + k\nreturn s", Repeat((1,), 1, ((2,),))),
    "it appends to a list": ("xs = []\nxs.append(k)\nreturn xs", Repeat((1,), 1, ((2,),))),
    "it draws": ("s = uniform_int(0, 2)\nreturn s", Repeat((0,), 1, ((1,),))),
    "it tosses a coin": (
        "s = 0\nif bernoulli(1/2):\n    s = 1\nt = s\nreturn s, t",
        Repeat((0,), 3, ((4,),)),
    ),
    "it returns": ("s = 0\nif c:\n    return s\nreturn k", Repeat((0,), 2, ((2,),))),
    "what it reads is changed": ("t = k\ns = t\nt = 0\nreturn s + t", Repeat((1,), 1, ((3,),))),
    "what it assigns is changed": ("s = k\ns = s + 1\nreturn s", Repeat((0,), 1, ((2,),))),
    "changed in a later round": (
        "s = k\nt = 0\nfor r in range(2):\n    t = 2 * t + s\n    s = r\nreturn t",
        Repeat((0,), 1, ((3, 0, 0, 0, 1),)),
    ),
    "its list grows": (
        "xs = []\nfor v in x:\n    xs.append(v)\nxs.append(k)\nt = len(xs)\nreturn t",
        Repeat((0,), 3, ((4,),)),
    ),
    "it reads a list that grows": (
        "xs = []\nt = len(xs)\nxs.append(k)\nreturn t", Repeat((1,), 1, ((3,),)),
    ),
    "assigned on one side": ("s = 0\nt = 0\nif c:\n    s = k\nt = s\nreturn t", Repeat((2,), 2, ((4,),))),
    "left before": (
        "s = 0\nfor r in range(3):\n    s = r\n    if r == 1:\n        break\nreturn s",
        Repeat((2, 0, 0, 0, 2), 2, ((3,),)),
    ),
    "before it": ("t = 0\ns = k\nreturn s + t", Repeat((1,), 1, ((0,),))),
    "inside of it": ("s = 0\nif c:\n    s = k\nreturn s", Repeat((0,), 2, ((1, 0, 0),))),
    "in another body": ("s = 0\nif c:\n    s = k\nreturn s", Repeat((1, 0, 0), 1, ((2,),))),
    "in another branch": (
        "s = 0\nif c:\n    s = k\nelse:\n    s = s + 0\nreturn s",
        Repeat((1, 0, 0), 1, ((1, 1, 0),)),
    ),
    "nowhere": ("s = k\nreturn s", Repeat((0,), 1, ((7,),))),
    "at the end": ("s = k\nreturn s", Repeat((0,), 1, ((2,),))),
    "no place": ("s = k\nreturn s", Repeat((0,), 1, ((),))),
    "more than there are": ("s = k\nreturn s", Repeat((0,), 3, ((1,),))),
    "nothing": ("s = k\nreturn s", Repeat((0,), 0, ((1,),))),
    "a place that is not there": ("s = k\nreturn s", Repeat((8,), 1, ((9,),))),
    "a place before the first": ("s = k\nreturn s", Repeat((-2,), 1, ((1,),))),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_repeated(name: str) -> None:
    text, step = REFUSED[name]
    with pytest.raises(Rejected):
        taken(read(text), step)


def test_a_block_in_one_of_its_label() -> None:
    """An exit would leave another block than it does where it stands first."""
    text = """
@adjacent(x=discrete_distance())
def f(x: bool) -> output(int):
    s: int
    s = 0
    with block(L):
        if x:
            leave(L)
        s = 1
    with block(L):
        if x:
            leave(L)
        s = s
    return s
"""
    of = read_as_written(text.strip() + "\n")
    with pytest.raises(Rejected):
        taken(of, Repeat((0,), 2, ((2, 0, 0),)))


LEFT_OUT: dict[str, tuple[str, Callable[..., Any]]] = {
    "it counts": ("check_reads_assigned", lambda *_: None),
    "it appends to a list": ("check_reads_assigned", lambda *_: None),
    "it tosses a coin": ("computes", lambda _: True),
    "what it reads is changed": ("assigned", lambda _: set()),
    "what it assigns is changed": ("assigned", lambda _: set()),
    "changed in a later round": ("assigned", lambda _: set()),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_a_condition_that_is_left_out(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Without it a step is taken that changes the law."""
    text, step = REFUSED[name]
    of = read(text)
    monkeypatch.setattr(repetition, *LEFT_OUT[name])
    form, _ = taken(of, step)
    with pytest.raises(Differ):
        values = {"x": (3, 1), "c": True, "k": 2}
        compare(law(of, values), law(form, values))


def _some_step(of: ir.Mechanism, rng: random.Random) -> Repeat:
    """A window, and places behind it; mostly of one body."""
    body, place = of.body, tuple[int, ...]()
    while True:
        start = rng.randrange(len(body))
        inner = [(side, part) for side, part in enumerate(ir.blocks(body[start])) if part]
        if not inner or rng.random() < 0.5:
            break
        side, part = rng.choice(inner)
        body, place = part, (*place, start, side)
    length = rng.randint(1, 3)
    before = []
    for _ in range(rng.randint(1, 2)):
        number = start + length + rng.randint(0, 2)
        there, inside = (*place, number), body[number : number + 1]
        while inside and (parts := [(n, part) for n, part in enumerate(ir.blocks(inside[0])) if part]):
            if rng.random() < 0.3:
                break
            side, part = rng.choice(parts)
            number = rng.randrange(len(part))
            there, inside = (*there, side, number), part[number : number + 1]
        before.append(there)
    return Repeat((*place, start), length, tuple(before))


def test_whatever_is_accepted_keeps_the_law() -> None:
    accepted = compared = 0
    for number in range(PLACES):
        rng = random.Random(f"repeated {number}")
        text = list_program(rng)
        try:
            of = mechanism(text.removeprefix("from synth.lang import *\n"))
        except ProgramError:
            continue
        of = replace(of, body=renumber(of.body))
        for _ in range(25):
            step = _some_step(of, rng)
            try:
                form, _ = taken(of, step)
            except Rejected:
                continue
            accepted += 1
            try:
                compared += same_law(of, form, text)
            except Differ as error:
                raise AssertionError(f"{text}\n{step}: {error}") from None
    assert accepted > PLACES and compared > PLACES / 2


def _fails(found: Distribution) -> bool:
    return any(isinstance(item, Violated) for item in found.outcomes)


def test_what_is_violated_stays_violated() -> None:
    """A core program whose obligations may fail: just the same runs fail behind the step."""
    reached = 0
    for number in range(PLACES):
        rng = random.Random(f"repeated core {number}")
        try:
            of = read_as_written(core_text(rng))
        except Exception as error:
            raise AssertionError(number) from error
        for _ in range(25):
            step = _some_step(of, rng)
            try:
                form, _ = taken(of, step)
            except Rejected:
                continue
            values = {"x": 1, "p": 2, "c": True, "q": (1, 2)}
            before, after = law(of, values), law(form, values)
            compare(before, after)
            if before is not None and after is not None:
                fails = [
                    any(isinstance(item, Violated) for item in found.outcomes) for found in (before, after)
                ]
                assert fails[0] == fails[1]
                reached += 1
    assert reached > PLACES / 4


CLEANED = """
@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0")
def f(x: list[int], eps: float):
    clean = [min(v, 9) for v in x if v >= 0]
    counts = []
    for cell in range(4):
        counts.append(sum(1 for v in clean if v == cell) + laplace(0, 1 / eps))
    return counts
"""


def test_a_list_that_loops_in_other_bodies_read_is_made_there() -> None:
    of = mechanism(CLEANED)
    found = rewriting(of)
    kinds = [type(step) for step in found.steps]
    assert Repeat in kinds and Stream in kinds
    appends = (item for item in ir.statements(found.program.body) if isinstance(item, ir.Append))
    assert {item.target for item in appends} == {"counts"}
    assert same_program(rewritten(of, found.steps)[0], found.program)
