"""Sets of outputs against a δ: never worth more than all outputs together, and hardly ever less."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from synth.refuter.exact.distribution import COARSE
from synth.refuter.exact.events import Event, disjoint
from synth.refuter.exact.forms import Range
from synth.refuter.exact.inputs import Pair
from synth.refuter.exact.sets import joined
from synth.refuter.exact.work import Work
from synth.refuter.search.findings import excess, explore, largest, precise, sets
from synth.refuter.search.search import refute
from synth.refuter.witness import claim_at
from synth.trusted.frontend.claim import read_claim
from synth.trusted.program import syntax as ir
from tests.support.refuting import SAFE, end_after_rounds, mechanism, scalar
from tests.unit.refuter.test_distribution import enumerate_all, random_program

INTEGER = mechanism("@mechanism()\ndef f(x: int) -> int:\n    return laplace(x, 1)\n")
REAL = mechanism("@mechanism()\ndef f(x: float) -> float:\n    return laplace(x, 1)\n")
PAIRS = mechanism("@mechanism()\ndef f(x: int) -> list[int]:\n    return [x, laplace(x, 1)]\n")


@pytest.mark.parametrize(
    ("of", "events", "expected"),
    [
        (INTEGER, [scalar(1), scalar(2), scalar(4)], {scalar(Range(1, 3)), scalar(4)}),
        (INTEGER, [scalar(3), scalar(Range(4, math.inf))], {scalar(Range(3, math.inf))}),
        (INTEGER, [scalar(Range(-math.inf, 2)), scalar(2)], {scalar(Range(-math.inf, 3))}),
        (REAL, [scalar(Range(0, 1)), scalar(Range(1, 2)), scalar(3)], {scalar(Range(0, 2)), scalar(3)}),
        (REAL, [scalar(0), scalar(1)], {scalar(0), scalar(1)}),
        (
            PAIRS,
            [Event((), (((0,), (1,)),)), Event((), (((0,), (2,)),)), Event((), (((1,), (3,)),))],
            {Event((), (((0,), (Range(1, 3),)),)), Event((), (((1,), (3,)),))},
        ),
    ],
)
def test_neighbours_are_joined(of: ir.Mechanism, events: list[Event], expected: set[Event]) -> None:
    assert set(joined(of, events)) == expected


@pytest.mark.parametrize("seed", range(25))
def test_sets_against_enumeration(seed: int) -> None:
    rng = random.Random(7000 + seed)
    plain = mechanism(random_program(rng))
    inputs = ({"x": 0}, {"x": 1})
    one, two = (enumerate_all(plain, dict(item), 2) for item in inputs)
    factor = math.exp(0.5)
    best = [
        sum(max(0.0, left.get(event, 0.0) - factor * right.get(event, 0.0)) for event in left)
        for left, right in ((one, two), (two, one))
    ]
    if max(best) < 0.01:
        return
    of = replace(plain, epsilon=read_claim(plain, "0.5"), delta=read_claim(plain, repr(max(best) / 2)))
    pair = Pair(*inputs)
    claim = claim_at(of, pair.left)
    found = explore(of, pair, Work())
    chosen = largest([(claim, item) for item in sets(of, pair, found, [claim], Work())])
    assert chosen is not None and excess(chosen, claim) > 0
    events = chosen.events
    assert all(disjoint(first, other) for place, first in enumerate(events) for other in events[:place])
    exact = precise(of, chosen, COARSE, Work())
    gain = float((exact.left.low - claim.epsilon.exp() * exact.right.high).mid())
    towards = 0 if chosen.pair == pair else 1
    assert gain <= best[towards] + 1e-6
    assert gain > max(best) / 2


def test_an_atom_inside_of_a_range() -> None:
    # 0 is released alone by both runs, and as a number next to 0 by one.
    of = mechanism(
        '@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="1", delta="0.2")\n'
        "def f(x: float) -> float:\n"
        "    if x <= 0:\n        return 0.0\n"
        "    noisy = laplace(x, 0.25)\n"
        "    return noisy if noisy >= -0.5 else 0.0\n"
    )
    witness = refute(of, seconds=SAFE)
    assert witness is not None and witness.delta == pytest.approx(0.2)


def test_sets_of_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    of = mechanism(
        '@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps", delta="0.01")\n'
        "def f(q: list[int], eps: float) -> list[int]:\n"
        "    out = []\n    for x in q:\n        out.append(laplace(x, 1 / eps))\n    return out\n"
    )
    assert refute(of, seconds=SAFE) is not None
    enough = replace(of, epsilon=read_claim(of, "len(q)*eps"))
    end_after_rounds(monkeypatch, 8)
    assert refute(enough, seconds=SAFE) is None


def test_a_delta_just_below_what_is_lost_is_missed() -> None:
    of = mechanism(
        '@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="0", delta="0.5")\n'
        "def f(x: int) -> int:\n    return x\n"
    )
    assert refute(replace(of, delta=read_claim(of, "0.999")), seconds=SAFE) is not None
