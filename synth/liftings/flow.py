"""Whether two finite distributions are related by an (ε, δ)-lifting, decided by a maximum flow.

The lifting of a relation R exists iff for every set X of left values
μ1(X) ≤ e^ε·μ2(R(X)) + δ.  That is a cut condition: source → a with capacity μ1(a), a → b for a R b
without limit, b → sink with capacity e^ε·μ2(b); the lifting exists iff the maximum flow reaches
μ1(A) − δ (Barthe, Köpf, Olmedo & Zanella Béguelin 2012, section 7, in the two-witness form of
Barthe et al. 2016, Def. 7, with the mass that δ pays for left over).

e^ε, and the masses where they are irrational, are enclosed by rationals; the answer is exact or "undecided".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import reduce
from math import lcm
from typing import Generic, Literal, NamedTuple, TypeVar

import flint
import networkx

A = TypeVar("A", bound=Hashable)
B = TypeVar("B", bound=Hashable)

Rational = Fraction | int

PRECISIONS = (128, 1024, 8192, 65536)
"""Bits to which e^ε is enclosed, one after the other while the answer is undecided."""

MAX_EPSILON = 10_000
"""The largest ε, in nats: e^ε has some thousand digits then."""


class Interval(NamedTuple):
    """A number of at least 0 that is known to lie in [low, high]."""

    low: Fraction
    high: Fraction

    @staticmethod
    def exactly(number: Rational) -> Interval:
        """A number that is known."""
        return Interval(Fraction(number), Fraction(number))

    def times(self, other: Interval) -> Interval:
        """The product."""
        return Interval(self.low * other.low, self.high * other.high)

    def plus(self, other: Interval) -> Interval:
        """The sum."""
        return Interval(self.low + other.low, self.high + other.high)


def total(items: Iterable[Interval]) -> Interval:
    """The sum of numbers."""
    return reduce(Interval.plus, items, Interval.exactly(0))


class Answer(Enum):
    """Whether the lifting exists; ``UNDECIDED`` where the enclosures are too wide to tell."""

    YES = "yes"
    NO = "no"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Lifting(Generic[A, B]):
    """The answer, with its evidence.

    For ``YES`` the witnesses: ``left`` and ``right`` are sub-distributions on related pairs with
    marginals at most μ1 and μ2, left ≤ e^ε·right pointwise, and all of μ1 but a mass of at most
    ``missing`` ≤ δ in ``left``.  Where masses are known as intervals only, so are those of the witnesses.
    For ``NO`` the minimum cut: ``violated`` is a set X of left values with μ1(X) > e^ε·μ2(R(X)) + δ,
    ``image`` is R(X), and ``sides`` are the two sides of that.  For ``UNDECIDED`` the lifting exists with
    ``missing`` in the place of δ.
    """

    answer: Answer
    left: Mapping[tuple[A, B], Interval]
    right: Mapping[tuple[A, B], Interval]
    missing: Fraction
    violated: frozenset[A]
    image: frozenset[B]
    sides: tuple[Interval, Interval] | None = None


def decide(
    mu1: Mapping[A, Rational],
    mu2: Mapping[B, Rational],
    relation: Callable[[A, B], bool],
    epsilon: Rational,
    delta: Rational = 0,
) -> Lifting[A, B]:
    """Whether mu1 and mu2 are related by the (epsilon, delta)-lifting of a relation; epsilon in nats.

    The masses are exact rationals, at least 0.  Raises ValueError for negative masses, ε or δ.
    """
    if min([*mu1.values(), *mu2.values(), epsilon, delta], default=0) < 0:
        raise ValueError("masses, epsilon and delta must be at least 0")
    pairs = [(a, b) for a in mu1 for b in mu2 if relation(a, b)]
    left = {a: Interval.exactly(mass) for a, mass in mu1.items()}
    right = {b: Interval.exactly(mass) for b, mass in mu2.items()}
    return decide_enclosed(
        left, right, pairs, lambda bits: exponential(Fraction(epsilon), bits), Interval.exactly(delta)
    )


def decide_enclosed(
    mu1: Mapping[A, Interval],
    mu2: Mapping[B, Interval],
    pairs: Collection[tuple[A, B]],
    factor: Callable[[int], Interval],
    delta: Interval,
) -> Lifting[A, B]:
    """Whether distributions with masses in these intervals are related by the lifting of a relation.

    ``pairs`` is the relation; ``factor`` encloses e^ε with so many bits.  With rational masses and δ, and
    a rational ε, some precision decides: e^ε is transcendental for ε ≠ 0 (Lindemann 1882).
    """
    found: Lifting[A, B] | None = None
    enclosure = None
    for bits in PRECISIONS:
        finer = factor(bits)
        if found is None or finer != enclosure:
            enclosure = finer
            found = _decided(mu1, mu2, pairs, enclosure, delta)
        if found.answer is not Answer.UNDECIDED:
            break
    assert found is not None
    return found


def exponential(epsilon: Fraction, bits: int = PRECISIONS[0]) -> Interval:
    """An enclosure of e^ε, with so many bits; exact for ε = 0.  Raises ValueError if ε is too large."""
    if epsilon == 0:
        return Interval.exactly(1)
    if epsilon > MAX_EPSILON:
        raise ValueError(f"epsilon must be at most {MAX_EPSILON:,}")
    with flint.ctx.workprec(bits):
        return enclosed(flint.arb(flint.fmpq(epsilon.numerator, epsilon.denominator)).exp())


def enclosed(ball: flint.arb) -> Interval:
    """The rational interval around a ball."""
    return Interval(_exact(ball.lower()), _exact(ball.upper()))


def _exact(value: flint.arb) -> Fraction:
    mantissa, exponent = value.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _decided(
    mu1: Mapping[A, Interval],
    mu2: Mapping[B, Interval],
    pairs: Collection[tuple[A, B]],
    factor: Interval,
    delta: Interval,
) -> Lifting[A, B]:
    limits = {b: factor.times(mass) for b, mass in mu2.items()}
    hard = _flow(_ends(mu1, "high"), _ends(limits, "low"), pairs)
    if hard.missing <= delta.low:
        left, right = _witnesses(mu1, mu2, hard.pairs)
        return Lifting(Answer.YES, left, right, hard.missing, frozenset(), frozenset())
    easy = _flow(_ends(mu1, "low"), _ends(limits, "high"), pairs)
    if easy.missing <= delta.high:
        return Lifting(Answer.UNDECIDED, {}, {}, hard.missing, frozenset(), frozenset())
    image = frozenset(b for a, b in pairs if a in easy.cut)
    sides = total(mu1[a] for a in easy.cut), total(limits[b] for b in image).plus(delta)
    return Lifting(Answer.NO, {}, {}, easy.missing, easy.cut, image, sides)


def _ends(masses: Mapping[A, Interval], end: Literal["low", "high"]) -> dict[A, Fraction]:
    return {item: getattr(mass, end) for item, mass in masses.items()}


def _witnesses(
    mu1: Mapping[A, Interval], mu2: Mapping[B, Interval], sent: Mapping[tuple[A, B], Fraction]
) -> tuple[dict[tuple[A, B], Interval], dict[tuple[A, B], Interval]]:
    """The sub-distributions on pairs, by the flow from upper ends on the left to lower ends on the right.

    μL shrinks with μ1(a) below its upper end; μR shares out μ2(b) in the flow's proportions.
    """
    arriving: dict[B, Fraction] = defaultdict(Fraction)
    for (_, b), amount in sent.items():
        arriving[b] += amount
    left = {(a, b): mu1[a].times(Interval.exactly(amount / mu1[a].high)) for (a, b), amount in sent.items()}
    right = {(a, b): mu2[b].times(Interval.exactly(amount / arriving[b])) for (a, b), amount in sent.items()}
    return left, right


@dataclass(frozen=True)
class _Flow(Generic[A, B]):
    """A maximum flow: what goes from a to b, what of μ1 doesn't get through, and the minimum cut."""

    pairs: dict[tuple[A, B], Fraction]
    missing: Fraction
    cut: frozenset[A]


def _flow(
    masses: Mapping[A, Fraction], limits: Mapping[B, Fraction], pairs: Collection[tuple[A, B]]
) -> _Flow[A, B]:
    """A maximum flow with these capacities.  They are made integers, so that it is exact."""
    unit = lcm(*(item.denominator for item in (*masses.values(), *limits.values())))
    graph = networkx.DiGraph()
    graph.add_nodes_from(["source", "sink"])
    for a, mass in masses.items():
        graph.add_edge("source", ("left", a), capacity=int(mass * unit))
    for b, limit in limits.items():
        graph.add_edge(("right", b), "sink", capacity=int(limit * unit))
    graph.add_edges_from((("left", a), ("right", b)) for a, b in pairs)
    value, sent = networkx.maximum_flow(graph, "source", "sink")
    _, (reached, _) = networkx.minimum_cut(graph, "source", "sink")
    found = {(a, b): Fraction(amount, unit) for a, b in pairs if (amount := sent[("left", a)][("right", b)])}
    cut = frozenset(a for a, mass in masses.items() if mass and ("left", a) in reached)
    return _Flow(found, sum(masses.values(), Fraction(0)) - Fraction(value, unit), cut)
