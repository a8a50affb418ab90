"""From a mechanism to the cheapest strategy that no test refutes, written as guarded cases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import product

from synth.prover.costs.cases import CaseKey
from synth.prover.costs.costs import CasePayment, TrialCost
from synth.prover.costs.likelihood_ratios import RatioTable
from synth.prover.product.strategy import Case, Condition, GuardPredicate, Interval, Shift, Strategy, Tail
from synth.prover.search.branch_and_bound import Candidate, Passed, Search
from synth.prover.search.choices import Choices, observable_families
from synth.prover.search.coupled_runs import Coupled, Follower, Key, Payment, Prepared, Undecided, prepare
from synth.prover.templates.evaluation import concrete_coupling
from synth.prover.templates.template import Template
from synth.prover.testing.recording import Trace
from synth.prover.testing.valuations import Valuation
from synth.support.floats import estimate
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis


@dataclass(frozen=True)
class Found:
    """A strategy (its bounds still open), its cost in the tests, and what each test paid by case.

    ``like`` are cases that no test reached, with the case of the same site that they copy.
    """

    strategy: Strategy
    cost: float
    tests: tuple[TrialCost, ...]
    choices: Choices
    like: dict[tuple[int, int], tuple[int, int]]


class Exhausted(Exception):
    """The budget is used up before it is known whether there is a strategy."""


MATCHING_BUDGET = 8000
"""Coupled runs for the question whether tests can be matched at all."""

LEARNED = 4
"""Runs that refute one strategy and become tests,"""

BATCHES = 4
"""and how many strategies are held against further runs, each against its own."""

_UNGUARDED: Mapping[int, tuple[GuardPredicate, ...]] = defaultdict(tuple)
"""Strategies that ask for nothing, at any site: there are few, and chains of branches need no more."""


@dataclass(frozen=True)
class Problem:
    """What strategies are searched for: those of a mechanism that no test among ``runs`` refutes.

    ``ratios`` are what pairs of outcomes cost, by sampling site; ``tails`` are given up, ``intervals`` are
    what draws may be coupled by besides shifts.  Costs are compared at the ``reference`` valuation.
    ``further`` runs are looked through once a strategy could not be proved, batch by batch.  Where it isn't
    ``guarded``, no coupling depends on what is published; if it is ``directed``, some may depend on whether
    the entry that changes grows.
    """

    mechanism: ir.Mechanism
    analysis: Analysis
    templates: Mapping[str, Template]
    ratios: Mapping[int, RatioTable]
    tails: Mapping[int, Tail]
    intervals: Mapping[int, Sequence[Interval]]
    runs: Sequence[Trace]
    reference: Valuation
    further: Callable[[int], Iterable[Trace]] = lambda _batch: ()
    guarded: bool = True
    directed: bool = False


@dataclass
class Family:
    """The strategies that publish one set of branches, cheapest first, as far as the tests tell."""

    choices: Choices
    problem: Problem
    found: list[Candidate] = field(default_factory=list)
    asked: Mapping[int, tuple[GuardPredicate, ...]] = field(default_factory=lambda: _UNGUARDED)
    _tests: dict[tuple[int, int], Prepared] = field(default_factory=dict)
    _passed: Passed = field(default_factory=dict)
    _couplings: dict[Coupled, Coupled] = field(default_factory=dict)

    def next(self, ceiling: float = float("inf")) -> Found | None:
        """The cheapest strategy below the ceiling that was not given before; None when there is no other."""
        predicates = _UNGUARDED
        candidate = self._search(predicates, ceiling, wide=False, budget=20000)
        every, few = self.choices.predicates, self._few_predicates
        fewer = [] if few == every else [(few, False, 20000)]
        for asked, wide, budget in (*fewer, (every, False, 60000), (every, True, 20000)):
            if not wide or candidate is None or self._grows(candidate):
                best = candidate.cost if candidate else ceiling
                guarded = self._search(asked, best, wide=wide, budget=budget)
                if guarded is not None:
                    predicates, candidate = asked, guarded
        if candidate is None:
            return None
        self.found.append(candidate)
        self.asked = predicates
        found = _generalized(self.choices, predicates, candidate)
        return replace(found, strategy=replace(found.strategy, tails=self.problem.tails))

    def learn(self, runs: Iterable[Trace]) -> bool:
        """Whether some of these runs refute the last strategy, or what it was thought to cost.

        They become tests, which other strategies with the same mistake don't pass either.
        """
        follower, last = self._follower, self.found[-1]
        failing: list[Trace] = []
        dearer: list[tuple[float, Trace]] = []
        for test in self._prepared(runs, self.asked):
            try:
                outcome = follower.follow(test, last.choices)
            except Undecided:
                continue
            cost = sum(paid.cost for paid in outcome.payments)
            if not outcome.holds:
                failing.append(test.trace)
            elif test.trace.instance.valuation is self.problem.reference and cost > last.cost + 1e-9:
                dearer.append((cost, test.trace))
        failing.sort(key=lambda trace: len(trace.steps))
        dearer.sort(key=lambda item: -item[0])
        learned = failing[:LEARNED] or [trace for _, trace in dearer[:LEARNED]]
        self.problem = replace(self.problem, runs=(*self.problem.runs, *learned))
        return bool(learned)

    def matches(self, tests: Sequence[Prepared]) -> bool:
        """Whether some strategy, whatever it costs, is found that makes run 2 publish what these tests do.

        Raises Exhausted.
        """
        search = self._prepared_search(tests, float("inf"), wide=True, budget=MATCHING_BUDGET)
        found = search.best()
        if found is None and search.budget <= 0:
            raise Exhausted
        return found is not None

    def _search(
        self, predicates: Mapping[int, tuple[GuardPredicate, ...]], ceiling: float, *, wide: bool, budget: int
    ) -> Candidate | None:
        tests = self._prepared(self.problem.runs, predicates)
        search = self._prepared_search(tests, ceiling, wide=wide, budget=budget)
        return replace(search, passed=self._passed).best()

    def _prepared(
        self, runs: Iterable[Trace], predicates: Mapping[int, tuple[GuardPredicate, ...]]
    ) -> list[Prepared]:
        """The runs as tests, each made once."""
        observable_branches, returned = self.choices.observable_branches, self.choices.analysis.returned_lists
        found: list[Prepared] = []
        for trace in runs:
            place = id(predicates), id(trace)
            known = self._tests.get(place)
            if known is None or known.trace is not trace:
                known = prepare(trace, observable_branches, returned, predicates)
                self._tests[place] = known
            found.append(known)
        return found

    def _prepared_search(
        self, tests: Sequence[Prepared], ceiling: float, *, wide: bool, budget: int
    ) -> Search:
        options = self._wide_options if wide else self._narrow_options
        return Search(
            self._follower,
            list(tests),
            lambda key: options[key[0]],
            self.problem.reference,
            [candidate.choices for candidate in self.found],
            ceiling,
            budget,
        )

    @cached_property
    def _few_predicates(self) -> Mapping[int, tuple[GuardPredicate, ...]]:
        """Those that compare with no number: of strategies that cost the same, these ask for less."""
        return {
            site: tuple(item for item in asked if not isinstance(item.expression, ir.Constant))
            for site, asked in self.choices.predicates.items()
        }

    @cached_property
    def _narrow_options(self) -> dict[int, list[Coupled]]:
        return self._options(wide=False)

    @cached_property
    def _wide_options(self) -> dict[int, list[Coupled]]:
        return self._options(wide=True)

    def _options(self, *, wide: bool) -> dict[int, list[Coupled]]:
        """By site; what is equal is one object, so that outcomes of tests are known again."""
        one = self._couplings.setdefault
        return {
            site: [
                *(one(item, item) for item in self.choices.candidate_shifts(site, wide=wide)),
                *self.problem.intervals.get(site, ()),
            ]
            for site in self.choices.analysis.sites
        }

    @cached_property
    def _follower(self) -> Follower:
        couplings = {name: concrete_coupling(template) for name, template in self.problem.templates.items()}
        observable_branches = self.choices.observable_branches
        returned = self.choices.analysis.returned_lists
        return Follower(
            mechanism=self.choices.mechanism,
            observable_branches=observable_branches,
            returned=returned,
            couplings=couplings,
            ratios=self.problem.ratios,
            tails=self.problem.tails,
            influence=self.choices.influence,
        )

    def _grows(self, candidate: Candidate) -> bool:
        """Whether some test with long inputs pays about as often as they are long."""
        most = max(
            (
                sum(1 for item in paid if item.rate)
                for valuation, paid in candidate.payments
                if valuation is self.problem.reference
            ),
            default=0,
        )
        return most >= self.problem.reference.length - 1


def strategies(problem: Problem, *, ceiling: float = float("inf"), limit: int) -> Iterator[Found]:
    """Strategies below a cost that no test refutes, the cheapest first.

    At a tie it is the turn of what was published least often, and then of what publishes more: a strategy
    that could not be proved may have many likenesses of the same cost.
    """
    families = [
        Family(
            Choices(
                problem.mechanism, problem.analysis, observable_branches, problem.guarded, problem.directed
            ),
            problem,
        )
        for observable_branches in observable_families(problem.analysis)
    ]
    waiting: list[tuple[Family, Found | None]] = []
    given = [0] * len(families)
    best = ceiling
    batch = 0
    for family in families:
        found = family.next(best)
        waiting.append((family, found))
        best = min(best, found.cost if found else best)
    for _ in range(limit):
        ready = [
            (round(found.cost, 6), given[place], place)
            for place, (_, found) in enumerate(waiting)
            if found is not None
        ]
        if not ready:
            return
        *_, place = min(ready)
        given[place] += 1
        family, found = waiting[place]
        assert found is not None
        yield found
        if batch < BATCHES and family.learn(problem.further(batch)):
            batch += 1
        waiting = [
            (other, other.next(ceiling) if number == place or waited is None else waited)
            for number, (other, waited) in enumerate(waiting)
        ]


def _generalized(
    choices: Choices, given: Mapping[int, tuple[GuardPredicate, ...]], candidate: Candidate
) -> Found:
    """Guards that look only at what makes a difference, and the payments by case."""
    cases: dict[int, tuple[Case, ...]] = {}
    case_of: dict[Key, int] = {}
    like: dict[tuple[int, int], tuple[int, int]] = {}
    for site in choices.analysis.sites:
        table = {key[1]: coupling for key, coupling in candidate.choices.items() if key[0] == site}
        predicates, table = _needed(given[site], table)
        listed = _cases(predicates, table)
        cases[site] = listed
        like.update(_copies(site, listed, predicates, table))
        kept = [given[site].index(predicate) for predicate in predicates]
        for key in candidate.choices:
            if key[0] == site:
                case_of[key] = _number(listed, predicates, tuple(key[1][place] for place in kept))
    tests = tuple(
        TrialCost(
            valuation,
            tuple(
                _paid(paid, (paid.key[0], case_of[paid.key] if paid.pair is None else paid.pair))
                for paid in payments
            ),
        )
        for valuation, payments in candidate.payments
    )
    return Found(Strategy(choices.observable_branches, cases), candidate.cost, tests, choices, like)


def _paid(payment: Payment, case: CaseKey) -> CasePayment:
    moved = payment.distance if payment.moved is None else payment.moved
    return CasePayment(case, Fraction(payment.distance), Fraction(moved), estimate(moved) * payment.rate)


Values = tuple[bool | int, ...]


def _needed(
    predicates: tuple[GuardPredicate, ...], table: dict[Values, Coupled]
) -> tuple[tuple[GuardPredicate, ...], dict[Values, Coupled]]:
    """Drop the guard predicates that the choices don't depend on."""
    place = 0
    while place < len(predicates):
        smaller: dict[Values, Coupled] = {}
        for values, coupling in table.items():
            rest = values[:place] + values[place + 1 :]
            if smaller.setdefault(rest, coupling) != coupling:
                break
        else:
            predicates, table = predicates[:place] + predicates[place + 1 :], smaller
            continue
        place += 1
    return predicates, table


