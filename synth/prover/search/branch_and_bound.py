"""The search for a strategy: depth first over couplings, learning from every coupled run that fails.

Counterexample-guided: a candidate is what the tests have not refuted yet.  A failing test names the
choices that it used; they are remembered as a nogood, and the search jumps back to the last of
them.  Cheap couplings come first, and what costs more than the best strategy so far is cut off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from synth.prover.product.strategy import Shift
from synth.prover.search.coupled_runs import Coupled, Follower, Key, Outcome, Payment, Prepared, Undecided
from synth.prover.testing.valuations import Valuation


def _costliest(payments: Iterable[Payment], limit: float) -> tuple[Key, ...]:
    """As few choices as reach the limit by what they cost together: fewer to blame, more to learn."""
    costs: dict[Key, float] = {}
    for paid in payments:
        costs[paid.key] = costs.get(paid.key, 0.0) + paid.cost
    found: list[Key] = []
    total = 0.0
    for key in sorted(costs, key=lambda item: -costs[item]):
        found.append(key)
        total += costs[key]
        if total >= limit:
            break
    return tuple(found)


Options = Callable[[Key], list[Coupled]]

Passed = dict[int, tuple[Prepared, list[tuple[Outcome, tuple[tuple[Key, Coupled], ...]]]]]
"""By the id of a test: the test, and its latest outcomes, each with the choices that led to it."""

KEPT = 6
"""Outcomes of a test that are kept."""


@dataclass(frozen=True)
class Candidate:
    """A choice for every guard that the tests reached, its cost, and what each test paid."""

    choices: dict[Key, Coupled]
    cost: float
    payments: tuple[tuple[Valuation, tuple[Payment, ...]], ...]


@dataclass
class _Decision:
    key: Key
    options: list[Coupled]
    position: int = -1
    conflict: set[Key] = field(default_factory=set)
    by_cost: bool = False


LONG = 100
"""Steps of a run for which it counts once more."""


@dataclass
class _Memory:
    """Sets of choices that can't be extended, as bit masks, found by any one of their members."""

    found: dict[tuple[Key, int], list[int]] = field(default_factory=dict)

    def hit(self, member: tuple[Key, int], chosen: int) -> int | None:
        """A nogood with this member that the chosen bits contain."""
        missing = ~chosen
        for mask in self.found.get(member, ()):
            if not mask & missing:
                return mask
        return None


