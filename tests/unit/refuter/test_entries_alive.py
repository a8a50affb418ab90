"""Noise that waits in a list: entries that no run reads any more are forgotten, and no others."""

from __future__ import annotations

import math

import pytest
from flint import arb

from synth.refuter.exact.distribution import ROUGH, probability
from synth.refuter.exact.entries_alive import Alive, Indices, ahead_of
from synth.refuter.exact.states import State
from synth.refuter.exact.work import Work
from synth.refuter.search.search import refute
from synth.refuter.witness import document_of
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis
from synth.trusted.witness.check import VALID, check_witness
from tests.support.refuting import SAFE, assert_close, from_suite, mechanism, scalar

LISTED = """
@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps")
def release(q: list[int], eps: float) -> tuple[int, int]:
    noisy = [laplace(v, 2 / eps) for v in q]
    best = 0
    for i in range(1, len(noisy)):
        if noisy[i] > noisy[best]:
            best = i
    return best, noisy[best]
"""

AT_ONCE = """
@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps")
def release(q: list[int], eps: float) -> tuple[int, int]:
    best = 0
    top = laplace(q[0], 2 / eps)
    for i in range(1, len(q)):
        y = laplace(q[i], 2 / eps)
        if y > top:
            best = i
            top = y
    return best, top
"""

READ_AGAIN = """
@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps")
def release(q: list[int], eps: float) -> int:
    noisy = [laplace(v, 2 / eps) for v in q]
    best = 0
    for i in range(1, len(noisy)):
        if noisy[i] > noisy[best]:
            best = i
    above = 0
    for i in range(len(noisy)):
        if noisy[i] >= 0:
            above = above + 1
    return above
"""

BACKWARD = """
@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps")
def release(q: list[int], eps: float) -> int:
    noisy = [laplace(v, 2 / eps) for v in q]
    i = len(noisy) - 1
    above = 0
    while i >= 0:
        if noisy[i] >= 0:
            above = above + 1
        i = i - 1
    return above
"""

ENTRIES = (0, 1, 2)
INPUTS = {"eps": 1, "q": ENTRIES}


def test_a_list_of_noise_takes_no_more_steps_than_a_running_maximum() -> None:
    steps = []
    for text in (LISTED, AT_ONCE):
        work = Work()
        probability(mechanism(text), INPUTS, scalar(1, 0), ROUGH, work)
        steps.append(work.steps)
    assert steps[0] < 3 * steps[1]


def test_probabilities_are_those_of_the_running_maximum() -> None:
    for event in (scalar(0, 0), scalar(1, -2), scalar(2, 3)):
        listed, at_once = (probability(mechanism(text), INPUTS, event, ROUGH) for text in (LISTED, AT_ONCE))
        assert_close(listed, at_once.middle(), 1e-6)


@pytest.mark.parametrize("text", [READ_AGAIN, BACKWARD])
def test_what_is_read_once_more_is_kept(text: str) -> None:
    decay = math.exp(-1 / 2)
    expected = math.prod(1 - decay ** (value + 1) / (1 + decay) for value in ENTRIES)
    assert_close(probability(mechanism(text), INPUTS, scalar(3)), expected)


def test_only_entries_that_may_be_read_are_kept() -> None:
    program = mechanism(LISTED)
    loop = [item for item in ir.statements(program.body) if isinstance(item, ir.Loop)][-1]
    ahead, live = ahead_of(program.body)[id(loop)], Analysis(program).live_at_merges[id(loop)]
    alive = Alive(ahead, {"noisy"}, live)
    entries = tuple((number,) for number in range(5))
    state = State(0, dict.fromkeys(alive.names, 1) | {"best": 3}, arb(1), {"noisy": entries})
    alive.forget([state])
    assert state.lists["noisy"] == ((), (), (2,), (3,), (4,))


def test_indices_are_sets() -> None:
    some = Indices(frozenset({1, 4})).joined(Indices(first=3))
    assert [item in some for item in range(6)] == [False, True, False, True, True, True]
    assert [item in some.moved(-1) for item in range(4)] == [True, False, True, True]


@pytest.mark.slow
def test_the_largest_of_a_list_is_refuted() -> None:
    program = from_suite("benchmarks/public/dp_sniper.py", "report_noisy_max_3")
    witness = refute(program, seconds=SAFE)
    assert witness is not None
    assert check_witness(document_of(program, witness), seconds=SAFE).verdict == VALID


WEIGHED = """
@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def release(score: list[float], eps: float) -> int:
    weights = [exp(eps * s) for s in score]
    return choice(len(weights), lambda r: log(weights[r]))
"""


def test_weights_in_a_list_are_read_when_an_index_is_drawn() -> None:
    found = probability(mechanism(WEIGHED), {"score": (0, 1), "eps": 1}, scalar(1), ROUGH)
    assert_close(found, math.e / (1 + math.e))
