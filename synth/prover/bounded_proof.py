"""The proof of a strategy with the least bound on its cost: what is counted, summed up, or squared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice

from synth.bounds.logarithms import ZERO_COST
from synth.bounds.rational import Rational
from synth.bounds.scales import NotConstant, Scales, opaque_parts, rational
from synth.prover.acceptance import (
    Unknown,
    gaussian_place,
)
from synth.prover.attempt import ONCE, Attempt
from synth.prover.codes import Code
from synth.prover.costs.accounting_plans import (
    GaussianUses,
    Plan,
    budget_comparisons,
    budget_plans,
    gaussian_plans,
    tail_plans,
)
from synth.prover.costs.carried_budgets import Budget, carried_budget, carried_plans
from synth.prover.costs.cases import CaseKey, Share
from synth.prover.costs.costs import CostClass, Costs, Unit
from synth.prover.costs.indexed_prices import plans_with
from synth.prover.costs.pooled import pooled
from synth.prover.invariant_proof import Derived, InvariantProof, lowest, meets_claim
from synth.prover.product.clause_builder import Unsupported
from synth.prover.product.strategy import Interval, Strategy
from synth.prover.search.synthesis import Found, used_cases
from synth.prover.squares import Squares
from synth.prover.testing.forgetting import decays
from synth.support.statistics import STRATEGIES, tried
from synth.trusted.program import syntax as ir

MAX_POOLED_PLANS = 1


@dataclass(frozen=True)
class BoundedProof:
    """The search for a bound on what strategies of one mechanism cost."""

    attempt: Attempt

    @cached_property
    def squares(self) -> Squares:
        """Which uses of noise pay by squares of distances."""
        return Squares(self.attempt)

    @cached_property
    def invariants(self) -> InvariantProof:
        """What proves a plan of costs."""
        return InvariantProof(self.attempt)

    def costs(self, found: Found) -> Costs:
        scales = Scales(self.attempt.mechanism)
        distances = tuple(dict.fromkeys((*found.choices.units, *scales.calibrations(), *scales.widths())))
        return Costs(self.attempt.mechanism, scales, distances, found.tests)

    def bound(
        self, found: Found, furthest: Callable[[Costs, CaseKey], Unit | None] = Costs.unit
    ) -> Derived | Unknown:
        """The strategy with the lowest bound on its cost that is proved.  Raises NotConstant, Unsupported.

        ``furthest`` says how far a case may move its noise.
        """
        tried(STRATEGIES)
        costs = self.costs(found)
        units: dict[CaseKey, Unit] = {}
        for case in used_cases(found.tests):
            once = (
                case[0] in self.attempt.ratios or case[1] == Share.TAIL or case in self.attempt.prices.parts
            )
            unit = ONCE if once else furthest(costs, case)
            if unit is None:
                span = self.attempt.analysis.sites[case[0]].span
                return Unknown(Code.SHIFT_UNBOUNDED(), span)
            units[case] = unit
        units.update({case: units[model] for case, model in found.like.items() if model in units})
        budgets = dict(self._budgets(units))
        if budgets:
            return self._bound_budgets(found, costs, units, budgets)
        rates = {case: self._rate(case, found.strategy.with_bounds(units)) for case in units}
        rates |= dict(self._alike(rates))
        units |= dict.fromkeys(rates.keys() - units.keys(), ONCE)
        summable = [case for case in units if self._is_summable(case, found.strategy)]
        summed = summable if _is_dynamic(self.attempt.mechanism) else []
        result = self._bound_summed(found, costs, (units, rates), summed)
        unclaimed = self.attempt.mechanism.epsilon is None
        if self._fades and summable and not summed and (unclaimed or not meets_claim(result)):
            faded = self._bound_summed(found, costs, (units, rates), summable)
            proved = [item for item in (result, faded) if isinstance(item, Derived)]
            return lowest(self.attempt, proved, self.attempt.admissible[0]) or result
        if summed and isinstance(result, Unknown) and _is_flagged(self.attempt.mechanism):
            counted = self._bound_summed(found, costs, (units, rates), [])
            return counted if isinstance(counted, Derived) else result
        return result

    def _budgets(self, units: Mapping[CaseKey, Unit]) -> Iterator[tuple[CaseKey, Budget]]:
        """Cases whose scale is no public number, but made of a budget that the program carries along."""
        for case, unit in units.items():
            site = self.attempt.analysis.sites[case[0]]
            if isinstance(site, ir.Draw) and site.distribution != "gaussian" and isinstance(case[1], int):
                try:
                    self.attempt.price(case)
                except NotConstant:
                    budget = carried_budget(self.attempt.analysis, site, unit)
                    if budget is not None:
                        yield case, budget

    def _bound_budgets(
        self, found: Found, costs: Costs, units: Mapping[CaseKey, Unit], budgets: Mapping[CaseKey, Budget]
    ) -> Derived | Unknown:
        """The bound where some cases take from a budget that the program carries, and others are counted."""
        strategy = found.strategy.with_bounds(units)
        counted = {case: unit for case, unit in units.items() if case not in budgets}
        rates = {case: self._rate(case, strategy) for case in counted}
        if self.attempt.notion is not None or any(
            case[1] is Share.TAIL or self.squares.contain(case) for case in counted
        ):
            return self.squares.alone(list(budgets))
        classes = costs.classes(counted, rates)
        if not self._weighed(classes, counted):
            return self._negative(counted)
        return self.invariants.solve(strategy, carried_plans(costs, classes, budgets))

    def _bound_summed(
        self,
        found: Found,
        costs: Costs,
        priced: tuple[Mapping[CaseKey, Unit], Mapping[CaseKey, Rational]],
        summed: Sequence[CaseKey],
    ) -> Derived | Unknown:
        """The bound where the distances of some cases are summed up, and all others are counted."""
        units, rates = priced
        scales = costs.scales
        strategy = found.strategy.with_bounds(
            {case: unit for case, unit in units.items() if case not in summed}
        )
        if not summed:
            plans = budget_plans(costs, self.attempt.analysis, units, rates)
            try:
                result = self.invariants.solve(strategy, plans, self._budget_facts(scales))
            except Unsupported as error:
                result = Unknown(error.why, error.span)
            if isinstance(result, Derived):
                return result
        tails = [case for case in units if case[1] == Share.TAIL]
        moved = [case for case in units if self.squares.contain(case)]
        counted = {case: unit for case, unit in units.items() if case not in (*moved, *tails, *summed)}
        classes = costs.dynamic_classes(summed, rates)
        classes += costs.classes(counted, rates, len(classes))
        if self.attempt.notion is not None and (counted or summed):
            return self.squares.alone([*counted, *summed])
        if tails or moved:
            for uses, bounds in self.squares.as_they_come(costs, moved, rates, len(classes)):
                summed_up = self._lossy(strategy.with_bounds(bounds), costs, classes, tails, uses)
                if isinstance(summed_up, Derived):
                    return summed_up
            uses = self.squares.uses(costs, moved, units, rates, len(classes))
            pairs = self.squares.paired_plans(costs, classes, {case: units[case] for case in moved}, rates)
            return self._lossy(strategy, costs, classes, tails, uses, pairs)
        if not self._weighed(classes, units):
            return self._negative(units)
        once = {case: unit for case, unit in units.items() if case not in summed}
        joined = islice(self._pooled_plans(costs, classes, once), MAX_POOLED_PLANS)
        plans = chain(joined, plans_with(costs, classes, once, self.attempt.prices))
        return self.invariants.solve(strategy, plans)

    def _pooled_plans(
        self, costs: Costs, classes: Sequence[CostClass], units: Mapping[CaseKey, Unit]
    ) -> Iterator[Plan]:
        """With one counter for uses of which a run makes only some, if that is cheaper in the tests."""
        if len(classes) < 2 or self.attempt.prices.parts:
            return
        opaque: dict[str, ir.Expression] = {}
        for case, (_, unit) in units.items():
            opaque |= {**opaque_parts(self.attempt.price(case)), **opaque_parts(unit)}
        found = pooled(
            costs, classes, opaque, lambda low, high: self.attempt.facts.at_most(low, high, opaque)
        )
        if len(found) < len(classes):
            yield from plans_with(costs, found, units, self.attempt.prices)

    @cached_property
    def _fades(self) -> bool:
        """Whether a loop scales down what it adds up, so that the distances of its draws have a sum."""
        return any(
            decays(item) for item in ir.statements(self.attempt.mechanism.body) if isinstance(item, ir.Loop)
        )

    def _is_summable(self, case: CaseKey, strategy: Strategy) -> bool:
        """Whether the distances of a case can be summed up as they come, where only their sum is bounded."""
        (site, number), draw = case, self.attempt.analysis.sites[case[0]]
        return (
            isinstance(draw, ir.Draw)
            and not self.squares.contain(case)
            and number not in (Share.TAIL, Share.CONTRACTION)
            and not isinstance(strategy.cases[site][number].coupling, Interval)
        )

    def _alike(self, rates: Mapping[CaseKey, Rational]) -> Iterator[tuple[CaseKey, Rational]]:
        """Pairs of outcomes that no test met, where they cost as much as others, or a multiple."""
        for site, ratios in self.attempt.ratios.items():
            for pair, cost in ratios.costs.items():
                case = (site, ratios.number(*pair))
                if case not in rates and cost != ZERO_COST:
                    rate = rational(cost)
                    if any((rate / other).constant_value() is not None for other in rates.values()):
                        yield case, rate

    def _budget_facts(self, scales: Scales) -> tuple[ir.Expression, ...]:
        """How locals that are functions of the parameters compare with 0 and with real parameters."""
        candidates = budget_comparisons(self.attempt.analysis, scales)
        span = self.attempt.mechanism.span
        return tuple(item for item in candidates if self.attempt.facts.holds(scales.resolve(item, span)))

    def _lossy(
        self,
        strategy: Strategy,
        costs: Costs,
        classes: Sequence[CostClass],
        tails: Sequence[CaseKey],
        uses: GaussianUses,
        pairs: Iterable[Plan] = (),
    ) -> Derived | Unknown:
        """The claimed delta shared by the tails given up, or the claim by the uses of Gaussian noise."""
        epsilon, delta = self.attempt.mechanism.epsilon, self.attempt.mechanism.delta
        moved = bool(uses.integral or uses.squares)
        claim = None if epsilon is None or delta is None else (rational(epsilon), rational(delta))
        if self.attempt.notion is not None and uses.integral:
            return self.squares.alone(uses.integral)
        open_ = (self.attempt.part or self.attempt.notion is not None) and not uses.integral and not tails
        if (delta is None and not open_) or (moved and claim is None and not open_):
            return Unknown(Code.GAUSSIAN_WITHOUT_CLAIM(), gaussian_place(self.attempt.mechanism))
        if tails and moved:
            return Unknown(Code.TAILS_BESIDE_GAUSSIAN(), self.attempt.mechanism.span)
        if not moved:
            assert delta is not None
            return self.invariants.solve(strategy, tail_plans(costs, classes, tails, rational(delta)))
        part = self.attempt.part or self.attempt.notion is not None
        shared = gaussian_plans(costs, classes, uses, claim, part)
        return self.invariants.solve(strategy, chain(shared, pairs))

    def _rate(self, case: CaseKey, strategy: Strategy) -> Rational:
        """What a unit of distance costs at a case.  Raises NotConstant, Unsupported."""
        site, number = case
        if number != Share.CONTRACTION:
            return rational(self.attempt.price(case))
        gap = strategy.gap(site)
        if gap is None:
            raise Unsupported(Code.INTERVALS_UNLIKE(), self.attempt.analysis.sites[site].span)
        return Rational.number(1) / rational(gap)

    def _weighed(self, classes: Sequence[CostClass], units: Mapping[CaseKey, Unit]) -> bool:
        """Whether every counter counts up, at a price of at least 0 for all parameters.

        A scale is shown positive only where its draw is reached; the sum over all counters is
        taken everywhere.
        """
        opaque: dict[str, ir.Expression] = {}
        for case, (_, unit) in units.items():
            opaque.update({**opaque_parts(self.attempt.price(case)), **opaque_parts(unit)})
        upward = all(multiple > 0 for item in classes for multiple in item.multiples.values())
        return upward and self.attempt.facts.all_nonnegative((item.weight for item in classes), opaque)

    def _negative(self, units: Mapping[CaseKey, Unit]) -> Unknown:
        return Unknown(Code.PRICE_NEGATIVE(), self.attempt.first_draw(site for site, _ in units))


def _is_flagged(mechanism: ir.Mechanism) -> bool:
    """Whether all that is bounded in sum is how many flags differ: what each costs may be counted, too."""
    return all(
        item.sort is ir.Sort.BOOL
        for item in mechanism.parameters
        if item.metric is not None and item.metric.kind is ir.MetricKind.L1
    )


def _is_dynamic(mechanism: ir.Mechanism) -> bool:
    """Whether distances are bounded in sum only, and so are added up as they come."""
    return any(
        item.metric is not None and item.metric.kind is ir.MetricKind.L1 for item in mechanism.parameters
    )
