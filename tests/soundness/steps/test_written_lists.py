"""Lists are written out as variables only where they always have as many entries; that keeps the law."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest

from synth.prover.normal_form.recording import rewriting
from synth.trusted.core.reader import read_as_written
from synth.trusted.errors import ProgramError
from synth.trusted.logic.rejection import Rejected
from synth.trusted.normal_form import unrolling
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import assigned
from synth.trusted.program.numbering import renumber
from synth.trusted.steps.rewriting import WriteOut, rewritten, taken
from tests.soundness.hunts.defined_laws import Differ, compare, law
from tests.support.list_programs import list_program
from tests.support.refuting import mechanism

from .test_streamed_lists import read, same_law

PROGRAMS = 150


def all_lists(of: ir.Mechanism) -> WriteOut:
    return WriteOut(tuple(of.lists))


WRITTEN = {
    "a constant list": "xs = [1, 2, 3]\ns = 0\nfor v in xs:\n    s = s + v * k\nreturn s",
    "whether it has an entry": "xs = [0, 1, 2]\nreturn k in xs",
    "where the entry is": "xs = [0, 1, 2]\nassert 0 <= k <= 2\nreturn xs.index(k)",
    "entries that are changed": (
        "xs = [0, 0, 0]\nys = xs\nfor i in range(3):\n    ys[i] = k + i\nreturn xs[0] + ys[2]"
    ),
    "an entry by an index": "xs = [k, 1, 2]\nys = xs\nassert 0 <= k <= 2\nys[k] = 7\nreturn ys[k] + xs[0]",
    "coins": (
        "xs = [0, 1, 0]\nys = xs\nfor i in range(len(xs)):\n    if bernoulli(1/4):\n"
        "        ys[i] = 1 - ys[i]\nreturn ys"
    ),
    "left early": (
        "xs = [1, 2, 3]\ns = 0\nfor v in xs:\n    if v > k:\n        break\n    s = s + v\nreturn s"
    ),
    "within a loop that stays": (
        "xs = [0, 0]\nys = xs\nfor v in x:\n    for i in range(2):\n        ys[i] = ys[i] + v * i\n"
        "return ys[0], ys[1]"
    ),
    "entries that a loop that stays changes": (
        "xs = [1, 2]\nys = xs\nfor v in x:\n    k = xs[0] if xs[1] == 2 else v\n    ys[1] = v + k\n"
        "return xs[1], xs[0]"
    ),
    "entries that are sorted": "xs = [3, k, 1]\nys = sorted([3, 5, 1])\nreturn ys[0] + xs[1] * ys[1], ys[2]",
    "made anew in each round": (
        "s = 0\nfor v in x:\n    xs = [v, k]\n    for w in xs:\n        s = s + w\nreturn s"
    ),
    "a list of a list": "xs = [1, 2]\nys = [v + k for v in xs]\nzs = [2 * y for y in ys]\nreturn sum(zs)",
    "a list with two entries of one name": (
        "xs = [(1, 2), (k, 3)]\ns = 0\nfor a, b in xs:\n    s = s + a * b\nreturn s"
    ),
    "by coins": "xs = [1, 2]\ni = 0\nwhile i < 2 and bernoulli(1/2):\n    i = i + xs[i]\nreturn i",
}

NOT_WRITTEN = {
    "one entry per record": (
        "xs = []\nfor v in x:\n    xs.append(v)\ns = 0\nfor w in xs:\n    s = s + w\nreturn s"
    ),
    "an entry more on one side": (
        "xs = [1]\nif c:\n    xs.append(2)\ns = 0\nfor w in xs:\n    s = s + w\nreturn s"
    ),
    "an entry more in each round": "xs = [1]\nfor v in x:\n    xs.append(xs[0])\nreturn len(xs)",
    "one less from the second round on": (
        "xs = [1, 2]\ns = 0\nfor v in x:\n    s = s + sum(xs)\n    xs.clear()\n    xs.append(v)\nreturn s"
    ),
    "a list that has none before the first round": (
        "xs = []\ns = 0\nfor v in x:\n    for w in xs:\n        s = s + w\n    xs.clear()\n"
        "    xs.append(v)\nreturn s"
    ),
    "too many rounds": (
        "xs = []\nfor i in range(100):\n    for j in range(100):\n        xs.append(j)\nreturn xs[0]"
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_the_law_stays_the_same(name: str) -> None:
    of = read(WRITTEN[name])
    form, _ = taken(of, all_lists(of))
    returned = {
        name for item in ir.statements(form.body) if isinstance(item, ir.Return) for name in item.lists
    }
    assert set(form.lists) == returned
    assert same_law(of, form, name)


@pytest.mark.parametrize("name", NOT_WRITTEN)
def test_what_has_no_fixed_size_is_refused(name: str) -> None:
    of = read(NOT_WRITTEN[name])
    with pytest.raises(Rejected) as error:
        taken(of, all_lists(of))
    assert error.value.why.code.id == "not-written-out"


def test_the_search_takes_the_step() -> None:
    of = read("xs = [0, 1, 2]\nassert 0 <= k <= 2\ni = xs.index(k)\nreturn i if bernoulli(1/2) else xs[0]")
    found = rewriting(of)
    assert any(isinstance(step, WriteOut) for step in found.steps)
    assert not any(isinstance(item, ir.Loop) for item in ir.statements(found.program.body))
    assert same_law(of, rewritten(of, found.steps)[0], "search")


OUTSIDE = """
@adjacent(x=discrete_distance())
def f(x: int) -> output(int):
    xs: list(int)
    xs = []
    xs.append(1)
    xs.append(2)
    return xs[x]
