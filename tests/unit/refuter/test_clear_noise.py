"""Witnesses at a very large ε, where queries are compared with several noisy numbers."""

from __future__ import annotations

from synth.refuter.exact.work import Work
from synth.refuter.search.clear_noise import violation
from synth.refuter.witness import claims_at, violates
from synth.trusted.program import syntax as ir
from tests.support.proving import from_text

HEAD = """
from synth.lang import *

@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="2*eps")
def f(q: list[float], eps: float) -> list[int]:
    low = laplace(0.0, 4 / eps)
    high = laplace(1.0, 4 / eps)
    out = []
"""

ABOVE_OR_BELOW = """
    above = False
    for v in q:
        x = laplace(v, 4 / eps)
        if above and x < high:
            break
        if x >= high:
            if low > x:
                break
            above = True
        out.append(int(above))
    return out
"""
"""The upper end is above some queries, and below others."""

ONCE = """
    for v in q:
        x = laplace(v, 8 / eps)
        if x < low:
            out.append(0)
            break
        out.append(1)
    return out
"""
"""Only the query that is below pays, and the lower end."""


def _program(body: str) -> ir.Mechanism:
    return from_text(HEAD + body)


def test_what_leaks_through_a_shared_end_is_shown() -> None:
    program = _program(ABOVE_OR_BELOW)
    found = violation(program, {}, Work(most=600_000))
    assert found is not None
    assert violates(claims_at(program, found.pair.left)[0], found.left, found.right)


def test_where_few_queries_pay_there_is_none() -> None:
    assert violation(_program(ONCE), {}, Work(most=600_000)) is None


def test_one_shared_number_is_left_to_the_usual_search() -> None:
    single = HEAD.replace("    low = laplace(0.0, 4 / eps)\n", "    low = 0.0\n")
    work = Work()
    assert violation(from_text(single + ABOVE_OR_BELOW), {}, work) is None
    assert work.steps == 0
