"""A loop that a flag would leave counts on only where nothing can tell; that keeps the law."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from synth.prover.normal_form.recording import lingering
from synth.trusted.core.reader import read_as_written
from synth.trusted.logic.rejection import Rejected
from synth.trusted.program import syntax as ir
from synth.trusted.program.numbering import renumber
from synth.trusted.steps import lingering as checked
from synth.trusted.steps.rewriting import Linger, rewritten, taken
from tests.soundness.hunts.defined_laws import Differ, compare, law
from tests.support.refuting import mechanism

HEAD = """
@adjacent(x=absolute_distance(1.0))
def f(x: int, n: int) -> output((int, bool)):
    s: int
    i: int
    j: int
    m: int
    d: bool
    e: bool
    y: bool
"""

AT_THE_END = """
    s = 0
    m = n
    e = True
    i = 0
    d = False
    with block(B):
        while True:
            if m <= i:
                leave(B)
            y = bernoulli(0.25)
            if y:
                s = s + x + i
                d = True
            i = i + 1
            if d:
                leave(B)
    return s, d
"""
"""The flag is asked for at the end of a round."""

AT_THE_HEAD = AT_THE_END.replace("if m <= i:", "if m <= i or d:").replace(
    "            if d:\n                leave(B)\n", ""
)
FORMS = {"at the end": AT_THE_END, "at the head": AT_THE_HEAD}


def read(text: str) -> ir.Mechanism:
    of = read_as_written(HEAD.strip() + "\n" + text.strip("\n") + "\n")
    return replace(of, body=renumber(of.body))


def blocks(body: tuple[ir.Statement, ...], before: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    for number, item in enumerate(body):
        if isinstance(item, ir.Block):
            yield (*before, number)
        for side, inner in enumerate(ir.blocks(item)):
            yield from blocks(inner, (*before, number, side))


def compared(of: ir.Mechanism, form: ir.Mechanism) -> None:
    """Raises Differ."""
    for x, n in ((1, 0), (2, 1), (1, 3)):
        values = {"x": x, "n": n}
        assert str(compare(law(of, values), law(form, values))).startswith("the same")


@pytest.mark.parametrize("form", FORMS)
def test_the_law_stays_the_same(form: str) -> None:
    of = read(FORMS[form])
    after, conditions = taken(of, Linger(next(blocks(of.body))))
    compared(of, after)
    assert not conditions
    (loop,) = (item for item in ir.statements(after.body) if isinstance(item, ir.Loop))
    assert [type(item) for item in loop.body] == [ir.If, ir.If, ir.Assign]


CHANGES: dict[str, tuple[str, str]] = {
    "the counter is returned": ("return s, d", "return i, d"),
    "the counter is read behind the loop": ("return s, d", "s = s + i\n    return s, d"),
    "a branch reads the counter": ("return s, d", "if i <= 1:\n        return 7, d\n    return s, d"),
    "a law reads the counter": (
        "return s, d",
        "y = bernoulli(0.5 if i <= 1 else 0.25)\n    return s, y",
    ),
    "the flag may be true before": ("d = False", "d = True"),
    "the flag is something else before": ("d = False", "d = x <= 1"),
    "nothing sets the flag before": ("    i = 0\n    d = False\n", "    d = False\n    i = 0\n    m = 3\n"),
    "the counter goes on from before": (
        "    i = 0\n    d = False\n",
        "    i = 0\n    m = 3\n    d = False\n",
    ),
    "another flag": ("            if d:", "            if e:"),
    "the flag is asked for with another": ("            if d:", "            if d and e:"),
    "the flag is asked for the other way round": ("            if d:", "            if not d:"),
    "a round may be left otherwise": ("                d = True", "                leave(B)"),
    "a round may return": ("                d = True", "                return s, True"),
    "the end of the count changes": (
        "                d = True",
        "                d = True\n                m = 7",
    ),
    "the count stands still": ("            i = i + 1", "            i = i"),
    "the count goes down": ("            i = i + 1", "            i = i - 1"),
    "the count is changed elsewhere": ("s = s + x + i", "i = i + 1"),
    "the count comes first": (
        "            y = bernoulli(0.25)",
        "            i = i + 1\n            y = bernoulli(0.25)",
    ),
    "the other end has another exit": ("            if m <= i:", "            if m < i:"),
    "another variable is counted": ("            i = i + 1", "            j = i + 1"),
    "no end": ("            if m <= i:\n                leave(B)\n", ""),
}


def changed(form: str, name: str) -> str:
    """The form with one change; the form itself where there is no such place."""
    before, after = CHANGES[name]
    if form == "at the head":
        before, after = (
            item.replace("m <= i:", "m <= i or d:").replace("m < i:", "m < i or d:")
            for item in (before, after)
        )
    return FORMS[form].replace(before, after)


CASES = [(form, name) for form in FORMS for name in CHANGES if changed(form, name) != FORMS[form]]


@pytest.mark.parametrize(("form", "name"), CASES)
def test_what_is_no_lingering_loop(form: str, name: str) -> None:
    of = read(changed(form, name))
    for place in blocks(of.body):
        with pytest.raises(Rejected) as error:
            taken(of, Linger(place))
        assert error.value.why.code.id == "not-lingering"


AGAIN = """
    s = 0
    j = 0
    i = 0
    with block(A):
        while True:
            if 2 <= j:
                leave(A)
            d = False
            with block(B):
                while True:
                    if n <= i:
                        leave(B)
                    y = bernoulli(0.25)
                    if y:
                        s = s + x
                        d = True
                    i = i + 1
                    if d:
                        leave(B)
            j = j + 1
    return s, False
