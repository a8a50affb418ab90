"""From a mechanism to the cheapest strategy that no test refutes, written as guarded cases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product

from synth.prover.costs.cases import CaseKey
from synth.prover.costs.costs import CasePayment, TrialCost
from synth.prover.costs.likelihood_ratios import RatioTable
from synth.prover.product.strategy import Case, Condition, GuardPredicate, Interval, Shift, Strategy, Tail
from synth.prover.search.branch_and_bound import Candidate, Passed, Search
from synth.prover.search.choices import Choices, observable_families
from synth.prover.search.coupled_runs import (
    Coupled,
    Follower,
    Key,
    Payment,
    Prepared,
    Undecided,
    Values,
    prepare,
)
from synth.prover.search.iterations import Iterations
from synth.prover.search.ties import Ties, ties, without_ties
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

    ``like`` are cases that no test reached, with the case of the same site that they copy.  A strategy
    ``grows`` if it pays about as often as inputs are long.  The cheapest one that asks for nothing costs
    ``unguarded`` in the tests.
    """

    strategy: Strategy
    cost: float
    tests: tuple[TrialCost, ...]
    choices: Choices
    like: dict[tuple[int, int], tuple[int, int]]
    grows: bool = False
    unguarded: float = float("inf")


class Exhausted(Exception):
    """The budget is used up before it is known whether there is a strategy."""


MATCHING_BUDGET = 8000
"""Coupled runs for the question whether tests can be matched at all."""

LEARNED = 4
"""Runs that refute one strategy and become tests,"""

BATCHES = 4
"""and how many strategies are held against further runs, each against its own."""

TIED = 1 + 1e-6
"""Strategies that cost no more than so many times as much cost the same."""

MANY_CHOICES = 8
"""With more, what is simple is looked for by itself."""

_UNGUARDED: Mapping[int, tuple[GuardPredicate, ...]] = defaultdict(tuple)
"""Strategies that ask for nothing, at any site: there are few, and chains of branches need no more."""