def _cases(predicates: tuple[GuardPredicate, ...], table: dict[Values, Coupled]) -> tuple[Case, ...]:
    """A case per combination of values; one that no test reached is treated as the nearest that one did."""
    if not table:
        return (Case((), Shift(null=True), None),)
    found = []
    for values in product(*(_domain(predicate) for predicate in predicates)):
        coupling = table[values] if values in table else table[_nearest(values, table)]
        conditions = tuple(
            Condition(predicate, value) for predicate, value in zip(predicates, values, strict=True)
        )
        found.append(Case(conditions, coupling, None))
    return tuple(found)


def _copies(
    site: int,
    cases: tuple[Case, ...],
    predicates: tuple[GuardPredicate, ...],
    table: Mapping[Values, Coupled],
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    for place, case in enumerate(cases):
        values = tuple(condition.value for condition in case.conditions)
        if table and values not in table:
            yield (site, place), (site, _number(cases, predicates, _nearest(values, table)))


def _nearest(values: Values, table: Iterable[Values]) -> Values:
    """Of the combinations that tests reached, the one that agrees in most predicates, early ones first.

    What comes later may not happen at all, and then its predicate says nothing.
    """

    def agreement(other: Values) -> tuple[bool, ...]:
        return tuple(first == second for first, second in zip(values, other, strict=True))

    return max(table, key=lambda other: (agreement(other), sum(agreement(other))))


def _domain(predicate: GuardPredicate) -> Iterable[bool | int]:
    return (True, False) if predicate.expression is None else (-1, 0, 1)


def _number(cases: tuple[Case, ...], predicates: tuple[GuardPredicate, ...], values: Values) -> int:
    wanted = tuple(Condition(predicate, value) for predicate, value in zip(predicates, values, strict=True))
    return next(place for place, case in enumerate(cases) if case.conditions == wanted)


def used_cases(tests: Sequence[TrialCost]) -> Iterator[CaseKey]:
    """The cases that cost anything in some test, each once."""
    yield from sorted({paid.case for test in tests for paid in test.payments})
