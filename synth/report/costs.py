"""The ghost counters of a proof, by name, unit and the sites that pay into them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from synth.logic.rational import Rational
from synth.prove import Proved

CaseKey = tuple[int, int]
GHOST = "cost"


@dataclass(frozen=True)
class Counter:
    """A ghost of the product; one unit of it costs ``unit`` nats."""

    ghost: str
    name: str
    unit: Rational
    sites: frozenset[int]


def counters(weights: Mapping[CaseKey, Rational], in_nats: bool) -> tuple[Counter, ...]:
    """The counters behind the weights: weights that are commensurable share one.

    As in :mod:`synth.search.accounts`; a single counter that adds up nats has unit 1.
    """
    if in_nats:
        sites = frozenset(site for site, _ in weights)
        return (Counter(f"{GHOST}#0", GHOST, Rational.number(1), sites),)
    groups: list[list[tuple[CaseKey, Rational]]] = []
    for case, weight in sorted(weights.items(), key=lambda item: item[0]):
        for group in groups:
            if (weight / group[0][1]).constant_value() is not None:
                group.append((case, weight))
                break
        else:
            groups.append([(case, weight)])
    return tuple(
        Counter(
            f"{GHOST}#{place}",
            GHOST if len(groups) == 1 else f"{GHOST}{place + 1}",
            _measure([weight for _, weight in group]),
            frozenset(case[0] for case, _ in group),
        )
        for place, group in enumerate(groups)
    )


def adds_nats(found: Proved) -> bool:
    """Whether the counter is a real number that adds up costs, rather than uses or distances."""
    by_distance = any(
        case.bound is None and (site, number) in found.weights
        for site, cases in found.strategy.cases.items()
        for number, case in enumerate(cases)
    )
    ghosts = [
        formal
        for predicate in found.system.predicates
        for formal in predicate.formals
        if formal.symbol_name().startswith(f"{GHOST}#")
    ]
    return not by_distance and any(item.symbol_type().is_real_type() for item in ghosts)


def _measure(weights: list[Rational]) -> Rational:
    """The largest common measure of some weights that are multiples of each other."""
    first = weights[0]
    ratios = [(weight / first).constant_value() or Fraction(1) for weight in weights]
    whole = lcm(*(ratio.denominator for ratio in ratios))
    common = gcd(*(int(ratio * whole) for ratio in ratios))
    return first * Rational.number(Fraction(common, whole))
