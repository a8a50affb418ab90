"""From a mechanism to the cheapest strategy that no test refutes, written as guarded cases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product

from synth.prover.costs.cases import CaseKey
from synth.prover.costs.costs import CasePayment, TrialCost
from synth.prover.costs.likelihood_ratios import RatioTable
from synth.prover.product.strategy import Case, Condition, Feature, Interval, Offset, Strategy, Tail
from synth.prover.search.branch_and_bound import Candidate, Search
from synth.prover.search.choices import Choices, published_families
from synth.prover.search.coupled_runs import Coupled, Follower, Key, prepare
from synth.prover.templates.evaluation import concrete_coupling
from synth.prover.templates.template import Template
from synth.prover.testing.profiles import Profile
from synth.prover.testing.recording import Trace
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


_UNGUARDED: Mapping[int, tuple[Feature, ...]] = defaultdict(tuple)
"""Strategies that ask for nothing, at any site: there are few, and chains of branches need no more."""


@dataclass
class Family:
    """The strategies that publish one set of branches, cheapest first, as far as the tests tell."""

    choices: Choices
    templates: Mapping[str, Template]
    odds: Mapping[int, RatioTable]
    tails: Mapping[int, Tail]
    intervals: Mapping[int, Sequence[Interval]]
    runs: Sequence[Trace]
    reference: Profile
    forbidden: list[dict[Key, Coupled]] = field(default_factory=list)

    def next(self, ceiling: float = float("inf")) -> Found | None:
        """The cheapest strategy below the ceiling that was not given before; None when there is no other."""
        features = _UNGUARDED
        candidate = self._search(features, ceiling, wide=False, budget=20000)
        for wide, budget in ((False, 60000), (True, 20000)):
            if not wide or candidate is None or self._grows(candidate):
                best = candidate.cost if candidate else ceiling
                guarded = self._search(self.choices.features, best, wide=wide, budget=budget)
                if guarded is not None:
                    features, candidate = self.choices.features, guarded
        if candidate is None:
            return None
        self.forbidden.append(candidate.choices)
        found = _generalized(self.choices, features, candidate)
        return replace(found, strategy=replace(found.strategy, tails=self.tails))

    def _search(
        self, features: Mapping[int, tuple[Feature, ...]], ceiling: float, *, wide: bool, budget: int
    ) -> Candidate | None:
        couplings = {name: concrete_coupling(template) for name, template in self.templates.items()}
        published = self.choices.published
        returned = self.choices.analysis.returned_lists
        influence = self.choices.influence
        follower = Follower.of(
            self.choices.mechanism,
            published,
            returned,
            couplings,
            self.odds,
            frozenset(self.tails),
            influence,
        )
        tests = [prepare(trace, published, returned, features) for trace in self.runs]
        offsets: dict[int, list[Coupled]] = {
            site: [*self.choices.offsets(site, wide=wide), *self.intervals.get(site, ())]
            for site in self.choices.analysis.sites
        }
        search = Search(
            follower,
            tests,
            lambda key: offsets[key[0]],
            self.reference,
            self.forbidden,
            ceiling,
            budget,
        )
        return search.best()

    def _grows(self, candidate: Candidate) -> bool:
        """Whether some test with long inputs pays about as often as they are long."""
        most = max(
            (
                sum(1 for item in paid if item.rate)
                for profile, paid in candidate.payments
                if profile is self.reference
            ),
            default=0,
        )
        return most >= self.reference.length - 1


def strategies(
    mechanism: ir.Mechanism,
    analysis: Analysis,
    templates: Mapping[str, Template],
    odds: Mapping[int, RatioTable],
    tails: Mapping[int, Tail],
    intervals: Mapping[int, Sequence[Interval]],
    runs: Sequence[Trace],
    reference: Profile,
    ceiling: float = float("inf"),
    limit: int = 8,
) -> Iterator[Found]:
    """Strategies below a cost that no test refutes, the cheapest first; at a tie, those that publish more."""
    families = [
        Family(Choices(mechanism, analysis, published), templates, odds, tails, intervals, runs, reference)
        for published in published_families(analysis)
    ]
    waiting: list[tuple[Family, Found | None]] = []
    best = ceiling
    for family in families:
        found = family.next(best)
        waiting.append((family, found))
        best = min(best, found.cost if found else best)
    for _ in range(limit):
        ready = [(found.cost, place) for place, (_, found) in enumerate(waiting) if found is not None]
        if not ready:
            return
        place = min(ready, key=lambda item: (round(item[0], 6), item[1]))[1]
        family, found = waiting[place]
        assert found is not None
        yield found
        waiting = [
            (other, other.next(ceiling) if number == place or waited is None else waited)
            for number, (other, waited) in enumerate(waiting)
        ]


def _generalized(choices: Choices, given: Mapping[int, tuple[Feature, ...]], candidate: Candidate) -> Found:
    """Guards that look only at what makes a difference, and the payments by case."""
    cases: dict[int, tuple[Case, ...]] = {}
    case_of: dict[Key, int] = {}
    like: dict[tuple[int, int], tuple[int, int]] = {}
    for site in choices.analysis.sites:
        table = {key[1]: offset for key, offset in candidate.choices.items() if key[0] == site}
        features, table = _needed(given[site], table)
        listed = _cases(features, table)
        cases[site] = listed
        like.update(_copies(site, listed, features, table))
        kept = [given[site].index(feature) for feature in features]
        for key in candidate.choices:
            if key[0] == site:
                case_of[key] = _number(listed, features, tuple(key[1][place] for place in kept))
    tests = tuple(
        TrialCost(
            profile,
            tuple(
                CasePayment(
                    (paid.key[0], case_of[paid.key] if paid.pair is None else paid.pair),
                    Fraction(paid.distance),
                )
                for paid in payments
            ),
        )
        for profile, payments in candidate.payments
    )
    return Found(Strategy(choices.published, cases), candidate.cost, tests, choices, like)


Values = tuple[bool | int, ...]


def _needed(
    features: tuple[Feature, ...], table: dict[Values, Coupled]
) -> tuple[tuple[Feature, ...], dict[Values, Coupled]]:
    """Drop the features that the choices don't depend on."""
    place = 0
    while place < len(features):
        smaller: dict[Values, Coupled] = {}
        for values, offset in table.items():
            rest = values[:place] + values[place + 1 :]
            if smaller.setdefault(rest, offset) != offset:
                break
        else:
            features, table = features[:place] + features[place + 1 :], smaller
            continue
        place += 1
    return features, table


