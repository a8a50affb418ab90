"""What is known of terms, and what follows from it without a solver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from synth.trusted.steps.terms import AND, EQUAL, IF, NOT, Term, Terms

MAX_SPLITS = 16
"""Conditions, one inside of the other, by which a question about terms is split into cases."""


@dataclass(frozen=True)
class Facts:
    """What terms are: truth values, and inputs; ``clauses`` are false conjunctions.

    No constants or negations are among the terms.
    """

    values: Mapping[Term, Term] = field(default_factory=dict)
    clauses: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Logic:
    """Answers questions about terms.  A "no" means only that nothing was found."""

    terms: Terms

    def simplified(self, term: Term, facts: Facts) -> Term:
        """The term with what is known in place of conditions."""
        return self.terms.rebuilt(term, facts.values.get, {})

    def assume(self, facts: Facts, *conditions: Term) -> Facts | None:
        """What is known if the conditions hold, too; None if that can't be."""
        values, clauses = dict(facts.values), facts.clauses
        waiting = list(conditions)
        while waiting:
            item = self.terms.rebuilt(waiting.pop(), values.get, {})
            if item is self.terms.false:
                return None
            if item.head == AND:
                waiting += item.arguments
            elif item.head == NOT:
                values[item.arguments[0]] = self.terms.false
                clauses = (*clauses, item.arguments[0]) if item.arguments[0].head == AND else clauses
            elif item is not self.terms.true:
                values |= {item: self.terms.true, **self._definition(item)}
            if not waiting:
                clauses, waiting = self._propagated(clauses, values)
        return Facts(values, clauses)

    def _definition(self, condition: Term) -> dict[Term, Term]:
        """Of a true equality, the side that isn't made of inputs alone, by the other one."""
        if condition.head == EQUAL:
            one, other = condition.arguments
            if one.given is not other.given:
                return {other: one} if one.given else {one: other}
        return {}

    def _propagated(
        self, clauses: Sequence[Term], values: Mapping[Term, Term]
    ) -> tuple[tuple[Term, ...], list[Term]]:
        """The clauses that say something still, and what follows where one part is left of them."""
        done: dict[Term, Term] = {}
        kept, units = [], []
        for clause in clauses:
            rest = self.terms.both(*(self.terms.rebuilt(part, values.get, done) for part in clause.arguments))
            if rest.head == AND:
                kept.append(clause)
            elif rest is not self.terms.false:
                units.append(self.terms.negation(rest))
        return tuple(kept), units

    def equal(self, one: Term, other: Term, facts: Facts, splits: int = MAX_SPLITS) -> bool:
        """Whether two terms have one value, as simplification shows in each of a few cases."""
        if one is other:
            return True
        one, other = self.simplified(one, facts), self.simplified(other, facts)
        condition = self._condition(one, other) if one is not other and splits else None
        if condition is None:
            return one is other
        cases = (self.assume(facts, condition), self.assume(facts, self.terms.negation(condition)))
        return all(case is None or self.equal(one, other, case, splits - 1) for case in cases)

    def all_equal(self, ones: Sequence[Term], others: Sequence[Term], facts: Facts) -> bool:
        """Whether two rows of terms have the same values."""
        same = len(ones) == len(others)
        return same and all(self.equal(one, other, facts) for one, other in zip(ones, others, strict=True))

    def holds(self, condition: Term, facts: Facts) -> bool:
        """Whether a condition holds."""
        return self.equal(condition, self.terms.true, facts)

    def _condition(self, *terms: Term) -> Term | None:
        """A condition that chooses between values in one of the terms, without choices in itself."""
        seen: set[Term] = set()
        stack, found = list(terms), None
        while stack:
            term = stack.pop()
            if term not in seen:
                seen.add(term)
                self.terms.step()
                if term.head == IF:
                    found = term.arguments[0]
                    stack = [found]
                else:
                    stack += term.arguments
        return found
