"""Whether equality lifts between two laws whose masses are exact: the flow in closed form.

Each value is related to itself only, so what can flow is the smaller one of μ1(a) and e^ε·μ2(a).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import TypeVar

from synth.liftings.flow import Answer, Interval, Lifting
from synth.trusted.core.exponential_numbers import Irrational, Number, enclosure

A = TypeVar("A", bound=Hashable)

_DIGITS = 40


def decide_equality(
    left: Mapping[A, Number], right: Mapping[A, Number], factor: Number, delta: Number
) -> Lifting[A, A]:
    """Whether the laws, over the same values, are related by the lifting of equality; ``factor`` is e^ε."""
    limits = {a: factor * mass for a, mass in right.items()}
    over = frozenset(a for a, mass in left.items() if mass > limits[a])
    missing = sum((left[a] - limits[a] for a in over), start=Fraction(0))
    if missing > delta:
        sides = sum((left[a] for a in over), start=Fraction(0)), sum((limits[a] for a in over), start=delta)
        return Lifting(
            Answer.NO, {}, {}, interval(missing).high, over, over, (interval(sides[0]), interval(sides[1]))
        )
    sent = {a: limits[a] if a in over else mass for a, mass in left.items()}
    some = [a for a, mass in sent.items() if mass != 0]
    left_witness, right_witness = ({(a, a): interval(of[a]) for a in some} for of in (sent, right))
    most = min(interval(missing).high, interval(delta).high)
    return Lifting(Answer.YES, left_witness, right_witness, most, frozenset(), frozenset())


def interval(number: Number) -> Interval:
    """The number, or where it isn't rational an enclosure."""
    if isinstance(number, Irrational):
        return Interval(*enclosure(number, _DIGITS))
    return Interval.exactly(Fraction(number))
