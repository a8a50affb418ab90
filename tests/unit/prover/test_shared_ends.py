"""What both sides of a branch in a loop assign last is assigned behind it, and what can't wait stays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from synth.prover.normal_form.shared_ends import shared
from synth.prover.normal_form.structured_exits import normalize
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from synth.trusted.program.numbering import renumber
from synth.trusted.steps.equivalence import check_equivalent

HEAD = (
    "from synth.lang import linf_distance, laplace, mechanism\n\n\n"
    "@mechanism(adjacent={'q': linf_distance(1)})\n"
    "def f(q: list[int], n: int, c: bool):\n    i, s = 0, 0\n    while i < n:\n"
)

CASES = {
    "before a continue": ("if c:\n i += 1\n continue\ns += n\ni += 1", 1),
    "before something else": ("if c:\n i += 1\n s += n\n continue\ns += 1\ni += 1", 1),
    "three ways": ("if c:\n i += 1\n continue\nif n > 3:\n i += 1\n continue\ns += n\ni += 1", 1),
    "one way leaves": ("if c:\n break\nelse:\n i += 1", 1),
    "one way leaves behind it": ("if c:\n i += 1\n continue\ni += 1\nif s > n:\n break", 2),
    "it is read behind": ("if c:\n i += 1\n s += i\n continue\ns += n\ni += 1", 2),
    "what it is made of changes": ("if c:\n i += s\n s += 1\n continue\ns += n\ni += s", 2),
    "another amount": ("if c:\n i += 2\n continue\ns += n\ni += 1", 2),
    "only one way assigns": ("if c:\n i += 1\n continue\ns += n\nq[0]", 1),
}


@pytest.mark.parametrize("name", CASES)
def test_how_often_the_counter_is_raised(name: str) -> None:
    lines = CASES[name][0].replace("\n ", "\n    ").replace("\n", "\n        ")
    (found,) = read_source(f"{HEAD}        {lines}\n    return s\n", "p.py")
    before = normalize(found)
    form = shared(before)
    loop = next(item for item in ir.statements(form.body) if isinstance(item, ir.Loop))
    raised = [item for item in ir.statements(loop.body) if isinstance(item, ir.Assign) and item.target == "i"]
    assert len(raised) == CASES[name][1]
    check_equivalent(*(replace(item, body=renumber(item.body)) for item in (before, form)))
