"""Runs that can't give an event any more end early, and no others do."""

from __future__ import annotations

import pytest
from flint import arb

from synth.refuter.exact.distribution import machine
from synth.refuter.exact.laws import Grid
from synth.refuter.exact.matching import Matching
from synth.refuter.exact.states import State
from synth.refuter.exact.work import Work
from tests.support.refuting import chance, mechanism, scalar

KEPT = """@mechanism()
def first(q: list[int], s: float) -> int:
    result = len(q)
    for i in range(len(q)):
        noisy = laplace(q[i], s)
        if noisy > 0 and result == len(q):
            result = i
    return result
"""
FLAGGED = """@mechanism()
def first(q: list[int], s: float) -> int:
    result = 3
    found = False
    for i in range(len(q)):
        noisy = laplace(q[i], s)
        if not found and noisy > 0:
            result = i
            found = True
    return result
"""
RESET = """@mechanism()
def first(q: list[int], s: float) -> int:
    result = 3
    found = False
    for i in range(len(q)):
        noisy = laplace(q[i], s)
        if not found and noisy > 0:
            result = i
            found = True
        elif noisy > 2:
            found = False
    return result
"""
BEHIND = """@mechanism()
def first(q: list[int], s: float) -> int:
    result = len(q)
    for i in range(len(q)):
        noisy = laplace(q[i], s)
        if noisy > 0 and result == len(q):
            result = i
    if laplace(0, s) > 1:
        result = 1
    return result
"""


@pytest.mark.parametrize("text", (KEPT, FLAGGED, RESET, BEHIND))
def test_no_run_is_lost(text: str) -> None:
    """The chances of all outputs are 1 together, also where a value that seems decided changes again."""
    program = mechanism(text)
    total = sum(chance(program, scalar(value), q=(0, 1, -1), s=2).middle() for value in range(4))
    assert total == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "decided"), ((KEPT, True), (FLAGGED, True), (RESET, False), (BEHIND, False))
)
def test_what_is_decided(text: str, decided: bool) -> None:
    """A state that found its entry is dropped where nothing changes that any more, and nowhere else."""
    program = mechanism(text)
    matching = Matching(program, scalar(2))
    engine = machine(program, ({"q": (0, 1, -1), "s": 2},), matching, Grid(8, 2, 1e-6), Work())
    state = State(0, {"s": 2, "result": 0, "found": True}, arb(1))
    assert (matching.prune(engine, [state]) == []) is decided