def _cases(features: tuple[Feature, ...], table: dict[Values, Coupled]) -> tuple[Case, ...]:
    """A case per combination of values; one that no test reached is treated as the nearest that one did."""
    if not table:
        return (Case((), Offset(null=True), None),)
    found = []
    for values in product(*(_domain(feature) for feature in features)):
        offset = table[values] if values in table else table[_nearest(values, table)]
        conditions = tuple(Condition(feature, value) for feature, value in zip(features, values, strict=True))
        found.append(Case(conditions, offset, None))
    return tuple(found)


def _copies(
    site: int, cases: tuple[Case, ...], features: tuple[Feature, ...], table: Mapping[Values, Coupled]
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    for place, case in enumerate(cases):
        values = tuple(condition.value for condition in case.conditions)
        if table and values not in table:
            yield (site, place), (site, _number(cases, features, _nearest(values, table)))


def _nearest(values: Values, table: Iterable[Values]) -> Values:
    """Of the combinations that tests reached, the one that agrees in most features, early ones first.

    What comes later may not happen at all, and then its feature says nothing.
    """

    def agreement(other: Values) -> tuple[bool, ...]:
        return tuple(first == second for first, second in zip(values, other, strict=True))

    return max(table, key=lambda other: (agreement(other), sum(agreement(other))))


def _domain(feature: Feature) -> Iterable[bool | int]:
    return (True, False) if feature.expression is None else (-1, 0, 1)


def _number(cases: tuple[Case, ...], features: tuple[Feature, ...], values: Values) -> int:
    wanted = tuple(Condition(feature, value) for feature, value in zip(features, values, strict=True))
    return next(place for place, case in enumerate(cases) if case.conditions == wanted)


def used_cases(tests: Sequence[TrialCost]) -> Iterator[CaseKey]:
    """The cases that cost anything in some test, each once."""
    yield from sorted({paid.case for test in tests for paid in test.payments})
