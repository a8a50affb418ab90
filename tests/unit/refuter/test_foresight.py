"""Branches that can't give an event are dropped, and no others; released draws are cut at its ranges."""

from __future__ import annotations

import math

import pytest

from synth.refuter.exact.distribution import LOOSE, ROUGH, probability
from synth.refuter.exact.events import Event
from synth.refuter.exact.forms import Range
from synth.refuter.exact.work import Work
from synth.refuter.search.search import refute
from synth.refuter.witness import document_of
from synth.trusted.witness.check import VALID, check_witness
from tests.support.refuting import SAFE, assert_close, chance, from_suite, listed, mechanism

HEAD = "@mechanism()\ndef f(x: float, s: float) -> list[int]:\n    out = []\n    y = laplace(x, s)\n"


def above(place: float) -> float:
    """Laplace noise of scale 1."""
    return math.exp(-place) / 2 if place > 0 else 1 - math.exp(place) / 2


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [((5,), above(3)), ((1, 5), above(0) - above(3)), ((0, 5), 1 - above(0)), ((2, 5), 0.0)],
)
def test_a_branch_may_be_left_before_its_entry(wanted: tuple[int, ...], expected: float) -> None:
    program = mechanism(
        f"{HEAD}    for i in range(1):\n        if y >= 0:\n            if y > 3:\n                break\n"
        "            out.append(1)\n        else:\n            out.append(0)\n"
        "    out.append(5)\n    return out\n"
    )
    assert_close(chance(program, listed(*wanted), x=0, s=1), expected)


@pytest.mark.parametrize(("wanted", "expected"), [((), above(3)), ((1,), above(0) - above(3)), ((0,), 0.5)])
def test_a_branch_may_return_before_its_entry(wanted: tuple[int, ...], expected: float) -> None:
    program = mechanism(
        f"{HEAD}    if y >= 0:\n        if y > 3:\n            return out\n        out.append(1)\n"
        "    else:\n        out.append(0)\n    return out\n"
    )
    assert_close(chance(program, listed(*wanted), x=0, s=1), expected)


@pytest.mark.parametrize(("wanted", "expected"), [((7,), above(1)), ((-2, 7), 1 - above(1)), ((7, 7), 0.0)])
def test_a_loop_may_append_nothing(wanted: tuple[int, ...], expected: float) -> None:
    program = mechanism(
        f"{HEAD}    if y >= -9 or y < 0:\n        for i in range(1):\n            if y < 1:\n"
        "                out.append(-2)\n        out.append(7)\n    return out\n"
    )
    assert_close(chance(program, listed(*wanted), x=0, s=1), expected)


INSIDE = """
@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="2*eps")
def f(q: list[float], eps: float) -> list[float]:
    ends = (laplace(0.0, 4 / eps), laplace(1.0, 4 / eps))
    shown = []
    for i in range(len(q)):
        noisy = q[i] + laplace(0.0, 4 / eps)
        if noisy < ends[0] or noisy >= ends[1]:
            return shown
        shown.append(noisy)
    return shown
"""

WITH_FLAGS = """
@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="2*eps")
def f(q: list[float], eps: float) -> list[tuple[bool, float]]:
    low = laplace(0.0, 4 / eps)
    high = laplace(1.0, 4 / eps)
    out = []
    for v in q:
        x = laplace(v, 4 / eps)
        if low <= x and x < high:
            out.append((True, x))
        else:
            out.append((False, 0.0))
            break
    return out
"""


def test_released_values_between_two_noisy_ends_take_few_steps() -> None:
    """Noise that is known to lie in a range is compared with noisy ends by three cells of each."""
    program, work = mechanism(INSIDE), Work()
    event = Event((), (((Range(-1, 0),),) * 10,))
    inputs = ({"q": (value,) * 10, "eps": 8} for value in (0, 1))
    left, right = (probability(program, item, event, LOOSE, work) for item in inputs)
    assert left.floats()[0] > math.exp(16) * right.floats()[1]
    assert work.steps < 120_000


def test_cuts_change_no_probability() -> None:
    program = mechanism(INSIDE)
    event = Event((), (((Range(-1, 1),),),))
    loose, rough = (
        probability(program, {"q": (0,), "eps": 4}, event, grid).floats() for grid in (LOOSE, ROUGH)
    )
    inside = (
        sum(  # of the middles of small cells: the chance that the first end is below, and the second above
            math.exp(-abs(y)) / 2 * (1 - above(y)) * above(y - 1) / 1000
            for y in (k / 1000 - 0.9995 for k in range(2000))
        )
    )
    for low, high in (loose, rough):
        assert low <= inside <= high
    assert rough[1] - rough[0] < loose[1] - loose[0]


@pytest.mark.slow
@pytest.mark.parametrize("text", [INSIDE, WITH_FLAGS])
def test_a_disclosing_cycle_is_refuted_however_it_is_written(text: str) -> None:
    assert refute(mechanism(text), seconds=SAFE, steps=3_000_000) is not None


@pytest.mark.slow
def test_the_disclosing_cycle_of_the_public_suite_is_refuted() -> None:
    program = from_suite("benchmarks/public/dipaut.py", "disclosing_cycle")
    found = refute(program, seconds=SAFE, steps=1_200_000)
    assert found is not None
    assert check_witness(document_of(program, found), seconds=SAFE).verdict == VALID
