"""One counter for uses of different prices of which a run makes only some: each at the highest price.

A draw has one outcome, and an entry lies in one of several stretches.  So what costs ``log(8/3)`` for one
outcome and ``log(9/4)`` for another costs ``log(8/3)`` at the most, not the sum.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from synth.bounds.rational import Rational
from synth.prover.costs.costs import CostClass, Costs
from synth.prover.testing.interpreter import Aborted
from synth.prover.testing.valuations import Valuation, lengths_of, public_value
from synth.support.floats import estimate
from synth.trusted.program import syntax as ir

AtMost = Callable[[Rational, Rational], bool]

_CLOSE = 1e-6


def pooled(
    costs: Costs,
    classes: Sequence[CostClass],
    opaque_definitions: Mapping[str, ir.Expression],
    at_most: AtMost,
) -> list[CostClass]:
    """Return the counters with those joined that cost less together, in the tests, than each for itself.

    ``at_most`` says whether one weight is at most another for all parameters.
    """
    groups = [item for item in classes if not item.dynamic]
    rest = [item for item in classes if item.dynamic]
    joined = True
    while joined:
        joined = False
        for pair in combinations(groups, 2):
            both = _joined(pair, at_most)
            if both is not None and _is_cheaper(costs, both, pair, opaque_definitions):
                groups = [both if item is pair[0] else item for item in groups if item is not pair[1]]
                joined = True
                break
    return [*rest, *groups]


def _joined(pair: tuple[CostClass, CostClass], at_most: AtMost) -> CostClass | None:
    """One counter of uses, at the highest of their prices; None if none is the highest for all parameters."""
    prices = {
        case: item.weight * Rational.number(multiple)
        for item in pair
        for case, multiple in item.multiples.items()
    }
    for most in dict.fromkeys(prices.values()):
        if all(price == most or at_most(price, most) for price in prices.values()):
            return CostClass(pair[0].ghost, most, dict.fromkeys(prices, 1))
    return None


def _is_cheaper(
    costs: Costs,
    both: CostClass,
    pair: tuple[CostClass, CostClass],
    opaque_definitions: Mapping[str, ir.Expression],
) -> bool:
    """Whether the bounds that the tests suggest come to less if uses are counted together."""
    together, *apart = (item.weight * costs.candidates(item)[0].rational() for item in (both, *pair))
    valuations = {id(test.valuation): test.valuation for test in costs.tests}.values()
    saved = [_value(costs, apart[0] + apart[1] - together, item, opaque_definitions) for item in valuations]
    return all(value >= 0 for value in saved) and any(value > _CLOSE for value in saved)


def _value(
    costs: Costs, weight: Rational, valuation: Valuation, opaque_definitions: Mapping[str, ir.Expression]
) -> float:
    lengths = lengths_of(costs.mechanism, valuation.length)
    values = {name: Fraction(value) for name, value in valuation.scalars.items()}
    values |= {f"len({name})": Fraction(length) for name, length in lengths.items()}
    try:
        for name, part in opaque_definitions.items():
            values[name] = Fraction(public_value(costs.mechanism, part, valuation))
        return estimate(weight.value(values))
    except (KeyError, ZeroDivisionError, Aborted):
        return float("-inf")
