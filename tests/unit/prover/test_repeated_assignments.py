"""What a variable holds already is assigned once; what has changed in between is kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from synth.prover.normal_form.recording import rewriting
from synth.prover.normal_form.repeated_assignments import once
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from synth.trusted.program.numbering import renumber

HEAD = (
    "from synth.lang import absolute_distance, laplace, mechanism\n\n\n"
    "@mechanism(adjacent={'x': absolute_distance(1)})\ndef f(x: float, n: int, c: bool):\n"
)

CASES = {
    "the same again": ("k = n\n    m = k + 1\n    k = n\n    return laplace(x, 2) + k + m", 2),
    "what it is made of has changed": (
        "j = n\n    k = j\n    j = 2\n    k = j\n    return laplace(x, 2) + k",
        4,
    ),
    "it has changed": ("k = n\n    k = 3\n    k = n\n    return laplace(x, 2) + k", 3),
    "it may have changed": (
        "k = n\n    if c:\n        k = 3\n    k = n\n    return laplace(x, 2) + k",
        3,
    ),
    "it is changed in a loop": (
        "k = n\n    for i in range(n):\n        k += 3\n    k = n\n    return laplace(x, 2) + k",
        None,
    ),
    "made of itself": ("k = n\n    k = k + 1\n    k = k + 1\n    return laplace(x, 2) + k", 3),
    "a draw": ("k = x\n    k = laplace(x, 2)\n    k = x\n    return laplace(k, 2)", 2),
}


@pytest.mark.parametrize("name", CASES)
def test_which_assignments_stay(name: str) -> None:
    body, count = CASES[name]
    (found,) = read_source(f"{HEAD}    {body}\n", "p.py")
    form = once(found)
    stay = [item for item in ir.statements(form.body) if isinstance(item, ir.Assign)]
    before = [item for item in ir.statements(found.body) if isinstance(item, ir.Assign)]
    assert len(stay) == (len(before) if count is None else count)


def test_the_step_is_accepted() -> None:
    (found,) = read_source(f"{HEAD}    {CASES['the same again'][0]}\n", "p.py")
    steps = rewriting(replace(found, body=renumber(found.body)))
    assert steps.steps
    assert len([item for item in ir.statements(steps.program.body) if isinstance(item, ir.Assign)]) == 2
