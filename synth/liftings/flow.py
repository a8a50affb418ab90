"""Whether two finite distributions are related by an (ε, δ)-lifting, decided by a maximum flow.

The lifting of a relation R exists iff for every set X of left values
μ1(X) ≤ e^ε·μ2(R(X)) + δ.  That is a cut condition: source → a with capacity μ1(a), a → b for a R b
without limit, b → sink with capacity e^ε·μ2(b); the lifting exists iff the maximum flow reaches
μ1(A) − δ (Barthe, Köpf, Olmedo & Zanella Béguelin 2012, section 7, in the two-witness form of
Barthe et al. 2016, Def. 7, with the mass that δ pays for left over).

e^ε is irrational for rational ε ≠ 0; it is enclosed by rationals, and the answer is exact or "undecided".
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import lcm
from typing import Generic, TypeVar

import flint
import networkx

A = TypeVar("A", bound=Hashable)
B = TypeVar("B", bound=Hashable)

Rational = Fraction | int

PRECISION = 128
"""Bits to which e^ε is enclosed."""


class Answer(Enum):
    """Whether the lifting exists; ``UNDECIDED`` where the enclosure of e^ε is too wide to tell."""

    YES = "yes"
    NO = "no"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Lifting(Generic[A, B]):
    """The answer, with its evidence.

    For ``YES`` the witnesses: ``left`` and ``right`` are sub-distributions on related pairs with
    marginals at most μ1 and μ2, left ≤ e^ε·right pointwise, and all of μ1 but a mass of at most δ in
    ``left``.  For ``NO``: ``violated`` is a set X of left values with μ1(X) > e^ε·μ2(R(X)) + δ.
    """

    answer: Answer
    left: Mapping[tuple[A, B], Fraction]
    right: Mapping[tuple[A, B], Fraction]
    violated: frozenset[A]


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
    low, high = enclosed_exponential(Fraction(epsilon))
    network = _Network(mu1, mu2, relation)
    flow = network.flow(low)
    if flow.missing <= delta:
        right = {pair: mass / low for pair, mass in flow.pairs.items()}
        return Lifting(Answer.YES, flow.pairs, right, frozenset())
    if high != low:
        flow = network.flow(high)
    if flow.missing <= delta:
        return Lifting(Answer.UNDECIDED, {}, {}, frozenset())
    return Lifting(Answer.NO, {}, {}, flow.cut)


def enclosed_exponential(epsilon: Fraction) -> tuple[Fraction, Fraction]:
    """Rationals below and above e^ε, equal for ε = 0."""
    if epsilon == 0:
        return Fraction(1), Fraction(1)
    with flint.ctx.workprec(PRECISION):
        value = flint.arb(flint.fmpq(epsilon.numerator, epsilon.denominator)).exp()
        return _exact(value.lower()), _exact(value.upper())


def _exact(value: flint.arb) -> Fraction:
    mantissa, exponent = value.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


@dataclass(frozen=True)
class _Flow(Generic[A, B]):
    """A maximum flow: what goes from a to b, what of μ1 doesn't get through, and the minimum cut."""

    pairs: dict[tuple[A, B], Fraction]
    missing: Fraction
    cut: frozenset[A]


@dataclass(frozen=True)
class _Network(Generic[A, B]):
    mu1: Mapping[A, Rational]
    mu2: Mapping[B, Rational]
    relation: Callable[[A, B], bool]

    def flow(self, factor: Fraction) -> _Flow[A, B]:
        """With sink capacities factor·μ2(b).  Capacities are made integers, so that the flow is exact."""
        masses = [Fraction(mass) for mass in self.mu1.values()]
        limits = [factor * Fraction(mass) for mass in self.mu2.values()]
        unit = lcm(*(item.denominator for item in (*masses, *limits)))
        graph = networkx.DiGraph()
        graph.add_nodes_from(["source", "sink"])
        for a, mass in zip(self.mu1, masses, strict=True):
            graph.add_edge("source", ("left", a), capacity=int(mass * unit))
        for b, mass in zip(self.mu2, limits, strict=True):
            graph.add_edge(("right", b), "sink", capacity=int(mass * unit))
        graph.add_edges_from(
            (("left", a), ("right", b)) for a in self.mu1 for b in self.mu2 if self.relation(a, b)
        )
        value, sent = networkx.maximum_flow(graph, "source", "sink")
        _, (reached, _) = networkx.minimum_cut(graph, "source", "sink")
        pairs = {
            (a, b[1]): Fraction(amount, unit)
            for a in self.mu1
            for b, amount in sent[("left", a)].items()
            if amount
        }
        cut = frozenset(a for a in self.mu1 if ("left", a) in reached)
        return _Flow(pairs, sum(masses, Fraction(0)) - Fraction(value, unit), cut)
