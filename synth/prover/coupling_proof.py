"""One proof of a mechanism as a whole: strategies, until the bound of one meets the claim.

What the search proposes is believed only after the kernel has accepted its certificate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial

from synth.bounds.rational import Rational
from synth.bounds.scales import NotConstant
from synth.prover.acceptance import (
    Unknown,
)
from synth.prover.attempt import CLOSE, Attempt, is_zero
from synth.prover.bounded_proof import BoundedProof
from synth.prover.codes import Code
from synth.prover.costs.costs import Costs
from synth.prover.invariant_proof import Derived, gave_up, lowest, meets_claim
from synth.prover.obstacles import unmatched
from synth.prover.product.clause_builder import Unsupported
from synth.prover.product.strategy import Shift, Tail
from synth.prover.search.choices import Choices, has_order
from synth.prover.search.intervals import Intervals
from synth.prover.search.synthesis import Found, Problem, strategies, used_cases
from synth.prover.search.tails import affordable, candidates, within
from synth.prover.templates.evaluation import concrete_support
from synth.prover.testing.recording import Trace, traces
from synth.prover.testing.valuations import Valuation
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

TRIALS = 240
FURTHER = 1500
UNDIRECTED, DIRECTED = 8, 2
"""Strategies that are tried, and those that ask for the order of the inputs."""

MORE_TRIES = 2
"""After bounds that miss the claim."""

_NOTHING = ir.Constant(Fraction(0), ir.Sort.REAL)


@dataclass(frozen=True)
class CouplingSearch:
    """The strategies of one mechanism, and their bounds.  With ``ceiling`` only a bound below is wanted."""

    attempt: Attempt
    ceiling: Rational | None = None
    _batches: dict[int, list[Trace]] = field(default_factory=dict)

    @cached_property
    def bounds(self) -> BoundedProof:
        """What bounds the cost of a strategy."""
        return BoundedProof(self.attempt)

    @cached_property
    def _intervals(self) -> Intervals:
        return Intervals(self.attempt.mechanism, self.attempt.analysis, self.attempt.admissible)

    def run(self) -> Derived | Unknown:
        """The proof of the cheapest strategy that has one."""
        admissible = self.attempt.admissible
        if not admissible:
            return Unknown(Code.NO_SMALL_PARAMETERS(), self.attempt.mechanism.span)
        self.attempt.progress("tests")
        runs = self._traces(max(TRIALS, 20 * len(admissible)))
        lasting = replace(self.attempt, lasting=True)
        if not self.attempt.lasting and self._misses_draws(runs) and lasting.admissible:
            return CouplingSearch(lasting, self.ceiling).run()
        if not runs:
            return Unknown(Code.NO_RUN_ENDS(), self.attempt.mechanism.span)
        reference = admissible[0]
        if all(run.instance.valuation is not reference for run in runs):
            reference = max((run.instance.valuation for run in runs), key=lambda valuation: valuation.length)
        return self._search(runs, reference)

    def _misses_draws(self, runs: Iterable[Trace]) -> bool:
        """Whether some draw is reached in no run."""
        reached = {step.source for run in runs for step in run.steps if step.observable is None}
        return not self.attempt.analysis.sites.keys() <= reached

    def _traces(self, count: int, seed: int = 1) -> list[Trace]:
        supports = {name: concrete_support(item) for name, item in self.attempt.templates.items()}
        places = self._intervals.places()
        return traces(self.attempt.mechanism, self.attempt.admissible, supports, count, places, seed)

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
        if isinstance(result, Derived) and self._may_depend_on_the_order(result):
            result = self._in_each_order(runs, reference, result)
        if meets_claim(result) or is_zero(self.attempt.mechanism.delta):
            return result
        missing = result if isinstance(result, Derived) else missing
        units = Choices(self.attempt.mechanism, self.attempt.analysis, frozenset()).units
        for tails in candidates(self.attempt.mechanism, units):
            if affordable(self.attempt.mechanism, tails, self.attempt.admissible):
                other = self._with_truncated_tails(runs, reference, tails, missing)
                if isinstance(other, Derived):
                    if meets_claim(other):
                        return other
                    missing = missing or other
        return missing or result

    def _may_depend_on_the_order(self, found: Derived) -> bool:
        """Whether a lower bound is wanted, and one draw may pay for both orders of the inputs.

        That is so where some draws are set apart by a distance of their own.
        """
        wanted = self.attempt.mechanism.epsilon is None or not found.checked.within_claim
        couplings = (case.coupling for cases in found.strategy.cases.values() for case in cases)
        apart = any(isinstance(item, Shift) and item.units and not item.null for item in couplings)
        return wanted and apart and any(map(has_order, self.attempt.mechanism.parameters))

    def _in_each_order(self, runs: Sequence[Trace], reference: Valuation, found: Derived) -> Derived:
        """The proof by a strategy that asks which run has the larger entry, if that costs less.

        It counts as the cheapest where the other one does: parts that don't ask cost no less than that.
        """
        other = self._try_strategies(runs, reference, {}, found, directed=True)
        results = [found, *([other] if isinstance(other, Derived) else [])]
        return replace(lowest(self.attempt, results, reference) or found, cheapest=found.cheapest)

    def _with_truncated_tails(
        self,
        runs: Sequence[Trace],
        reference: Valuation,
        tails: Mapping[int, Tail],
        known: Derived | None = None,
    ) -> Derived | Unknown:
        """The proof where these tails are given up."""
        inside = within(runs, tails, self.attempt.mechanism)
        if any(run.instance.valuation is reference for run in inside):
            return self._try_strategies(inside, reference, tails, known)
        return Unknown(Code.NOISE_NEVER_INSIDE(), self.attempt.mechanism.span)

    def _interval_tails(self) -> Iterator[Mapping[int, Tail]]:
        """What is given up so that intervals between thresholds have a width; never without a claim."""
        for tails in self._intervals.tails():
            if all(
                self.attempt.facts.holds(builders.less_equal(_NOTHING, tail.limit)) for tail in tails.values()
            ):
                yield tails

    def _try_strategies(
        self,
        runs: Sequence[Trace],
        reference: Valuation,
        tails: Mapping[int, Tail],
        known: Derived | None = None,
        *,
        directed: bool = False,
    ) -> Derived | Unknown:
        result: Derived | Unknown
        self.attempt.progress("strategies")
        shard = self.attempt.shard.for_a_list()
        problem = Problem(
            mechanism=self.attempt.mechanism,
            analysis=self.attempt.analysis,
            templates=self.attempt.templates,
            ratios=self.attempt.ratios,
            tails=tails,
            intervals=self._intervals.offered(tails),
            runs=runs,
            reference=reference,
            further=lambda batch: within(self._further(batch), tails, self.attempt.mechanism),
            guarded=self.attempt.notion is None,
            directed=directed,
        )
        limit = DIRECTED if directed else UNDIRECTED
        result = Unknown(Code.NO_STRATEGY(), self.attempt.mechanism.span, locate=partial(unmatched, problem))
        loose: list[Derived] = []
        too_narrow: Found | None = None
        stalled: Unknown | None = None
        for number, found in enumerate(
            strategies(problem, ceiling=self._worth(known, reference), limit=limit)
        ):
            if not shard.takes(number):
                continue
            try:
                result = self.bounds.bound(found)
            except NotConstant as error:
                return Unknown(Code.SCALE_NOT_CONSTANT(scale=str(error)), error.span)
            except Unsupported as error:
                result = Unknown(error.why, error.span)
            if isinstance(result, Derived) and not result.checked.within_claim and not loose:
                result = self._with_calibrated_distances(found, result)
            if isinstance(result, Derived):
                shard.found()
            if isinstance(result, Derived) and self._is_loose(result, found, reference):
                loose.append(result)
                self._tell(result)
            elif isinstance(result, Derived):
                cost = self.attempt.cost_at(result.epsilon, result.opaque_definitions, reference)
                return replace(result, cheapest=number == 0 and cost <= found.cost)
            if stalled is None and isinstance(result, Unknown) and gave_up(result):
                stalled = result
            if too_narrow is None and isinstance(result, Unknown) and _is_refuted(result):
                too_narrow = found
            if len(loose) > MORE_TRIES or (isinstance(result, Unknown) and self._is_last(result)):
                break
            self.attempt.progress("strategies")
        if isinstance(result, Unknown) and not loose and too_narrow is not None:
            result = self._with_wider_distances(too_narrow, result)
            if isinstance(result, Derived):
                shard.found()
        if stalled is not None and isinstance(result, Unknown) and gave_up(result):
            result = stalled
        return lowest(self.attempt, loose, reference) or result

    def _tell(self, result: Derived) -> None:
        """A part's bound is none of the whole."""
        if not self.attempt.part:
            self.attempt.progress("strategies", result.epsilon)

    def _is_last(self, result: Unknown) -> bool:
        return result.final or self.attempt.weary

    def _is_loose(self, result: Derived, found: Found, reference: Valuation) -> bool:
        """Whether the tests say that a bound could be lower that misses the claim.

        Where there is no claim they say so by a strategy that asks for nothing, and costs less.
        """
        cost = self.attempt.cost_at(result.epsilon, result.opaque_definitions, reference)
        if not meets_claim(result):
            return cost > found.cost * (1 + CLOSE)
        is_other = found.unguarded > found.cost * (1 + CLOSE)
        return self.attempt.mechanism.epsilon is None and is_other and cost > found.unguarded * (1 + CLOSE)

    def _with_wider_distances(self, found: Found, narrow: Unknown) -> Derived | Unknown:
        """The proof of a strategy that is refuted where it moves noise no further than tests did."""
        try:
            wide = self.bounds.bound(found, Costs.wider_unit)
        except Unsupported:
            return narrow
        return wide if isinstance(wide, Derived) else narrow

    def _with_calibrated_distances(self, found: Found, costly: Derived) -> Derived:
        """The proof with what the noise is calibrated to for distances, if that meets the claim."""
        costs, cases = self.bounds.costs(found), used_cases(found.tests)
        if all(costs.unit(case) == costs.calibrated_unit(case) for case in cases):
            return costly
        try:
            other = self.bounds.bound(found, Costs.calibrated_unit)
        except Unsupported:
            return costly
        return other if meets_claim(other) and isinstance(other, Derived) else costly

    def _worth(self, bound: Derived | None, reference: Valuation) -> float:
        """What a strategy may cost at a valuation to be worth a look, beside a bound that is proved."""
        known = [] if self.ceiling is None else [(self.ceiling, dict[str, ir.Expression]())]
        known += [] if bound is None else [(bound.epsilon, dict(bound.opaque_definitions))]
        return min(
            (
                self.attempt.cost_at(total, opaque_definitions, reference)
                for total, opaque_definitions in known
            ),
            default=float("inf"),
        )


def _is_refuted(result: Unknown) -> bool:
    """Whether a coupling doesn't hold whatever it costs, or its price has no sign."""
    return result.why.code in (Code.NO_STRATEGY_FOR_ALL, Code.PRICE_NEGATIVE)
