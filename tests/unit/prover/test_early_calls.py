"""Public functions that scales are made of: where they are called, and that cuts lie behind the calls."""

from __future__ import annotations

from textwrap import indent

import pytest

from synth.prover.normal_form.early_calls import called_early
from synth.prover.search.cuts import cuts
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from synth.trusted.steps.equivalence import check_equivalent

HEAD = """from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1), "near": linf_distance(1)}, requires="eps > 0")
def f(
    x: int, bound: Callable[[int], int], near: Callable[[int], int], eps: float
) -> tuple[int, int]:
"""
IN_A_BRANCH = """n = laplace(x, 1 / eps)
if n > 3:
    top = max(bound(n), 1)
    return n, laplace(x, top / eps)
return n, 0
"""
BEHIND_A_RETURN = """n = laplace(x, 1 / eps)
if n <= 3:
    return n, 0
top = max(bound(n), 1)
return n, laplace(x, top / eps)
"""


def read(body: str) -> ir.Mechanism:
    (mechanism,) = read_source(HEAD + indent(body, "    "), "f.py")
    return mechanism


def place_of_call(mechanism: ir.Mechanism) -> int | None:
    """Where the program's own statements have the call, if one of them has it."""
    found = [
        place
        for place, item in enumerate(mechanism.body)
        if isinstance(item, ir.Assign) and item.target == "top"
    ]
    return found[0] if found else None


@pytest.mark.parametrize("body", [IN_A_BRANCH, BEHIND_A_RETURN])
def test_a_call_stands_behind_what_it_asks_for(body: str) -> None:
    mechanism = read(body)
    early = called_early(mechanism)
    place = place_of_call(early)
    assert place is not None
    drawn = next(at for at, item in enumerate(early.body) if isinstance(item, ir.Draw))
    behind = next(at for at, item in enumerate(early.body) if isinstance(item, ir.If))
    assert drawn < place < behind
    check_equivalent(early, mechanism)
    assert place + 1 in cuts(early)[-1]


@pytest.mark.parametrize(
    "body",
    [
        IN_A_BRANCH.replace("bound(n)", "near(n)"),
        IN_A_BRANCH.replace("    top =", "    n = n + 1\n    top ="),
        IN_A_BRANCH.replace("    return n, laplace", "    top = top + n\n    return n, laplace"),
        IN_A_BRANCH.replace("top = max(bound(n), 1)", "top = bound(n) // n"),
        IN_A_BRANCH.replace("top / eps", "1 / eps"),
    ],
    ids=["private", "changed before", "changed behind", "may have no value", "no scale"],
)
def test_other_calls_stay(body: str) -> None:
    mechanism = read(body)
    assert called_early(mechanism) == mechanism
