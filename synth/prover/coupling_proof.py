"""One proof of a mechanism as a whole: strategy, bound, invariants, check.

What the search proposes is believed only after the kernel has accepted its certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, islice
from typing import Protocol

from synth.bounds.logarithms import ZERO_COST
from synth.bounds.rational import Rational
from synth.bounds.scales import NotConstant, Scales, opaque_parts, rational, square_parts
from synth.prover.acceptance import (
    CheckedCertificate,
    Unknown,
    check_squares,
    check_within_claim,
    gaussian_place,
)
from synth.prover.certificate.formulas import Inexpressible
from synth.prover.certificate.writing import certificate_text
from synth.prover.codes import Code
from synth.prover.costs.accounting import Accounting
from synth.prover.costs.accounting_plans import (
    GaussianUses,
    Noise,
    Plan,
    budget_comparisons,
    budget_plans,
    gaussian_plans,
    tail_plans,
)
from synth.prover.costs.calibrated_pairs import calibrated_pairs, paired_plans
from synth.prover.costs.carried_budgets import Budget, carried_budget, carried_plans
from synth.prover.costs.cases import CaseKey, Share
from synth.prover.costs.costs import CostClass, Costs, Unit
from synth.prover.costs.indexed_prices import Prices, aware, plans_with, prices
from synth.prover.costs.likelihood_ratios import Pricing, RatioTable
from synth.prover.costs.pooled import pooled
from synth.prover.costs.ranges import ranges
from synth.prover.horn.horn import HornSystem
from synth.prover.horn.solvers import GaveUp, Solution, solve_horn
from synth.prover.horn.terms import TRUE, all_of
from synth.prover.obligations.public_facts import PublicFacts
from synth.prover.obligations.single_run import Discharge
from synth.prover.obstacles import unmatched, unshown
from synth.prover.product.clause_builder import Unsupported
from synth.prover.product.folds import Fold, folds
from synth.prover.product.product import Product
from synth.prover.product.strategy import Interval, Strategy, Tail
from synth.prover.search.choices import Choices
from synth.prover.search.entry_differences import given_differences
from synth.prover.search.intervals import Intervals
from synth.prover.search.invariant_shrinking import shrunk
from synth.prover.search.outer_invariants import given_invariants
from synth.prover.search.slow_sums import kept_facts, knowing
from synth.prover.search.synthesis import Found, Problem, strategies, used_cases
from synth.prover.search.tails import affordable, candidates, within
from synth.prover.templates.evaluation import concrete_support
from synth.prover.templates.template import Template
from synth.prover.testing.forgetting import decays
from synth.prover.testing.interpreter import Aborted
from synth.prover.testing.recording import Trace, traces
from synth.prover.testing.valuations import Valuation, lengths_of, public_value, valuations
from synth.support.floats import estimate
from synth.support.statistics import STRATEGIES, tried
from synth.trusted.frontend.claim import Claim
from synth.trusted.kernel.check import Verdict
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis
from synth.trusted.program.symbols import Cost

TRIALS = 240
FURTHER = 1500
MORE_TRIES = 2
"""After bounds that miss the claim."""

_NO_SQUARE = Rational.number(0)
ONCE = (Fraction(1), ir.Constant(Fraction(1), ir.Sort.REAL))
_NOTHING, _ONE = (ir.Constant(Fraction(number), ir.Sort.REAL) for number in (0, 1))
MAX_SOLVER_TIMEOUTS = 4
MAX_POOLED_PLANS = 1
HORN_MILLISECONDS = 5000
FEW_SUMS = 2
"""What a loop may add up without need of a summary."""

_CLOSE = 1e-6
"""Bounds that differ by no more are the same."""


class Progress(Protocol):
    """Is told of each stage as it begins, and of a ``bound`` that is proved although it misses the claim."""

    def __call__(self, stage: str, bound: Rational | None = None, /) -> None: ...


@dataclass(frozen=True)
class Derived:
    """A coupling proof: the least bound found, and the strategy.

    ``epsilon`` is in nats, and holds with ``delta``; ``opaque_definitions`` are the parts of it that are no
    rational function, ``noise`` what real Gaussian noise comes to.  It is the ``cheapest`` if no strategy
    that the tests leave costs less on their largest inputs.  If it is ``retried``, the proof is about
    one round.
    """

    epsilon: Rational
    delta: Rational
    strategy: Strategy
    opaque_definitions: Mapping[str, ir.Expression]
    noise: Noise | None
    checked: CheckedCertificate
    cheapest: bool = False
    retried: bool = False


@dataclass(frozen=True)
class CouplingSearch:
    """One mechanism on its way through strategies and bounds.

    ``verdict_of`` is what the kernel says of a certificate.  With ``ceiling`` only a bound below is wanted.
    A ``part`` of a program doesn't pay for real Gaussian noise, the whole does.  With a ``notion`` nobody
    does: its squares are what is to be bounded, for zCDP those of all noise with two sides.
    """

    mechanism: ir.Mechanism
    templates: Mapping[str, Template]
    facts: PublicFacts
    safety: Discharge
    verdict_of: Callable[[str], Verdict]
    progress: Progress
    ceiling: Rational | None = None
    part: bool = False
    notion: ir.Notion | None = None
    timeouts: list[str] = field(default_factory=list)
    _batches: dict[int, list[Trace]] = field(default_factory=dict)

    @cached_property
    def analysis(self) -> Analysis:
        """What the program's text tells."""
        return Analysis(self.mechanism)

    @cached_property
    def ratios(self) -> Mapping[int, RatioTable]:
        """Per draw with known chances, what its pairs of outcomes cost."""
        draws = [item for item in ir.statements(self.mechanism.body) if isinstance(item, ir.Choose)]
        likely = [] if self.mechanism.epsilon is None else [self.mechanism.epsilon]
        pricing = Pricing(Scales(self.mechanism), self.facts.at_most, ranges(self.mechanism), tuple(likely))
        return {
            item.site: pricing.ratios(item, item.law) for item in draws if isinstance(item.law, ir.Chances)
        }

    @cached_property
    def _folds(self) -> Mapping[int, Fold]:
        return folds(self.analysis)

    @cached_property
    def _intervals(self) -> Intervals:
        return Intervals(self.mechanism, self.analysis, self._admissible)

    @cached_property
    def prices(self) -> Prices:
        """What draws cost where that depends on what a loop counts, or on sums of weights."""
        return prices(self.mechanism, self.analysis, self._admissible)

    @cached_property
    def _admissible(self) -> list[Valuation]:
        return valuations(self.mechanism)

    def run(self) -> Derived | Unknown:
        """The proof of the cheapest strategy that has one."""
        admissible = self._admissible
        if not admissible:
            return Unknown(Code.NO_SMALL_PARAMETERS(), self.mechanism.span)
        self.progress("tests")
        runs = self._traces(max(TRIALS, 20 * len(admissible)))
        if not runs:
            return Unknown(Code.NO_RUN_ENDS(), self.mechanism.span)
        reference = admissible[0]
        if all(run.instance.valuation is not reference for run in runs):
            reference = max((run.instance.valuation for run in runs), key=lambda valuation: valuation.length)
        return self._search(runs, reference)

    def _traces(self, count: int, seed: int = 1) -> list[Trace]:
        supports = {name: concrete_support(item) for name, item in self.templates.items()}
        places = self._intervals.places()
        return traces(self.mechanism, self._admissible, supports, count, places, seed)

    def _further(self, batch: int) -> list[Trace]:
        """More runs, for strategies that the usual ones don't refute and that are not proved."""
        if batch not in self._batches:
            self._batches[batch] = self._traces(FURTHER, seed=2 + batch)
        return self._batches[batch]

    def _search(self, runs: Sequence[Trace], reference: Valuation) -> Derived | Unknown:
        missing: Derived | None = None
        for tails in self._interval_tails():
            found = self._with_truncated_tails(runs, reference, tails)
            if isinstance(found, Derived) and found.strategy.has_intervals():
                if found.checked.within_claim:
                    return found
                missing = missing or found
        result = self._try_strategies(runs, reference, {}, missing)
        if _meets_claim(result) or is_zero(self.mechanism.delta):
            return result
        missing = result if isinstance(result, Derived) else missing
        units = Choices(self.mechanism, self.analysis, frozenset()).units
        for tails in candidates(self.mechanism, units):
            if affordable(self.mechanism, tails, self._admissible):
                other = self._with_truncated_tails(runs, reference, tails, missing)
                if isinstance(other, Derived):
                    if _meets_claim(other):
                        return other
                    missing = missing or other
        return missing or result

    def _with_truncated_tails(
        self,
        runs: Sequence[Trace],
        reference: Valuation,
        tails: Mapping[int, Tail],
        known: Derived | None = None,
    ) -> Derived | Unknown:
        """The proof where these tails are given up."""
        inside = within(runs, tails, self.mechanism)
        if any(run.instance.valuation is reference for run in inside):
            return self._try_strategies(inside, reference, tails, known)
        return Unknown(Code.NOISE_NEVER_INSIDE(), self.mechanism.span)

    def _interval_tails(self) -> Iterator[Mapping[int, Tail]]:
        """What is given up so that intervals between thresholds have a width; never without a claim."""
        for tails in self._intervals.tails():
            if all(self.facts.holds(builders.less_equal(_NOTHING, tail.limit)) for tail in tails.values()):
                yield tails

    def _try_strategies(
        self,
        runs: Sequence[Trace],
        reference: Valuation,
        tails: Mapping[int, Tail],
        known: Derived | None = None,
    ) -> Derived | Unknown:
        result: Derived | Unknown
        self.progress("strategies")
        problem = Problem(
            mechanism=self.mechanism,
            analysis=self.analysis,
            templates=self.templates,
            ratios=self.ratios,
            tails=tails,
            intervals=self._intervals.offered(tails),
            runs=runs,
            reference=reference,
            further=lambda batch: within(self._further(batch), tails, self.mechanism),
            guarded=self.notion is None,
        )
        result = Unknown(Code.NO_STRATEGY(), self.mechanism.span, locate=partial(unmatched, problem))
        loose: list[Derived] = []
        too_narrow: Found | None = None
        for number, found in enumerate(strategies(problem, ceiling=self._worth(known, reference))):
            try:
                result = self._bound_cost(found)
            except NotConstant as error:
                return Unknown(Code.SCALE_NOT_CONSTANT(scale=str(error)), error.span)
            except Unsupported as error:
                result = Unknown(error.why, error.span)
            if isinstance(result, Derived) and not result.checked.within_claim and not loose:
                result = self._with_calibrated_distances(found, result)
            if isinstance(result, Derived) and self._is_loose(result, found, reference):
                loose.append(result)
                self._tell(result)
            elif isinstance(result, Derived):
                cost = self._cost(result.epsilon, result.opaque_definitions, reference)
                return replace(result, cheapest=number == 0 and cost <= found.cost)
            if too_narrow is None and isinstance(result, Unknown) and _is_refuted(result):
                too_narrow = found
            if len(loose) > MORE_TRIES or (isinstance(result, Unknown) and self._is_last(result)):
                break
            self.progress("strategies")
        if isinstance(result, Unknown) and not loose and too_narrow is not None:
            result = self._with_wider_distances(too_narrow, result)
        return self._lowest(loose, reference) or result

    def _tell(self, result: Derived) -> None:
        """A part's bound is none of the whole."""
        if not self.part:
            self.progress("strategies", result.epsilon)

    def _is_last(self, result: Unknown) -> bool:
        return result.final or len(self.timeouts) >= MAX_SOLVER_TIMEOUTS

    def _is_loose(self, result: Derived, found: Found, reference: Valuation) -> bool:
        """Whether the bound misses the claim, and the tests say that it could be lower."""
        cost = self._cost(result.epsilon, result.opaque_definitions, reference)
        return not result.checked.within_claim and cost > found.cost * (1 + _CLOSE)

    def _lowest(self, bounds: Sequence[Derived], reference: Valuation) -> Derived | None:
        def cost(bound: Derived) -> float:
            return self._cost(bound.epsilon, bound.opaque_definitions, reference)

        return min(bounds, key=cost, default=None)

    def _with_wider_distances(self, found: Found, narrow: Unknown) -> Derived | Unknown:
        """The proof of a strategy that is refuted where it moves noise no further than tests did."""
        try:
            wide = self._bound_cost(found, Costs.wider_unit)
        except Unsupported:
            return narrow
        return wide if isinstance(wide, Derived) else narrow

    def _with_calibrated_distances(self, found: Found, costly: Derived) -> Derived:
        """The proof with what the noise is calibrated to for distances, if that meets the claim."""
        costs, cases = self._costs(found), used_cases(found.tests)
        if all(costs.unit(case) == costs.calibrated_unit(case) for case in cases):
            return costly
        try:
            other = self._bound_cost(found, Costs.calibrated_unit)
        except Unsupported:
            return costly
        return other if _meets_claim(other) and isinstance(other, Derived) else costly

    def _costs(self, found: Found) -> Costs:
        scales = Scales(self.mechanism)
        distances = tuple(dict.fromkeys((*found.choices.units, *scales.calibrations(), *scales.widths())))
        return Costs(self.mechanism, scales, distances, found.tests)

    def _worth(self, bound: Derived | None, reference: Valuation) -> float:
        """What a strategy may cost at a valuation to be worth a look, beside a bound that is proved."""
        known = [] if self.ceiling is None else [(self.ceiling, dict[str, ir.Expression]())]
        known += [] if bound is None else [(bound.epsilon, dict(bound.opaque_definitions))]
        return min(
            (self._cost(total, opaque_definitions, reference) for total, opaque_definitions in known),
            default=float("inf"),
        )

    def _cost(
        self, bound: Rational, opaque_definitions: Mapping[str, ir.Expression], reference: Valuation
    ) -> float:
        """A little less than a bound at a valuation."""
        values = {name: Fraction(value) for name, value in reference.scalars.items()}
        lengths = lengths_of(self.mechanism, reference.length)
        values |= {f"len({name})": Fraction(length) for name, length in lengths.items()}
        try:
            for name, part in opaque_definitions.items():
                values[name] = Fraction(public_value(self.mechanism, part, reference))
            return estimate(bound.value(values)) * (1 - _CLOSE)
        except (KeyError, ZeroDivisionError, Aborted):
            return float("inf")

    def _bound_cost(
        self, found: Found, furthest: Callable[[Costs, CaseKey], Unit | None] = Costs.unit
    ) -> Derived | Unknown:
        """The strategy with the lowest bound on its cost that is proved.  Raises NotConstant, Unsupported.

        ``furthest`` says how far a case may move its noise.
        """
        tried(STRATEGIES)
        costs = self._costs(found)
        units: dict[CaseKey, Unit] = {}
        for case in used_cases(found.tests):
            once = case[0] in self.ratios or case[1] == Share.TAIL or case in self.prices.parts
            unit = ONCE if once else furthest(costs, case)
            if unit is None:
                span = self.analysis.sites[case[0]].span
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
        summed = summable if _is_dynamic(self.mechanism) else []
        result = self._bound_summed(found, costs, (units, rates), summed)
        unclaimed = self.mechanism.epsilon is None
        if self._fades and summable and not summed and (unclaimed or not _meets_claim(result)):
            faded = self._bound_summed(found, costs, (units, rates), summable)
            proved = [item for item in (result, faded) if isinstance(item, Derived)]
            return self._lowest(proved, self._admissible[0]) or result
        if summed and isinstance(result, Unknown) and _is_flagged(self.mechanism):
            counted = self._bound_summed(found, costs, (units, rates), [])
            return counted if isinstance(counted, Derived) else result
        return result

    def _budgets(self, units: Mapping[CaseKey, Unit]) -> Iterator[tuple[CaseKey, Budget]]:
        """Cases whose scale is no public number, but made of a budget that the program carries along."""
        for case, unit in units.items():
            site = self.analysis.sites[case[0]]
            if isinstance(site, ir.Draw) and site.distribution != "gaussian" and isinstance(case[1], int):
                try:
                    self._price(case)
                except NotConstant:
                    budget = carried_budget(self.analysis, site, unit)
                    if budget is not None:
                        yield case, budget

    def _bound_budgets(
        self, found: Found, costs: Costs, units: Mapping[CaseKey, Unit], budgets: Mapping[CaseKey, Budget]
    ) -> Derived | Unknown:
        """The bound where some cases take from a budget that the program carries, and others are counted."""
        strategy = found.strategy.with_bounds(units)
        counted = {case: unit for case, unit in units.items() if case not in budgets}
        rates = {case: self._rate(case, strategy) for case in counted}
        if self.notion is not None or any(
            case[1] is Share.TAIL or self._is_squared(case) for case in counted
        ):
            return self._beside_squares(list(budgets))
        classes = costs.classes(counted, rates)
        if not self._weighed(classes, counted):
            return Unknown(Code.PRICE_NEGATIVE(), self.mechanism.span)
        return self._solve_invariants(strategy, carried_plans(costs, classes, budgets))

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
            plans = budget_plans(costs, self.analysis, units, rates)
            try:
                result = self._solve_invariants(strategy, plans, self._budget_facts(scales))
            except Unsupported as error:
                result = Unknown(error.why, error.span)
            if isinstance(result, Derived):
                return result
        tails = [case for case in units if case[1] == Share.TAIL]
        moved = [case for case in units if self._is_squared(case)]
        counted = {case: unit for case, unit in units.items() if case not in (*moved, *tails, *summed)}
        classes = costs.dynamic_classes(summed, rates)
        classes += costs.classes(counted, rates, len(classes))
        if self.notion is not None and (counted or summed):
            return self._beside_squares([*counted, *summed])
        if tails or moved:
            for uses, bounds in self._squares_as_they_come(costs, moved, rates, len(classes)):
                summed_up = self._lossy(strategy.with_bounds(bounds), costs, classes, tails, uses)
                if isinstance(summed_up, Derived):
                    return summed_up
            uses = self._gaussian_uses(costs, moved, units, rates, len(classes))
            pairs = self._paired_plans(costs, classes, {case: units[case] for case in moved}, rates)
            return self._lossy(strategy, costs, classes, tails, uses, pairs)
        if not self._weighed(classes, units):
            return Unknown(Code.PRICE_NEGATIVE(), self.mechanism.span)
        joined = islice(self._pooled_plans(costs, classes, units), MAX_POOLED_PLANS)
        plans = chain(joined, plans_with(costs, classes, units, self.prices))
        return self._solve_invariants(strategy, plans)

    def _pooled_plans(
        self, costs: Costs, classes: Sequence[CostClass], units: Mapping[CaseKey, Unit]
    ) -> Iterator[Plan]:
        """With one counter for uses of which a run makes only some, if that is cheaper in the tests."""
        if len(classes) < 2 or self.prices.parts:
            return
        opaque: dict[str, ir.Expression] = {}
        for case, (_, unit) in units.items():
            opaque |= {**opaque_parts(self._price(case)), **opaque_parts(unit)}
        found = pooled(costs, classes, opaque, lambda low, high: self.facts.at_most(low, high, opaque))
        if len(found) < len(classes):
            yield from plans_with(costs, found, units, self.prices)

    @cached_property
    def _fades(self) -> bool:
        """Whether a loop scales down what it adds up, so that the distances of its draws have a sum."""
        return any(decays(item) for item in ir.statements(self.mechanism.body) if isinstance(item, ir.Loop))

    def _is_summable(self, case: CaseKey, strategy: Strategy) -> bool:
        """Whether the distances of a case can be summed up as they come, where only their sum is bounded."""
        (site, number), draw = case, self.analysis.sites[case[0]]
        return (
            isinstance(draw, ir.Draw)
            and not self._is_squared(case)
            and number not in (Share.TAIL, Share.CONTRACTION)
            and not isinstance(strategy.cases[site][number].coupling, Interval)
        )

    def _is_squared(self, case: CaseKey) -> bool:
        """Whether a use is Gaussian noise; for zCDP, any noise with two sides."""
        site, number = self.analysis.sites[case[0]], case[1]
        two_sided = self.notion is ir.Notion.ZCDP and site.distribution == "laplace"
        return site.distribution == "gaussian" or (
            two_sided and number not in (Share.TAIL, Share.CONTRACTION)
        )

    def _beside_squares(self, cases: Sequence[CaseKey]) -> Unknown:
        """That a draw costs something whose square isn't summed up."""
        gdp = self.notion is ir.Notion.GDP
        why = Code.OTHER_THAN_GAUSSIAN() if gdp else Code.OTHER_THAN_TWO_SIDED()
        return Unknown(why, min(self.analysis.sites[site].span for site, _ in cases))

    def _gaussian_uses(
        self,
        costs: Costs,
        moved: Sequence[CaseKey],
        units: Mapping[CaseKey, Unit],
        rates: Mapping[CaseKey, Rational],
        first: int,
    ) -> GaussianUses:
        """What counts uses of Gaussian noise; counters of squares are numbered from ``first``."""
        integral = [case for case in moved if self.analysis.sites[case[0]].sort is ir.Sort.INT]
        if self.notion is ir.Notion.ZCDP:
            integral = []
        real = {case: units[case] for case in moved if case not in integral}
        opaque_definitions: dict[str, ir.Expression] = {}
        for case, (_, unit) in real.items():
            opaque_definitions |= {**opaque_parts(self._price(case)), **opaque_parts(unit)}
        classes = costs.square_classes(real, rates, opaque_definitions, first)
        return GaussianUses(classes, integral, self.notion)

    def _squares_as_they_come(
        self, costs: Costs, moved: Sequence[CaseKey], rates: Mapping[CaseKey, Rational], first: int
    ) -> Iterator[tuple[GaussianUses, Mapping[CaseKey, Unit]]]:
        """Where only a sum of distances, or of their squares, is bounded: counters that add up what is moved.

        With each of them, by how much its cases move the noise at the most.
        """
        sites = (self.analysis.sites[case[0]] for case in moved)
        integral = any(site.distribution == "gaussian" and site.sort is ir.Sort.INT for site in sites)
        summed = [item for item in self.mechanism.parameters if _is_bounded_in_sum(item)]
        if not moved or len(summed) != 1 or (integral and self.notion is not ir.Notion.ZCDP):
            return
        (parameter,) = summed
        assert parameter.metric is not None and parameter.metric.bound is not None
        squared = parameter.metric.kind is ir.MetricKind.L2
        bounds = dict.fromkeys(moved, (Fraction(1), parameter.metric.bound))
        opaque = dict(opaque_parts(parameter.metric.bound))
        for case in moved:
            opaque |= opaque_parts(self._price(case))
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
        yield GaussianUses(classes, [], self.notion), bounds

    def _paired_plans(
        self,
        costs: Costs,
        classes: Sequence[CostClass],
        units: Mapping[CaseKey, Unit],
        rates: Mapping[CaseKey, Rational],
    ) -> Iterator[Plan]:
        """Plans where each use of Gaussian noise pays what it was calibrated to, within the claim."""
        epsilon, delta = self.mechanism.epsilon, self.mechanism.delta
        if epsilon is None or delta is None:
            return
        meant = {**opaque_parts(epsilon), **opaque_parts(delta)}
        for case, (_, unit) in units.items():
            meant |= {**opaque_parts(self._price(case)), **opaque_parts(unit)}
        meant |= square_parts(meant)
        at_most = partial(self.facts.at_most, opaque=meant)
        claim = rational(epsilon), rational(delta)
        for pairs in calibrated_pairs(costs.squares(units, rates, meant), meant):
            yield from paired_plans(costs, classes, pairs, claim, at_most)

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
        epsilon, delta = self.mechanism.epsilon, self.mechanism.delta
        moved = bool(uses.integral or uses.squares)
        claim = None if epsilon is None or delta is None else (rational(epsilon), rational(delta))
        if self.notion is not None and uses.integral:
            return self._beside_squares(uses.integral)
        open_ = (self.part or self.notion is not None) and not uses.integral and not tails
        if (delta is None and not open_) or (moved and claim is None and not open_):
            return Unknown(Code.GAUSSIAN_WITHOUT_CLAIM(), gaussian_place(self.mechanism))
        if tails and moved:
            return Unknown(Code.TAILS_BESIDE_GAUSSIAN(), self.mechanism.span)
        if not moved:
            assert delta is not None
            return self._solve_invariants(strategy, tail_plans(costs, classes, tails, rational(delta)))
        part = self.part or self.notion is not None
        shared = gaussian_plans(costs, classes, uses, claim, part)
        return self._solve_invariants(strategy, chain(shared, pairs))

    def _price(self, case: CaseKey) -> ir.Expression:
        """What a unit of distance costs at a case, in nats, over public parameters.  Raises NotConstant."""
        site, scales = self.analysis.sites[case[0]], Scales(self.mechanism)
        number = case[1]
        if number is Share.TAIL:
            return builders.zero(ir.Sort.REAL)
        known = self.prices.of(case)
        if known is not None:
            return known.max_cost
        match site:
            case ir.Choose(law=ir.Weights(rate=rate)):
                return scales.resolve(rate, site.span)
            case ir.Choose():
                assert isinstance(number, int)
                return self.ratios[case[0]].cost(number)
            case ir.Draw(arguments=arguments):
                return builders.divide(_ONE, scales.resolve(arguments[1], site.span))

    def _rate(self, case: CaseKey, strategy: Strategy) -> Rational:
        """What a unit of distance costs at a case.  Raises NotConstant, Unsupported."""
        site, number = case
        if number != Share.CONTRACTION:
            return rational(self._price(case))
        gap = strategy.gap(site)
        if gap is None:
            raise Unsupported(Code.INTERVALS_UNLIKE(), self.analysis.sites[site].span)
        return Rational.number(1) / rational(gap)

    def _alike(self, rates: Mapping[CaseKey, Rational]) -> Iterator[tuple[CaseKey, Rational]]:
        """Pairs of outcomes that no test met, where they cost as much as others, or a multiple."""
        for site, ratios in self.ratios.items():
            for pair, cost in ratios.costs.items():
                case = (site, ratios.number(*pair))
                if case not in rates and cost != ZERO_COST:
                    rate = rational(cost)
                    if any((rate / other).constant_value() is not None for other in rates.values()):
                        yield case, rate

    def _weighed(self, classes: Sequence[CostClass], units: Mapping[CaseKey, Unit]) -> bool:
        """Whether every counter counts up, at a price of at least 0 for all parameters.

        A scale is shown positive only where its draw is reached; the sum over all counters is
        taken everywhere.
        """
        opaque: dict[str, ir.Expression] = {}
        for case, (_, unit) in units.items():
            opaque.update({**opaque_parts(self._price(case)), **opaque_parts(unit)})
        upward = all(multiple > 0 for item in classes for multiple in item.multiples.values())
        return upward and self.facts.all_nonnegative((item.weight for item in classes), opaque)

    def _budget_facts(self, scales: Scales) -> tuple[ir.Expression, ...]:
        """How locals that are functions of the parameters compare with 0 and with real parameters."""
        candidates = budget_comparisons(self.analysis, scales)
        span = self.mechanism.span
        return tuple(item for item in candidates if self.facts.holds(scales.resolve(item, span)))

    def _solve_invariants(
        self, strategy: Strategy, plans: Iterator[Plan], facts: tuple[ir.Expression, ...] = ()
    ) -> Derived | Unknown:
        unknown = Unknown(Code.NO_BOUND(), self.mechanism.span)
        sound = False
        for plan in (aware(item, self.prices) for item in plans):
            self.progress("invariants")
            found = self._with_plan(strategy, plan, facts)
            if isinstance(found, Derived):
                return found
            if found is not None:
                unknown = found
                if len(self.timeouts) >= MAX_SOLVER_TIMEOUTS:
                    return unknown
            elif not sound:
                try:
                    sound = self._sound(strategy, plan.accounting, facts)
                except GaveUp as error:
                    unknown = self._gave_up(error)
                    if len(self.timeouts) >= MAX_SOLVER_TIMEOUTS:
                        return unknown
                    continue
                if not sound:
                    free = self._free(strategy, plan.accounting, facts)
                    why = Code.NO_STRATEGY_FOR_ALL()
                    return Unknown(why, self.mechanism.span, locate=partial(unshown, free))
        return unknown

    def _with_plan(
        self, strategy: Strategy, plan: Plan, facts: tuple[ir.Expression, ...]
    ) -> Derived | Unknown | None:
        """The proof with these bounds on the costs; None if they are too low."""
        unknown: Unknown | None = None
        too_low = False
        for product in self._products(strategy, plan.accounting, facts):
            system = product.system()
            try:
                solution = _solved(product, plan.accounting, system)
            except GaveUp as error:
                unknown = unknown or self._gave_up(error)
                continue
            if solution is None:
                too_low = True
                continue
            self.progress("check")
            checked = self._check_certificate(product, plan, system, solution)
            if isinstance(checked, Derived):
                return checked
            unknown = checked
        return None if too_low else unknown

    def _gave_up(self, error: GaveUp) -> Unknown:
        self.timeouts.append(str(error))
        return Unknown(Code.SOLVER_GAVE_UP(problem=str(error)), self.mechanism.span)

    def _check_certificate(
        self, product: Product, plan: Plan, system: HornSystem, solution: Solution
    ) -> Derived | Unknown:
        """The proof, if the kernel accepts its certificate, which has short invariants if possible."""
        short = shrunk(system, solution)

        def write_documents(claim: Claim) -> Iterator[str]:
            yield certificate_text(product, plan, claim, short, self.safety)
            if short != solution:
                yield certificate_text(product, plan, claim, solution, self.safety)

        opaque_definitions = {
            **plan.accounting.opaque_definitions(),
            **product.strategy.opaque_definitions(),
        }
        try:
            if self.notion is not None and not self.part:
                square = _NO_SQUARE if plan.noise is None else plan.noise.square
                found = check_squares(self.mechanism, self.notion, square, write_documents, self.verdict_of)
            else:
                found = check_within_claim(
                    self.mechanism,
                    (plan.total, opaque_definitions),
                    self.facts,
                    write_documents,
                    self.verdict_of,
                )
        except Inexpressible as error:
            return Unknown(Code.NOT_CERTIFIABLE(what=str(error)), self.mechanism.span)
        if isinstance(found, Unknown):
            return found
        return Derived(plan.total, plan.delta, product.strategy, opaque_definitions, plan.noise, found)

    def _products(
        self, strategy: Strategy, accounting: Accounting, facts: tuple[ir.Expression, ...]
    ) -> Iterator[Product]:
        """The product, with and without summaries of loops that add up: first what is likely to be solved."""
        plain = Product(
            self.mechanism, self.analysis, strategy, self.templates, accounting, facts, self.ratios
        )
        summarized = replace(plain, folds=self._folds)
        ways = [plain, *([summarized] if summarized.summed else [])]
        yield from reversed(ways) if self._needs_summaries else ways

    @cached_property
    def _needs_summaries(self) -> bool:
        """Whether loops that add up are inside of others, or add up much: that is hard for solvers."""
        loops = [item for item in ir.statements(self.mechanism.body) if isinstance(item, ir.Loop)]
        inner = {
            item.loop for loop in loops for item in ir.statements(loop.body) if isinstance(item, ir.Loop)
        }
        return any(number in inner or len(fold.increments) > FEW_SUMS for number, fold in self._folds.items())

    def _sound(self, strategy: Strategy, accounting: Accounting, facts: tuple[ir.Expression, ...]) -> bool:
        """Whether the coupling holds at all, whatever it costs."""
        free = self._free(strategy, accounting, facts)
        return solve_horn(free.system(), HORN_MILLISECONDS) is not None

    def _free(self, strategy: Strategy, accounting: Accounting, facts: tuple[ir.Expression, ...]) -> Product:
        """The product of a coupling that may cost whatever it does."""
        return next(self._products(strategy, replace(accounting, bounds={}), facts))