@dataclass(frozen=True)
class Problem:
    """What strategies are searched for: those of a mechanism that no test among ``runs`` refutes.

    ``ratios`` are what pairs of outcomes cost, by sampling site; ``tails`` are given up, and ties of what is
    ``apart``; ``intervals`` are what draws may be coupled by besides shifts.  Costs are compared at the
    ``reference`` valuation.
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
    apart: Ties = field(default_factory=dict)


class Reach(Enum):
    """How many couplings are tried: shifts by at most a unit, the usual ones, or also rare ones."""

    NEAR = 0
    USUAL = 1
    RARE = 2


@dataclass
class Family:
    """The strategies that publish one set of branches, cheapest first, as far as the tests tell.

    There are none ``nothing_below`` a cost, with and without rare couplings.
    """

    choices: Choices
    problem: Problem
    found: list[Candidate] = field(default_factory=list)
    asked: Mapping[int, tuple[GuardPredicate, ...]] = field(default_factory=lambda: _UNGUARDED)
    nothing_below: dict[bool, float] = field(default_factory=dict)
    unguarded: float = float("inf")
    _tests: dict[tuple[int, int], Prepared] = field(default_factory=dict)
    _passed: Passed = field(default_factory=dict)
    _couplings: dict[Coupled, Coupled] = field(default_factory=dict)
    _by_reach: dict[Reach, dict[int, list[Coupled]]] = field(default_factory=dict)

    def next(self, ceiling: float = float("inf"), *, rare: bool = True) -> Found | None:
        """The cheapest strategy below the ceiling that was not given before; None when there is no other.

        If ``rare``, rare couplings are tried where no usual ones do.  After one that asks for all that can be
        asked, it is the turn of one that asks for less.
        """
        if ceiling <= max(self.nothing_below.get(True, 0.0), self.nothing_below.get(rare, 0.0)):
            return None
        last = self.asked
        self.asked, candidate = _UNGUARDED, None
        if last is self.choices.predicates:
            self.asked, candidate = self._iterations.soon, self._near(ceiling)
        if candidate is None:
            self.asked, candidate = self._cheapest(ceiling, rare)
        if candidate is None:
            self.nothing_below[rare] = ceiling
            return None
        self.found.append(candidate)
        found = _generalized(self.choices, self.asked, candidate)
        given_up = replace(found.strategy, tails=self.problem.tails, apart=self.problem.apart)
        return replace(found, strategy=given_up, grows=self._grows(candidate), unguarded=self.unguarded)

    def _cheapest(
        self, ceiling: float, rare: bool
    ) -> tuple[Mapping[int, tuple[GuardPredicate, ...]], Candidate | None]:
        """The cheapest strategy that the searches find, and what its guards may ask."""
        predicates, candidate = _UNGUARDED, self._search(_UNGUARDED, ceiling, Reach.USUAL, budget=20000)
        self.unguarded = min(self.unguarded, candidate.cost if candidate else self.unguarded)
        for asked, reach, budget in self._guarded:
            if reach is not Reach.RARE or (rare if candidate is None else self._grows(candidate)):
                best = candidate.cost if candidate else ceiling
                guarded = self._search(asked, best, reach, budget=budget)
                if guarded is not None:
                    predicates, candidate = asked, guarded
        return predicates, candidate

    def _near(self, ceiling: float) -> Candidate | None:
        """The cheapest strategy that asks no further than the iteration, and sets apart by one unit."""
        return (
            self._search(self._iterations.soon, ceiling, Reach.NEAR, budget=20000) if self._is_large else None
        )

    @cached_property
    def _is_large(self) -> bool:
        """Whether there is much to choose, where guards ask for nothing but what comes soon."""
        soon = self._iterations.soon
        asked = {key for test in self._prepared(self.problem.runs, soon) for key in test.keys}
        return any(soon.values()) and len(asked) > MANY_CHOICES

    @cached_property
    def _guarded(self) -> Sequence[tuple[Mapping[int, tuple[GuardPredicate, ...]], Reach, int]]:
        """The searches among strategies that ask for something, the simple ones first, with their budgets."""
        soon, few, every = self._iterations.soon, self._few_predicates, self.choices.predicates
        return (
            *([(soon, Reach.NEAR, 20000)] if self._is_large else []),
            *([(few, Reach.USUAL, 20000)] if few != every else []),
            (every, Reach.USUAL, 60000),
            (every, Reach.RARE, 20000),
        )

    def refuting(self, runs: Iterable[Trace]) -> list[Trace]:
        """Some of these runs that refute the last strategy, or else what it was thought to cost.

        Of those that blame the same choices only the shortest.
        """
        follower, last = self._follower, self.found[-1]
        failing: dict[frozenset[Key], Trace] = {}
        dearer: list[tuple[float, Trace]] = []
        for test in self._prepared(runs, self.asked):
            try:
                outcome = follower.follow(test, last.choices)
            except Undecided:
                continue
            cost = sum(paid.cost for paid in outcome.payments)
            if not outcome.holds:
                failing.setdefault(frozenset(outcome.used), test.trace)
            elif test.trace.instance.valuation is self.problem.reference and cost > last.cost + 1e-9:
                dearer.append((cost, test.trace))
        dearer.sort(key=lambda item: -item[0])
        return [*failing.values()][:LEARNED] or [trace for _, trace in dearer[:LEARNED]]

    def learn(self, runs: Iterable[Trace]) -> None:
        """These become tests, which other strategies with the same mistake don't pass either."""
        learned = without_ties(runs, self.problem.apart)
        self.problem = replace(self.problem, runs=(*self.problem.runs, *learned))

    def give_up(self, apart: Ties) -> None:
        """From here on ties don't matter; other runs take the place of those that have some."""
        runs = [*self.problem.runs, *self.problem.further(0)]
        kept = without_ties(runs, apart)
        self.problem = replace(self.problem, runs=kept, apart=apart)
        self.nothing_below.clear()
        self.found.clear()

    def matches(self, tests: Sequence[Prepared]) -> bool:
        """Whether some strategy, whatever it costs, is found that makes run 2 publish what these tests do.

        Raises Exhausted.
        """
        search = self._prepared_search(tests, float("inf"), Reach.RARE, budget=MATCHING_BUDGET)
        found = search.best()
        if found is None and search.budget <= 0:
            raise Exhausted
        return found is not None

    def _search(
        self,
        predicates: Mapping[int, tuple[GuardPredicate, ...]],
        ceiling: float,
        reach: Reach,
        *,
        budget: int,
    ) -> Candidate | None:
        tests = self._prepared(self.problem.runs, predicates)
        search = self._prepared_search(tests, ceiling, reach, budget=budget)
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
                known = prepare(trace, observable_branches, returned, predicates, self._iterations)
                self._tests[place] = known
            found.append(known)
        return found

    def _prepared_search(
        self, tests: Sequence[Prepared], ceiling: float, reach: Reach, *, budget: int
    ) -> Search:
        options = self._options(reach)
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
    def _iterations(self) -> Iterations:
        return Iterations.of(self.choices)

    @cached_property
    def _few_predicates(self) -> Mapping[int, tuple[GuardPredicate, ...]]:
        """Those that compare with no number: of strategies that cost the same, these ask for less."""
        return {
            site: tuple(item for item in asked if not isinstance(item.expression, ir.Constant))
            for site, asked in self.choices.predicates.items()
        }

    def _options(self, reach: Reach) -> dict[int, list[Coupled]]:
        """By site; what is equal is one object, so that outcomes of tests are known again."""
        if reach not in self._by_reach:
            one = self._couplings.setdefault
            self._by_reach[reach] = {
                site: [
                    *(one(item, item) for item in self._shifts(site, reach)),
                    *self.problem.intervals.get(site, ()),
                ]
                for site in self.choices.analysis.sites
            }
        return self._by_reach[reach]

    def _shifts(self, site: int, reach: Reach) -> list[Shift]:
        shifts = self.choices.candidate_shifts(site, wide=reach is Reach.RARE)
        return [item for item in shifts if _is_near(item)] if reach is Reach.NEAR else shifts

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
    possible = ties(problem.analysis)
    waiting: list[tuple[Family, Found | None]] = []
    given = [0] * len(families)
    best = ceiling
    batch = 0
    for family in families:
        found = family.next(best, rare=not _is_enough(waiting))
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
        learned = family.refuting(problem.further(batch)) if batch < BATCHES else []
        batch += bool(learned)
        if learned and possible and not family.problem.apart:
            yield replace(found, strategy=replace(found.strategy, apart=possible))
            family.give_up(possible)
            waiting, given, place = [(family, None)], [given[place]], 0
        for other, _ in waiting:
            other.learn(learned)
        waiting[place] = family, None
        waiting[place] = family, family.next(ceiling, rare=not _is_enough(waiting))
        for number, (other, waited) in enumerate(waiting):
            if waited is None:
                best = min((item.cost * TIED for _, item in waiting if item is not None), default=ceiling)
                waiting[number] = other, other.next(min(best, ceiling), rare=not _is_enough(waiting))