"""


def test_an_index_without_an_obligation_gets_one() -> None:
    """Outside of the list the first program reads some value, which the second has no name for."""
    of = read_as_written(OUTSIDE.strip() + "\n")
    form, _ = taken(of, all_lists(of))
    (asked,) = [item for item in form.body if isinstance(item, ir.Obligation)]
    assert asked.kind == "index"
    with pytest.raises(Rejected):
        taken(read_as_written(OUTSIDE.strip().replace("xs[x]", "xs[2]") + "\n"), WriteOut(("xs",)))


OUTCOME = """
@adjacent(x=discrete_distance())
def f(x: int) -> output(int):
    y: int
    xs: list(int)
    xs = []
    xs.append(1)
    xs.append(0)
    y = outcomes("uniform_int", lambda o: {0 <= o and o < 2: real(xs[o]) / 1.0})
    return y
"""


def test_an_index_that_is_the_outcome_of_a_draw_is_refused() -> None:
    of = read_as_written(OUTCOME.strip() + "\n")
    with pytest.raises(Rejected):
        taken(of, all_lists(of))


TAKEN = """
@adjacent(x=discrete_distance())
def f(x: int) -> output(int):
    xs·at0·0: int
    xs: list(int)
    xs·at0·0 = x
    xs = []
    xs.append(5)
    return xs[0] + xs·at0·0
"""


def test_a_variable_that_has_the_name_of_an_entry() -> None:
    of = read_as_written(TAKEN.strip() + "\n")
    with pytest.raises(Rejected):
        taken(of, all_lists(of))
    other = read_as_written(TAKEN.strip().replace("xs·at0·0", "y") + "\n")
    assert same_law(other, taken(other, all_lists(other))[0], "name")


def programs() -> Iterator[tuple[str, ir.Mechanism]]:
    for number in range(PROGRAMS):
        text = list_program(random.Random(f"written {number}"))
        size = f"len(x) == {number % 3}"
        text = text.removeprefix("from synth.lang import *\n").replace("len(x) <= 2", size)
        try:
            of = mechanism(text)
        except ProgramError:
            continue
        yield text, replace(of, body=renumber(of.body))


def test_whatever_is_accepted_keeps_the_law() -> None:
    accepted = compared = 0
    for text, of in programs():
        for names in (tuple(of.lists), *combinations(of.lists, 1)):
            try:
                form, _ = taken(of, WriteOut(names))
            except Rejected:
                continue
            accepted += 1
            try:
                compared += same_law(of, form, text)
            except Differ as error:
                raise AssertionError(f"{text}\n{names}: {error}") from None
    assert accepted > PROGRAMS / 3 and compared > PROGRAMS / 6


def test_the_lengths_behind_a_round_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without this condition a step is taken that changes the law."""
    of = read(NOT_WRITTEN["one less from the second round on"])

    def kept(self: unrolling._Unfolder, loop: ir.Loop, known: unrolling._Known) -> ir.Loop:
        inner, _ = self.body(loop.body, known.without(assigned(loop.body)))
        return replace(loop, body=inner)

    monkeypatch.setattr(unrolling._Unfolder, "_kept", kept)
    form, _ = taken(of, all_lists(of))
    values = {"x": (3, 1, 2), "c": True, "k": 2}
    with pytest.raises(Differ):
        compare(law(of, values), law(form, values))
