"""The small parameters that programs are tested with, where ``requires`` limits the lengths."""

from __future__ import annotations

import pytest

from synth.prover.normal_form.pipeline import canonical
from synth.prover.testing.valuations import valuations
from tests.support.proving import from_text

PROGRAM = """@mechanism(adjacent={{"q": linf_distance(1)}}, requires="eps > 0 and {requires}")
def f(q: list[int], n: int, eps: float) -> int:
    return laplace(n, 1/eps)
"""


def _found(requires: str) -> list[tuple[int, int]]:
    """The length, and n."""
    of = canonical(from_text(PROGRAM.format(requires=requires)))
    return [(item.length, int(item.scalars["n"])) for item in valuations(of)]


@pytest.mark.parametrize("requires", ["len(q) == 2", "2 == len(q)", "0 < n and len(q) == 2"])
def test_a_stated_length(requires: str) -> None:
    assert {length for length, _ in _found(requires)} == {2}


def test_a_length_that_a_parameter_gives() -> None:
    """All the usual lengths, long ones too."""
    found = _found("n == len(q)")
    assert found[0] == (24, 24)
    assert all(length == n for length, n in found)
    assert len(found) == 6


@pytest.mark.parametrize(("requires", "most"), [("len(q) <= 5", 5), ("n < len(q) and len(q) < 4", 3)])
def test_a_limit(requires: str, most: int) -> None:
    """The longest comes first: costs are compared there."""
    lengths = [length for length, _ in _found(requires)]
    assert lengths[0] == most == max(lengths)


def test_without_a_limit() -> None:
    assert [length for length, _ in _found("len(q) >= 1")] == [24, 2, 10, 1, 10, 3]


def test_there_may_be_none() -> None:
    assert _found("len(q) == 2 and len(q) == 3") == []


def test_a_large_number() -> None:
    """Where no small ones are allowed."""
    found = _found("n >= 700")
    assert len(found) == 6
    assert all(n >= 700 for _, n in found)