@dataclass
class Search:
    """One search.  ``budget`` counts coupled runs, long ones more than once, also those whose outcome is
    known already, so that the result doesn't depend on the clock.

    Costs are compared on the tests at the ``reference`` valuation and stay below ``ceiling``;
    ``forbidden`` strategies passed the tests before and could not be proved.  ``passed`` is what became of
    tests, also in other searches with the same follower, tests and options.
    """

    follower: Follower
    tests: list[Prepared]
    options: Options
    reference: Valuation
    forbidden: list[dict[Key, Coupled]] = field(default_factory=list)
    ceiling: float = float("inf")
    budget: int = 60000
    passed: Passed = field(default_factory=dict)

    def best(self) -> Candidate | None:
        """The cheapest strategy that no test refutes; None when there is none.

        The limit on the cost starts low and grows until something is found: a low limit cuts off
        soon whatever pays without end.
        """
        self.order = list(range(len(self.tests)))
        self.failures = _Memory()
        self.bits: dict[tuple[Key, int], int] = {}
        self.keys: dict[int, Key] = {}
        self.blamed: dict[int, int] = {}
        self.found: Candidate | None = None
        self.choices: dict[Key, Coupled] = {}
        limit = 0.25
        while self.found is None and self.budget > 0:
            self.cut = False
            self._below(min(limit, self.ceiling))
            if self.found is None and (not self.cut or limit >= self.ceiling):
                return None
            limit *= 2
        return self.found or (self._plain() if self.budget <= 0 else None)

    def _plain(self) -> Candidate | None:
        """The strategy in which all noise hides what it is added to, if it will do; else None.

        That is how one reads what releases all that it draws.
        """
        self.choices.clear()
        results: list[Outcome] = []
        number = 0
        while number < len(self.tests):
            try:
                outcome = self._outcome(number)
            except Undecided as question:
                options = self.options(question.key)
                hiding = (item for item in options if item == Shift())
                self.choices[question.key] = next(hiding, options[0])
                continue
            if not outcome.holds:
                return None
            results.append(outcome)
            number += 1
        valuations = [test.trace.instance.valuation for test in self.tests]
        cost = max(
            (
                sum(paid.cost for paid in outcome.payments)
                for valuation, outcome in zip(valuations, results, strict=True)
                if valuation is self.reference
            ),
            default=0.0,
        )
        if cost >= self.ceiling - 1e-9 or any(map(self._repeats, self.forbidden)):
            return None
        payments = zip(valuations, (outcome.payments for outcome in results), strict=True)
        return Candidate(dict(self.choices), cost, tuple(payments))

    def _below(self, limit: float) -> None:
        self.stack: list[_Decision] = []
        self.choices = {}
        self.numbers: dict[Key, int] = {}
        self.costly = _Memory()
        self.bound = limit
        while self.budget > 0:
            if not self._try():
                break

    def _try(self) -> bool:
        """Run the tests until one asks for a choice or refutes one; False when nothing is left."""
        highest = 0.0
        payers: tuple[Key, ...] = ()
        results: list[Outcome] = []
        for rank, number in enumerate(self.order):
            test = self.tests[number]
            self.budget -= 1 + len(test.trace.steps) // LONG
            try:
                outcome = self._outcome(number)
            except Undecided as question:
                return self._decide(question.key)
            if not outcome.holds:
                self._promote(rank, len(outcome.used))
                return self._refuted(outcome.used, by_cost=False)
            results.append(outcome)
            if test.trace.instance.valuation is not self.reference:
                continue
            cost = sum(paid.cost for paid in outcome.payments)
            if cost > highest + 1e-9:
                highest, payers = cost, tuple({paid.key: None for paid in outcome.payments if paid.rate})
                if highest >= self.bound - 1e-9:
                    self.cut = True
                    payers = _costliest(outcome.payments, self.bound - 1e-9)
                    self._promote(rank, len(payers))
                    return self._refuted(payers, by_cost=True)
        return self._accept(highest, results, payers)

    def _outcome(self, number: int) -> Outcome:
        """What becomes of a test, run again only if a choice that it used has changed.  Raises Undecided."""
        test = self.tests[number]
        known, found = self.passed.get(id(test), (None, []))
        if known is not test:
            self.passed[id(test)] = test, (found := [])
        for outcome, used in found:
            if all(self.choices.get(key) is chosen for key, chosen in used):
                return outcome
        outcome = self.follower.follow(test, self.choices)
        if outcome.holds:
            found.insert(0, (outcome, tuple((key, self.choices[key]) for key in outcome.used)))
            del found[KEPT:]
        return outcome

    def _accept(self, cost: float, results: list[Outcome], payers: tuple[Key, ...]) -> bool:
        for choices in self.forbidden:
            if self._repeats(choices):
                return self._refuted(self.choices, by_cost=False)
        valuations = [self.tests[number].trace.instance.valuation for number in self.order]
        payments = tuple(
            (valuation, outcome.payments) for valuation, outcome in zip(valuations, results, strict=True)
        )
        self.found = Candidate(dict(self.choices), cost, payments)
        self.bound = cost
        return self._refuted(payers, by_cost=True)

    def _repeats(self, before: dict[Key, Coupled]) -> bool:
        """Whether this is an earlier strategy, or an earlier one without guards written with guards."""
        if all(self.choices.get(key) == coupling for key, coupling in before.items()):
            return True
        return all(before.get((site, ())) == coupling for (site, _), coupling in self.choices.items())

    def _promote(self, rank: int, blamed: int) -> None:
        """Tests that refute come first, those that blame few choices before all."""
        number = self.order.pop(rank)
        self.blamed[number] = blamed
        place = 0
        while place < len(self.order) and self.blamed.get(self.order[place], 99) < blamed:
            place += 1
        self.order.insert(place, number)

    def _decide(self, key: Key) -> bool:
        self.stack.append(_Decision(key, self.options(key)))
        return self._advance()

    def _refuted(self, keys: Iterable[Key], *, by_cost: bool) -> bool:
        """These choices can't stay together: remember that, and jump back to the last of them."""
        blame = set(keys)
        self._learn(blame, by_cost)
        return self._back(blame, by_cost)

    def _learn(self, blame: set[Key], by_cost: bool) -> None:
        if len(blame) > 6:
            return
        members = [(key, self.numbers[key]) for key in blame]
        mask = sum(self._bit(member) for member in members)
        for member in members:
            (self.costly if by_cost else self.failures).found.setdefault(member, []).append(mask)

    def _bit(self, member: tuple[Key, int]) -> int:
        bit = self.bits.get(member)
        if bit is None:
            bit = self.bits[member] = 1 << len(self.bits)
            self.keys[bit] = member[0]
        return bit

    def _blame_of(self, mask: int) -> set[Key]:
        found = set()
        while mask:
            bit = mask & -mask
            found.add(self.keys[bit])
            mask ^= bit
        return found

    def _back(self, blame: set[Key], by_cost: bool) -> bool:
        while self.stack:
            decision = self.stack[-1]
            if decision.key in blame:
                decision.conflict |= blame - {decision.key}
                decision.by_cost |= by_cost
                return self._advance()
            self._drop()
        return False

    def _drop(self) -> None:
        decision = self.stack.pop()
        self.choices.pop(decision.key, None)
        self.numbers.pop(decision.key, None)

    def _advance(self) -> bool:
        """Give the last decision its next option that no nogood forbids, or go further back."""
        while self.stack:
            decision = self.stack[-1]
            while decision.position + 1 < len(decision.options):
                decision.position += 1
                self.numbers[decision.key] = decision.position
                mask = self._known(decision)
                if mask is None:
                    self.choices[decision.key] = decision.options[decision.position]
                    return True
                decision.conflict |= self._blame_of(mask) - {decision.key}
            blame, by_cost = decision.conflict, decision.by_cost
            self._drop()
            self._learn(blame, by_cost)
            while self.stack and self.stack[-1].key not in blame:
                self._drop()
            if self.stack:
                self.stack[-1].conflict |= blame - {self.stack[-1].key}
                self.stack[-1].by_cost |= by_cost
        return False

    def _known(self, decision: _Decision) -> int | None:
        member = (decision.key, decision.position)
        chosen = sum(self._bit(item) for item in self.numbers.items())
        mask = self.failures.hit(member, chosen)
        if mask is None:
            mask = self.costly.hit(member, chosen)
            decision.by_cost |= mask is not None
        return mask
