"""Which loops forget what they add up, and how tests and costs take account of it."""

from __future__ import annotations

import pytest

from synth.prover.testing.forgetting import reads_a_window, scales_a_sum, window_sizes
from synth.prover.testing.valuations import valuations
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir

HEAD = """
from synth.lang import change_one_distance, laplace, mechanism

@mechanism(adjacent={"x": change_one_distance(1)}, requires="eps > 0 and w > 0")
def f(x: list[float], y: list[float], w: int, eps: float) -> float:
    s = 0.0
    for i in range(len(x)):
"""
TAIL = """
    return laplace(s, 1 / eps)
"""
BODIES = {
    "adds up": ("        s += x[i]", False, False, set()),
    "half stays": ("        s = s / 2 + x[i]", True, False, set()),
    "what is added is scaled": ("        s = s + x[i] / 2", False, False, set()),
    "a window": ("        s += x[i] - (x[i - w] if i >= w else 0.0)", False, True, {"w"}),
    "neighbours": ("        s += x[i] - (x[i - 1] if i >= 1 else 0.0)", False, True, set()),
    "a window of a list that is the same": (
        "        s += x[i] - (y[i - w] if w <= i and i - w < len(y) else 0.0)",
        False,
        False,
        set(),
    ),
}


def _program(body: str) -> ir.Mechanism:
    return read_source(HEAD + body + TAIL, "f.py")[0]


@pytest.mark.parametrize("name", BODIES)
def test_what_forgets(name: str) -> None:
    body, scaled, window, sizes = BODIES[name]
    mechanism = _program(body)
    (loop,) = (item for item in ir.statements(mechanism.body) if isinstance(item, ir.Loop))
    assert scales_a_sum(loop) is scaled
    assert reads_a_window(mechanism, loop) is window
    assert window_sizes(mechanism) == sizes


def test_windows_are_half_as_long_as_long_inputs() -> None:
    first = valuations(_program(BODIES["a window"][0]))[0]
    assert first.scalars["w"] == first.length // 2