"""
"""The second time the loop goes on where it was left."""


def test_a_loop_that_begins_where_it_was_left() -> None:
    for text in (
        AGAIN,
        AGAIN.replace("            d = False\n", "            i = i\n            d = False\n"),
    ):
        of = read(text)
        for place in blocks(of.body):
            with pytest.raises(Rejected):
                taken(of, Linger(place))
    of = read(AGAIN.replace("            d = False\n", "            i = 0\n            d = False\n"))
    form, _ = taken(of, Linger(list(blocks(of.body))[1]))
    compared(of, form)


@pytest.mark.parametrize("place", [(9,), (), (0, 0), (4,), (-2,), (0,)])
def test_a_place_without_a_loop(place: tuple[int, ...]) -> None:
    with pytest.raises(Rejected):
        taken(read(AT_THE_END), Linger(place))


LEFT_OUT: dict[str, tuple[str, Callable[..., Any]]] = {
    "the counter is returned": ("mentions", lambda _: set()),
    "a branch reads the counter": ("mentions", lambda _: set()),
}


@pytest.mark.parametrize("name", LEFT_OUT)
@pytest.mark.parametrize("form", FORMS)
def test_a_condition_that_is_left_out(monkeypatch: pytest.MonkeyPatch, form: str, name: str) -> None:
    """Without it a step is taken that changes the law."""
    of = read(changed(form, name))
    monkeypatch.setattr(checked, *LEFT_OUT[name])
    after, _ = taken(of, Linger(next(blocks(of.body))))
    with pytest.raises(Differ):
        compared(of, after)


PROGRAMS = {
    "a return": """
for x in q:
    if bernoulli(1/4) and x > 0:
        return True
return False
""",
    "a break": """
found = 0
for x in q:
    if uniform_int(0, 2) < x:
        found = 1
        break
return found
""",
    "any": "return any(bernoulli(1/4 if x > 0 else 1/8) for x in q)",
    "a flag at the head": """
found = False
i = 0
while i < len(q) and not found:
    if bernoulli(1/4) and q[i] > 0:
        found = True
    i += 1
return found
""",
    "a flag around the draw": """
found = False
for x in q:
    if not found:
        if laplace(x, 1) > 1:
            found = True
return found
""",
    "twice": """
for x in q:
    if bernoulli(1/4) and x > 0:
        return 1
for x in q:
    if bernoulli(1/4) and x < 0:
        return 2
return 0
""",
    "a last round": """
last = 0
for x in q:
    last = x
    if bernoulli(1/4):
        break
return last
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_loops_that_are_left_go_on(name: str) -> None:
    body = "\n".join(f"    {row}" for row in PROGRAMS[name].strip("\n").split("\n"))
    of = mechanism(f'@mechanism(adjacent={{"q": linf_distance(1)}})\ndef f(q: list[int]):\n{body}\n')
    of = replace(of, body=renumber(of.body))
    found = lingering(of)
    assert found is not None
    after, _ = rewritten(of, found.steps)
    for q in ((), (1,), (0, 2), (-1, 1, 1)):
        values = {"q": q}
        assert str(compare(law(of, values), law(after, values))).startswith("the same")
    for loop in (item for item in ir.statements(after.body) if isinstance(item, ir.Loop)):
        exits = [item for item in ir.statements(loop.body) if isinstance(item, ir.Exit | ir.Return)]
        assert len(exits) == 1
