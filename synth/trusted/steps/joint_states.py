"""Joint states of two programs: where each stands, what its names stand for, and what is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from synth.trusted.program import syntax as ir
from synth.trusted.steps.facts import Facts, Logic
from synth.trusted.steps.terms import Term

NOTHING = Facts()
Values = Mapping[str, Term]
"""What variables and lists stand for; a name without a value is missing."""


@dataclass(frozen=True)
class State:
    """What holds on a joint way of two runs to a pair of points.

    Of the runs in which control comes to these points, ``path`` holds in those that came on this way, and in
    no others.  ``owed`` are conditions of obligations that the first program came to, not shown yet.
    """

    places: tuple[int, int]
    values: tuple[Values, Values]
    path: tuple[Term, ...] = ()
    facts: Facts = NOTHING
    owed: tuple[tuple[Term, ir.Obligation], ...] = ()

    def at(self, side: int, place: int) -> State:
        """The state with one program at another point."""
        places = (place, self.places[1]) if side == 0 else (self.places[0], place)
        return replace(self, places=places)

    def assign(self, side: int, name: str, value: Term) -> State:
        """The state in which a name of one program stands for this."""
        first, second = self.values
        changed = {**self.values[side], name: value}
        return replace(self, values=(changed, second) if side == 0 else (first, changed))

    def owing(self, conditions: tuple[tuple[Term, ir.Obligation], ...], logic: Logic) -> State:
        """The state that owes those of the conditions, and no others, that are not known to hold."""
        rest = tuple(item for item in conditions if not logic.holds(item[0], self.facts))
        return replace(self, owed=rest)


def merge(one: State, other: State, logic: Logic) -> State:
    """One state for two ways to the same points: what names stand for is chosen by which way it was."""
    terms, common = logic.terms, 0
    while common < min(len(one.path), len(other.path)) and one.path[common] is other.path[common]:
        common += 1
    rests = one.path[common:], other.path[common:]
    assert all(rests), "two ways part at a condition"
    first, second = (terms.both(*rest) for rest in rests)
    apart = next((item for item in rests[0] if terms.negation(item) in rests[1]), first)
    values = [
        {name: terms.choice(apart, mine[name], theirs[name]) for name in mine if name in theirs}
        for mine, theirs in zip(one.values, other.values, strict=True)
    ]
    union = terms.either(first, second)
    shared = _shared(one.facts, other.facts)
    facts = logic.assume(shared, union)
    path = (*one.path[:common], *(() if union is terms.true else (union,)))
    owed = {item: None for item in one.owed if item in other.owed}
    for way, mine in ((first, one), (second, other)):
        for condition, obligation in mine.owed:
            if (condition, obligation) not in owed:
                owed[terms.either(terms.negation(way), condition), obligation] = None
    return State(one.places, (values[0], values[1]), path, shared if facts is None else facts, tuple(owed))


def _shared(one: Facts, other: Facts) -> Facts:
    values = {term: truth for term, truth in one.values.items() if other.values.get(term) is truth}
    return Facts(values, tuple(clause for clause in one.clauses if clause in other.clauses))
