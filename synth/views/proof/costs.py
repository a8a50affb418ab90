"""The ghost counters of a proof, by name, unit and the sites that pay into them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from synth.bounds.rational import Rational
from synth.prover.costs.cases import CaseKey
from synth.prover.coupling_proof import Derived
from synth.prover.horn.horn import HornSystem

_NATS = "cost#nats"


@dataclass(frozen=True)
class Counter:
    """A ghost of the product; one unit of it costs ``unit`` nats."""

    ghost: str
    name: str
    unit: Rational
    sites: frozenset[int]


def counters(found: Derived) -> tuple[Counter, ...]:
    """The counters that the weights are paid into.

    A single counter that adds up nats has unit 1, and so has one that counts what costs a delta alone.
    """
    weights = found.weights
    stem = "cost" if "cost" not in found.mechanism.variables else "paid"
    if _adds_nats(found.system):
        sites = frozenset(site for site, _ in weights)
        return (Counter(_NATS, stem, Rational.number(1), sites),)
    groups: dict[str, list[CaseKey]] = {}
    for case in sorted(weights):
        groups.setdefault(found.ghosts[case], []).append(case)
    return tuple(
        Counter(
            ghost,
            stem if len(groups) == 1 else f"{stem}{place + 1}",
            _measure([weights[case] for case in cases]),
            frozenset(site for site, _ in cases),
        )
        for place, (ghost, cases) in enumerate(sorted(groups.items()))
    )


def _adds_nats(system: HornSystem) -> bool:
    """Whether costs are added up as they are, rather than counted in units."""
    return any(
        formal.symbol_name().startswith(_NATS)
        for predicate in system.predicates
        for formal in predicate.formals
    )


def _measure(weights: list[Rational]) -> Rational:
    """The largest common measure of some weights that are multiples of each other."""
    first = weights[0]
    if first.is_zero():
        return Rational.number(1)
    ratios = [(weight / first).constant_value() or Fraction(1) for weight in weights]
    whole = lcm(*(ratio.denominator for ratio in ratios))
    common = gcd(*(int(ratio * whole) for ratio in ratios))
    return first * Rational.number(Fraction(common, whole))
