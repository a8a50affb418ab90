"""An entry that both sides of a branch with draws look up in one list is looked up behind it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from synth.prover.normal_form.looked_up_behind import looked_up_behind
from synth.prover.normal_form.pipeline import rewritten
from synth.prover.normal_form.structured_exits import normalize
from synth.trusted.frontend.reader import read_source
from synth.trusted.program.numbering import renumber
from synth.trusted.steps.equivalence import check_equivalent

HEAD = (
    "from synth.lang import bernoulli, discrete_distance, mechanism, uniform_int\n\n\n"
    "@mechanism(adjacent={'x': discrete_distance()}, requires='0 <= x < 3')\n"
    "def f(x: int, n: int, c: bool):\n    a = [7, 5, 9, 11, 2]\n    b = [n, 5, 9, 11, 2]\n"
)
COIN = "if bernoulli(0.3):\n        return a[x]\n    "
CASES = {
    "one list": (f"{COIN}return a[2 - uniform_int(0, 2)]", True),
    "of three ways": (
        f"{COIN}if c:\n        return a[2 - uniform_int(0, 2)]\n    return a[2 - uniform_int(0, 1)]",
        True,
    ),
    "two lists": (f"{COIN}return b[2 - uniform_int(0, 2)]", False),
    "the list changes": (f"{COIN}a = [n, n, n, 4, 3]\n    return a[2 - uniform_int(0, 2)]", False),
    "no draw": ("if c:\n        return a[x]\n    return a[0]", False),
}


@pytest.mark.parametrize("name", CASES)
def test_where_it_is_looked_up(name: str) -> None:
    body, changes = CASES[name]
    (found,) = read_source(f"{HEAD}    {body}\n", "p.py")
    found = replace(found, body=renumber(found.body))
    plain = rewritten(normalize(found))
    form = looked_up_behind(plain)
    assert (form.body != plain.body) == changes
    if changes:
        check_equivalent(found, form)
