"""The (ε, δ) that Gaussian noise was calibrated to, read off its sigma: sqrt(2·log(c/δ))·distance/ε."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from synth.bounds.rational import Rational
from synth.bounds.scales import rational
from synth.prover.costs.accounting_plans import Plan, counting_plans
from synth.prover.costs.cases import CaseKey
from synth.prover.costs.costs import CostClass, Costs
from synth.trusted.program import syntax as ir
from synth.trusted.program.symbols import Cost

Pair = tuple[Rational, Rational]

_FACTORS = (Fraction(5, 4), Fraction(2), Fraction(1))
"""What c is: on the reals 1.25 is usual; on the integers the closed form needs 2."""


def calibrated_pairs(
    squares: Mapping[CaseKey, Rational], meant: Mapping[str, ir.Expression]
) -> Iterator[Mapping[CaseKey, Pair]]:
    """Give pairs for all cases, whose noise is moved by a distance of which (distance/sigma)² is given.

    ``meant`` says what variables are that are no parameters.
    """
    for factor in _FACTORS:
        found = {case: _pair(square, meant, factor) for case, square in squares.items()}
        pairs = {case: pair for case, pair in found.items() if pair is not None}
        if pairs and len(pairs) == len(found):
            yield pairs


def _pair(square: Rational, meant: Mapping[str, ir.Expression], factor: Fraction) -> Pair | None:
    for name in sorted(square.variables()):
        match meant.get(name):
            case ir.Operation(ir.Operator.LOGARITHM, (inner,)):
                root, rest = (square * Rational.number(2) * Rational.variable(name)).square_root()
                if rest.constant_value() == 1:
                    return _positive(root), Rational.number(factor) / rational(inner)
    return None


def _positive(root: Rational) -> Rational:
    """The root that is positive where all variables are 1."""
    return root if root.value(dict.fromkeys(root.names, 1)) > 0 else -root


def paired_plans(
    costs: Costs,
    classes: Sequence[CostClass],
    pairs: Mapping[CaseKey, Pair],
    claim: Pair,
    at_most: Callable[[Rational, Rational], bool],
) -> Iterator[Plan]:
    """As counting, where each of several uses of Gaussian noise costs its own pair, within the claim."""
    alike: dict[Pair, list[CaseKey]] = defaultdict(list)
    for case, pair in pairs.items():
        alike[pair].append(case)
    masses = {Cost(len(classes) + place): pair[1] for place, pair in enumerate(alike)}
    counters = [
        CostClass(ghost, pair[0], dict.fromkeys(cases, 1))
        for ghost, (pair, cases) in zip(masses, alike.items(), strict=True)
    ]
    nothing = Rational.number(0)
    for plan in counting_plans(costs, [*classes, *counters]):
        counts = {ghost: rational(plan.accounting.bounds[ghost]) for ghost in masses}
        delta = sum((counts[ghost] * mass for ghost, mass in masses.items()), nothing)
        several = sum(counts.values(), nothing).constant_value() != 1
        if several and at_most(plan.total, claim[0]) and at_most(delta, claim[1]):
            yield replace(plan, delta=delta, masses=masses)
