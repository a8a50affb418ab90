"""Draws that pay by squares: Gaussian noise, and for zCDP all noise with two sides, and choices by scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from synth.bounds.rational import Rational
from synth.bounds.scales import opaque_parts, rational, square_parts
from synth.prover.acceptance import (
    Unknown,
)
from synth.prover.attempt import ONCE, Attempt
from synth.prover.codes import Code
from synth.prover.costs.accounting_plans import (
    GaussianUses,
    Plan,
)
from synth.prover.costs.calibrated_pairs import calibrated_pairs, paired_plans
from synth.prover.costs.cases import CaseKey, Share
from synth.prover.costs.costs import CostClass, Costs, Unit
from synth.trusted.program import syntax as ir
from synth.trusted.program.symbols import Cost
from synth.trusted.program.weights import weighed

_HALF = Rational.number(Fraction(1, 2))


@dataclass(frozen=True)
class Squares:
    """The uses of noise in one mechanism whose squares sum up."""

    attempt: Attempt

    def contain(self, case: CaseKey) -> bool:
        """Whether a use is Gaussian noise; for zCDP, any noise with two sides, or a choice by scores."""
        site, number = self.attempt.analysis.sites[case[0]], case[1]
        two_sided = site.distribution == "laplace" or _is_by_scores(site)
        return site.distribution == "gaussian" or (
            self.attempt.notion is ir.Notion.ZCDP
            and two_sided
            and number not in (Share.TAIL, Share.CONTRACTION)
        )

    def alone(self, cases: Sequence[CaseKey]) -> Unknown:
        """That a draw costs something whose square isn't summed up."""
        gdp = self.attempt.notion is ir.Notion.GDP
        why = Code.OTHER_THAN_GAUSSIAN() if gdp else Code.OTHER_THAN_TWO_SIDED()
        return Unknown(why, min(self.attempt.analysis.sites[site].span for site, _ in cases))

    def uses(
        self,
        costs: Costs,
        moved: Sequence[CaseKey],
        units: Mapping[CaseKey, Unit],
        rates: Mapping[CaseKey, Rational],
        first: int,
    ) -> GaussianUses:
        """What counts uses of Gaussian noise; counters of squares are numbered from ``first``."""
        integral = [case for case in moved if self.attempt.analysis.sites[case[0]].sort is ir.Sort.INT]
        if self.attempt.notion is ir.Notion.ZCDP:
            integral = []
        real = {case: units[case] for case in moved if case not in integral}
        opaque_definitions: dict[str, ir.Expression] = {}
        for case, (_, unit) in real.items():
            opaque_definitions |= {**opaque_parts(self.attempt.price(case)), **opaque_parts(unit)}
        sites = self.attempt.analysis.sites
        halves = {case: _HALF * rates[case] for case in real if _is_by_scores(sites[case[0]])}
        classes = costs.square_classes(real, {**rates, **halves}, opaque_definitions, first)
        return GaussianUses(classes, integral, self.attempt.notion)

    def as_they_come(
        self, costs: Costs, moved: Sequence[CaseKey], rates: Mapping[CaseKey, Rational], first: int
    ) -> Iterator[tuple[GaussianUses, Mapping[CaseKey, Unit]]]:
        """Where only a sum of distances, or of their squares, is bounded: counters that add up what is moved.

        With each of them, by how much its cases move the noise at the most.
        """
        sites = [self.attempt.analysis.sites[site] for site, _ in moved]
        integral = any(site.distribution == "gaussian" and site.sort is ir.Sort.INT for site in sites)
        summed = [item for item in self.attempt.mechanism.parameters if _is_bounded_in_sum(item)]
        if not moved or len(summed) != 1 or (integral and self.attempt.notion is not ir.Notion.ZCDP):
            return
        if any(map(_is_by_scores, sites)):
            return
        (parameter,) = summed
        assert parameter.metric is not None and parameter.metric.bound is not None
        squared = parameter.metric.kind is ir.MetricKind.L2
        bounds = dict.fromkeys(moved, (Fraction(1), parameter.metric.bound))
        opaque = dict(opaque_parts(parameter.metric.bound))
        for case in moved:
            opaque |= opaque_parts(self.attempt.price(case))
        weights = costs.squares(bounds if squared else dict.fromkeys(moved, ONCE), rates, opaque)
        if not squared:
            most = rational(parameter.metric.bound)
            weights = {case: weight * most for case, weight in weights.items()}
        source = parameter.name if squared else None
        classes = [
            CostClass(
                Cost(first + place),
                weight,
                {case: 1 for case in moved if weights[case] == weight},
                dynamic=True,
                shared=source,
            )
            for place, weight in enumerate(dict.fromkeys(weights.values()))
        ]
        yield GaussianUses(classes, [], self.attempt.notion), bounds

    def paired_plans(
        self,
        costs: Costs,
        classes: Sequence[CostClass],
        units: Mapping[CaseKey, Unit],
        rates: Mapping[CaseKey, Rational],
    ) -> Iterator[Plan]:
        """Plans where each use of Gaussian noise pays what it was calibrated to, within the claim."""
        epsilon, delta = self.attempt.mechanism.epsilon, self.attempt.mechanism.delta
        if epsilon is None or delta is None:
            return
        meant = {**opaque_parts(epsilon), **opaque_parts(delta)}
        for case, (_, unit) in units.items():
            meant |= {**opaque_parts(self.attempt.price(case)), **opaque_parts(unit)}
        meant |= square_parts(meant)
        at_most = partial(self.attempt.facts.at_most, opaque=meant)
        claim = rational(epsilon), rational(delta)
        for pairs in calibrated_pairs(costs.squares(units, rates, meant), meant):
            yield from paired_plans(costs, classes, pairs, claim, at_most)


def _is_by_scores(site: ir.Draw | ir.Choose) -> bool:
    """Whether a draw is one by scores, and not by weights that the program computes."""
    return isinstance(site, ir.Choose) and isinstance(site.law, ir.Weights) and weighed(site.law) is None


def _is_bounded_in_sum(parameter: ir.Parameter) -> bool:
    """Whether only the sum of an entry's differences, or of their squares, is bounded."""
    metric = parameter.metric
    return (
        metric is not None
        and metric.kind in (ir.MetricKind.L1, ir.MetricKind.L2)
        and parameter.sort is not ir.Sort.BOOL
    )
