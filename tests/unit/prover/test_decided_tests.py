"""Sides of branches that a number chosen between constants rules out are not left."""

from __future__ import annotations

import pytest

from synth.prover.normal_form.recording import rewriting
from synth.trusted.core.writer import write_as_written
from tests.support.proving import from_text

PROGRAM = """
@mechanism(adjacent={{"x": discrete_distance()}}, requires="0 < p < 1")
def f(x: int, k: int, p: float):
    y = 1 if x > k else 0
    z = y
    if z == 1:
        return 1 if bernoulli(p) else 0
    elif {}:
        return 1 if bernoulli(p / 2) else 0
    else:
        return 77
"""


@pytest.mark.parametrize("test", ["z == 0", "z != 1", "z < 1", "0 == y", "z <= 0"])
def test_what_constants_rule_out_is_gone(test: str) -> None:
    assert "77" not in write_as_written(rewriting(from_text(PROGRAM.format(test))).program)


@pytest.mark.parametrize("test", ["z == 3", "k == 0", "z == 0 and k == 0", "x < k"])
def test_what_they_leave_open_is_kept(test: str) -> None:
    assert "77" in write_as_written(rewriting(from_text(PROGRAM.format(test))).program)


def test_a_number_that_is_assigned_anew_tells_nothing() -> None:
    text = PROGRAM.format("z == 0").replace("    z = y\n", "    z = y\n    if k > 3:\n        z = k\n")
    assert "77" in write_as_written(rewriting(from_text(text)).program)