def _is_enough(waiting: Iterable[tuple[Family, Found | None]]) -> bool:
    """Whether some strategy is known that doesn't pay without end."""
    return any(found is not None and not found.grows for _, found in waiting)


def _is_near(shift: Shift) -> bool:
    """Whether a draw is moved along, held, or set apart by one unit."""
    return not shift.units or (not shift.null and [abs(factor) for factor, _ in shift.units] == [1])


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


def _needed(
    predicates: tuple[GuardPredicate, ...], table: dict[Values, Coupled]
) -> tuple[tuple[GuardPredicate, ...], dict[Values, Coupled]]:
    """Drop the guard predicates that the choices don't depend on."""
    place = 0
    while place < len(predicates):
        smaller = [(values[:place] + values[place + 1 :], coupling) for values, coupling in table.items()]
        if any(
            one != other and _may_both_hold(first, second)
            for (first, one), (second, other) in combinations(smaller, 2)
        ):
            place += 1
        else:
            predicates, table = predicates[:place] + predicates[place + 1 :], dict(smaller)
    return predicates, table


def _may_both_hold(first: Values, second: Values) -> bool:
    """Whether they say nothing that contradicts."""
    return all(one == other or None in (one, other) for one, other in zip(first, second, strict=True))


def _cases(predicates: tuple[GuardPredicate, ...], table: dict[Values, Coupled]) -> tuple[Case, ...]:
    """A case per combination of values; one that no test reached is treated as the nearest that one did.

    Where some events may not happen in time, only the combinations that tests reached: the last is the rest.
    """
    if not table:
        return (Case((), Shift(null=True), None),)
    if any(None in values for values in table):
        reached = sorted(table, key=lambda values: [(value is None, value or 0) for value in values])
        return tuple(Case(_conditions(predicates, values), table[values], None) for values in reached)
    found = []
    for values in product(*(_domain(predicate) for predicate in predicates)):
        coupling = table[values] if values in table else table[_nearest(values, table)]
        found.append(Case(_conditions(predicates, values), coupling, None))
    return tuple(found)


def _conditions(predicates: tuple[GuardPredicate, ...], values: Values) -> tuple[Condition, ...]:
    return tuple(
        Condition(predicate, value)
        for predicate, value in zip(predicates, values, strict=True)
        if value is not None
    )


def _copies(
    site: int,
    cases: tuple[Case, ...],
    predicates: tuple[GuardPredicate, ...],
    table: Mapping[Values, Coupled],
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    for place, case in enumerate(cases):
        values = tuple(condition.value for condition in case.conditions)
        if table and len(values) == len(predicates) and values not in table:
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
    wanted = _conditions(predicates, values)
    return next(place for place, case in enumerate(cases) if case.conditions == wanted)


def used_cases(tests: Sequence[TrialCost]) -> Iterator[CaseKey]:
    """The cases that cost anything in some test, each once."""
    yield from sorted({paid.case for test in tests for paid in test.payments})
