"""Where programs are cut so that one round of a loop says all."""

from __future__ import annotations

from synth.prover.search.retries import ways_with_rounds
from synth.trusted.frontend.reader import read_source

DIFFERENT_LISTS = """from synth.lang import *

@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0")
def f(q: list[int], eps: float):
    a = [laplace(v, 1 / eps) for v in q]
    b = []
    if laplace(0, 1 / eps) > 0:
        return b
    return a
"""


def test_a_program_that_has_no_parts_is_not_cut() -> None:
    (mechanism,) = read_source(DIFFERENT_LISTS, "f.py")
    assert list(ways_with_rounds(mechanism)) == []
