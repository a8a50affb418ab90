"""Whether equality lifts between two laws whose masses are exact: the flow in closed form.

Each value is related to itself only, so what can flow is the smaller one of μ1(a) and e^ε·μ2(a).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import reduce
from typing import TypeVar

import flint

from synth.liftings.exponential_sums import Exact
from synth.liftings.flow import PRECISIONS, Answer, Interval, Lifting, enclosed

A = TypeVar("A", bound=Hashable)

_NOTHING = Exact.number(0)


def decide_equality(
    left: Mapping[A, Exact], right: Mapping[A, Exact], factor: Exact, delta: Exact
) -> Lifting[A, A]:
    """Whether the laws, over the same values, are related by the lifting of equality; ``factor`` is e^ε."""
    limits = {a: factor * mass for a, mass in right.items()}
    over = frozenset(a for a, mass in left.items() if (mass - limits[a]).sign > 0)
    missing = _total(left[a] - limits[a] for a in over)
    if (missing - delta).sign > 0:
        sides = _total(left[a] for a in over), _total(limits[a] for a in over) + delta
        return Lifting(
            Answer.NO, {}, {}, interval(missing).high, over, over, (interval(sides[0]), interval(sides[1]))
        )
    sent = {a: limits[a] if a in over else mass for a, mass in left.items()}
    some = [a for a, mass in sent.items() if mass.sign]
    left_witness, right_witness = ({(a, a): interval(of[a]) for a in some} for of in (sent, right))
    most = min(interval(missing).high, interval(delta).high)
    return Lifting(Answer.YES, left_witness, right_witness, most, frozenset(), frozenset())


def _total(numbers: Iterable[Exact]) -> Exact:
    return reduce(Exact.__add__, numbers, _NOTHING)


def interval(number: Exact) -> Interval:
    """The number, or where it isn't rational an enclosure."""
    known = number.rational
    if known is not None:
        return Interval.exactly(known)
    with flint.ctx.workprec(PRECISIONS[0]):
        return enclosed(number.ball())
