"""What the search and the product ask of a program again and again is computed once."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from synth.prover.product.magnitudes import magnitudes
from synth.prover.prove import Proved, prove
from synth.prover.templates.loading import load_templates
from synth.prover.testing import instances
from synth.prover.testing.instances import Instances
from synth.prover.testing.valuations import valuations
from synth.trusted.program.dataflow import Analysis
from tests.support.proving import from_text

CLIPPED = """
@mechanism(adjacent={"x": l1_distance(1)}, requires="eps > 0 and hi > 0")
def products(x: list[float], hi: float, eps: float) -> float:
    total = 0.0
    for v in x:
        w = min(max(v, 0), hi)
        total = total + w * w / hi + w * v * v / (1 + w)
    return laplace(total, hi / eps)
"""

NOISY = """
@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 1")
def noisy(q: list[float], t: float, eps: float) -> bool:
    return laplace(q[0], 1 / eps) >= t + 7
"""


def counted(function: Callable[..., Any], calls: list[object]) -> Callable[..., Any]:
    """The function, which notes that it is called."""

    def noted(*arguments: Any) -> Any:
        calls.append(arguments)
        return function(*arguments)

    return noted


def test_what_is_private_is_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []
    analysis = Analysis(from_text(CLIPPED))
    monkeypatch.setattr(Analysis, "tainted", counted(Analysis.tainted, calls))
    assert magnitudes(analysis) and len(calls) == 1


def test_landmarks_are_found_once_for_public_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for each of the hundreds of runs on inputs that have these values."""
    calls: list[object] = []
    monkeypatch.setattr(instances, "landmarks", counted(instances.landmarks, calls))
    found = prove(from_text(NOISY), load_templates())
    assert isinstance(found, Proved) and str(found.epsilon) == "eps"
    assert 0 < len(calls) <= 2 * len(valuations(from_text(NOISY)))


def test_inputs_that_are_drawn_share_what_is_public_only() -> None:
    mechanism, chance = from_text(NOISY), random.Random(1)
    drawn = Instances.of(mechanism, valuations(mechanism)[0])
    first, second = drawn.drawn(chance), drawn.drawn(chance)
    assert first is not None and second is not None
    assert first.families["q"] is not second.families["q"]
    assert not {id(item) for item in first.scalars} & {id(item) for item in second.scalars}
    chance = random.Random(1)
    again = Instances.of(mechanism, valuations(mechanism)[0]).drawn(chance)
    assert again is not None and again.scalars == first.scalars