def _solved(product: Product, accounting: Accounting, system: HornSystem) -> Solution | None:
    """Invariants, if there are any; with those of the outer loops given if possible.  Raises GaveUp."""
    facts = kept_facts(product, system)
    return (
        _solved_with(system, given_invariants(product, accounting))
        or (_solved_with(system, given_differences(system)) if product.summed else None)
        or (_solved_knowing(system, facts) if facts else solve_horn(system, HORN_MILLISECONDS))
    )


def _solved_with(system: HornSystem, given: Solution) -> Solution | None:
    """A solution in which some predicates are given; None if there is none."""
    if not given:
        return None
    try:
        rest = solve_horn(system.under(given), HORN_MILLISECONDS)
    except GaveUp:
        return None
    return None if rest is None else {**rest, **given}


def _solved_knowing(system: HornSystem, facts: Solution) -> Solution | None:
    """A solution that extends facts which hold by themselves; None if there is none.  Raises GaveUp."""
    rest = solve_horn(knowing(system, facts), HORN_MILLISECONDS)
    if rest is None:
        return None
    return {name: all_of((facts.get(name, TRUE()), found)) for name, found in rest.items()}


def _is_flagged(mechanism: ir.Mechanism) -> bool:
    """Whether all that is bounded in sum is how many flags differ: what each costs may be counted, too."""
    return all(
        item.sort is ir.Sort.BOOL
        for item in mechanism.parameters
        if item.metric is not None and item.metric.kind is ir.MetricKind.L1
    )


def _is_bounded_in_sum(parameter: ir.Parameter) -> bool:
    """Whether only the sum of an entry's differences, or of their squares, is bounded."""
    metric = parameter.metric
    return (
        metric is not None
        and metric.kind in (ir.MetricKind.L1, ir.MetricKind.L2)
        and parameter.sort is not ir.Sort.BOOL
    )


def _meets_claim(result: Derived | Unknown) -> bool:
    return isinstance(result, Derived) and result.checked.within_claim


def _is_refuted(result: Unknown) -> bool:
    """Whether a coupling doesn't hold whatever it costs, or its price has no sign."""
    return result.why.code in (Code.NO_STRATEGY_FOR_ALL, Code.PRICE_NEGATIVE)


def is_zero(delta: ir.Expression | None) -> bool:
    return delta is None or rational(delta).is_zero()


def _is_dynamic(mechanism: ir.Mechanism) -> bool:
    """Whether distances are bounded in sum only, and so are added up as they come."""
    return any(
        item.metric is not None and item.metric.kind is ir.MetricKind.L1 for item in mechanism.parameters
    )
