"""The lifting as a flow, against its definition on all sets and a closed form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.liftings.flow import Answer, decide, exponential


def holds_on_all_sets(
    mu1: Mapping[int, Fraction],
    mu2: Mapping[int, Fraction],
    relation: Callable[[int, int], bool],
    factor: Fraction,
    delta: Fraction,
) -> bool:
    sets = chain.from_iterable(combinations(mu1, size) for size in range(len(mu1) + 1))
    return all(
        sum(mu1[a] for a in chosen)
        <= factor * sum(mass for b, mass in mu2.items() if any(relation(a, b) for a in chosen)) + delta
        for chosen in sets
    )


MASSES = st.lists(st.fractions(0, 1, max_denominator=6), min_size=1, max_size=4).map(
    lambda items: dict(enumerate(items))
)


@settings(max_examples=150, deadline=None)
@given(
    MASSES,
    MASSES,
    st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3))),
    st.fractions(0, 1, max_denominator=5),
)
def test_agrees_with_the_condition_on_all_sets(
    mu1: dict[int, Fraction], mu2: dict[int, Fraction], pairs: set[tuple[int, int]], delta: Fraction
) -> None:
    found = decide(mu1, mu2, lambda a, b: (a, b) in pairs, 0, delta)
    expected = holds_on_all_sets(mu1, mu2, lambda a, b: (a, b) in pairs, Fraction(1), delta)
    assert found.answer is (Answer.YES if expected else Answer.NO)


@settings(max_examples=60, deadline=None)
@given(
    MASSES,
    MASSES,
    st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3))),
    st.fractions(0, 2, max_denominator=4),
)
def test_the_evidence_holds(
    mu1: dict[int, Fraction], mu2: dict[int, Fraction], pairs: set[tuple[int, int]], epsilon: Fraction
) -> None:
    delta = Fraction(1, 4)
    found = decide(mu1, mu2, lambda a, b: (a, b) in pairs, epsilon, delta)
    assert found.answer is not Answer.UNDECIDED
    low, high = exponential(epsilon)
    if found.answer is Answer.NO:
        image = {b for a, b in pairs if a in found.violated}
        assert sum(mu1[a] for a in found.violated) > high * sum(mu2.get(b, 0) for b in image) + delta
        assert found.sides is not None and found.sides[0].low > found.sides[1].high
    else:
        assert found.left.keys() <= pairs
        left = {pair: mass.high for pair, mass in found.left.items()}
        right = {pair: mass.low for pair, mass in found.right.items()}
        assert all(mass <= low * right[pair] for pair, mass in left.items())
        assert all(sum(m for (x, _), m in left.items() if x == a) <= mu1[a] for a in mu1)
        assert all(sum(m for (_, y), m in right.items() if y == b) <= mu2[b] for b in mu2)
        assert sum(mu1.values()) - sum(left.values()) == found.missing <= delta


def test_equality_needs_the_whole_privacy_loss() -> None:
    """Randomized response with odds 3: equality of the answers costs ln 3 = 1.0986."""
    yes, no = {0: Fraction(3, 4), 1: Fraction(1, 4)}, {0: Fraction(1, 4), 1: Fraction(3, 4)}
    assert decide(yes, no, lambda a, b: a == b, Fraction(11, 10)).answer is Answer.YES
    found = decide(yes, no, lambda a, b: a == b, 1)
    assert found.answer is Answer.NO and found.violated == {0}


def test_negative_masses_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 0"):
        decide({0: Fraction(-1)}, {0: Fraction(1)}, lambda a, b: True, 0)
