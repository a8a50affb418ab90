"""Noise of which private data decide the size is no proof, and is refuted."""

from __future__ import annotations

import pytest

from synth.prover.prove import Proved, prove
from synth.prover.templates.loading import load_templates
from synth.refuter.search.search import refute
from tests.support.refuting import SAFE, mechanism

HEAD = """import numpy as np

@mechanism(adjacent={"xs": change_one_distance()}, requires="len(xs) >= 1 and eps > 0", epsilon="eps")
def f(xs: list[float], eps: float):
"""

BODIES = {
    "the range of the data": "return np.mean(xs) + np.random.laplace(0, (max(xs) - min(xs)) / len(xs) / eps)",
    "a size that a test chooses": "return np.random.laplace(0, (2 if xs[0] > 0 else 3) / eps)",
    "a factor": "return (1 + abs(xs[0])) * np.random.laplace(0, 1 / eps)",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_private_scale(body: str) -> None:
    found = mechanism(f"{HEAD}    {body}\n")
    assert not isinstance(prove(found, load_templates()), Proved)
    assert refute(found, seconds=SAFE) is not None
