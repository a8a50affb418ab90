"""Entries of functions of which the user states facts: made up until the facts hold."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

from synth.prover.testing.entries import Family, Index, Pair
from synth.prover.testing.interpreter import Evaluate, Number, Run, Silent, compile_expression
from synth.prover.testing.valuations import Valuation
from synth.trusted.program import syntax as ir

MAX_ATTEMPTS = 60
SOON = 3
"""After so many attempts entries are looked for farther away."""


def made_to_abide(
    mechanism: ir.Mechanism, valuation: Valuation, families: dict[str, Family], rng: random.Random
) -> None:
    """Entries are made up anew until what is stated of the functions holds of those that were read."""
    sides: dict[str, Callable[[Index], Number]] = {}
    for name, family in families.items():
        sides |= {
            name: family.side(0),
            ir.in_run(name, 1): family.side(0),
            ir.in_run(name, 2): family.side(1),
        }
    run, check = Run(dict(valuation.scalars), sides, {}, Silent()), _Check()
    for name, family in families.items():
        facts = [fact for fact in mechanism.facts if ir.without_run(fact.trigger.source)[0] == name]
        whole = mechanism.parameter(name).sort is not ir.Sort.BOOL
        if facts:
            stated = [_Stated(fact, run, families, check) for fact in facts]
            family.make = _Abiding(family, stated, whole, rng, check, family.make)


@dataclass
class _Check:
    """What goes on while facts are checked at one entry: the ``guessed`` ones are read by facts alone.

    Of those nothing is asked until the program reads them: what is stated of an entry may speak of the next
    one, and so on without end.
    """

    attempt: int | None = None
    guessed: list[tuple[_Abiding, Index]] = field(default_factory=list)


@dataclass
class _Abiding:
    """Makes up entries of a family of which facts are stated; ``guesses`` are values that facts rely on."""

    family: Family
    facts: list[_Stated]
    whole: bool
    rng: random.Random
    check: _Check
    made: Callable[[Index], Pair]
    guesses: dict[Index, Pair] = field(default_factory=dict)

    def __call__(self, index: Index) -> Pair:
        if self.check.attempt is not None:
            return self.guess(index, self._new)
        try:
            for attempt in range(MAX_ATTEMPTS):
                self.check.attempt = attempt
                found = self.family.pairs[index] = self.guesses.get(index) or self._new(index)
                holds = all(fact.holds(index) for fact in self.facts)
                self._forget(holds)
                if holds:
                    return found
                del self.family.pairs[index]
            raise KeyError(index)
        finally:
            self.check.attempt = None

    def guess(self, index: Index, new: Callable[[Index], Pair]) -> Pair:
        """An entry that only facts read so far."""
        self.check.guessed.append((self, index))
        return self.guesses.get(index) or new(index)

    def _new(self, index: Index) -> Pair:
        left, right = self.made(index)
        attempt = self.check.attempt or 0
        wide = self.rng.randint(-attempt, attempt) if self.whole and attempt > SOON else 0
        return (left + wide, right + wide) if wide else (left, right)

    def _forget(self, holds: bool) -> None:
        """Entries that were guessed are no entries yet; where the facts hold they stay guesses."""
        for other, index in self.check.guessed:
            found = other.family.pairs.pop(index)
            if holds:
                other.guesses[index] = found
        self.check.guessed.clear()


@dataclass(frozen=True)
class _Stated:
    """A fact on concrete functions; ``run`` reads them."""

    fact: ir.Fact
    run: Run
    families: Mapping[str, Family]
    check: _Check

    def holds(self, index: Index) -> bool:
        """Whether it does at one index.  An entry that it equates with something is made up to be that."""
        outer = dict(self.run.values)
        for place, item in enumerate(self.fact.trigger.index):
            assert isinstance(item, ir.Variable)
            self.run.values[item.name] = index[place]
        try:
            return self._holds()
        finally:
            self.run.values = outer

    def _holds(self) -> bool:
        match self.fact.condition:
            case ir.Operation(
                operator=ir.Operator.EQUAL, operands=(ir.Read(source=source, index=places), value)
            ) if source in self.families and places != self.fact.trigger.index:
                place_ = tuple(int(_compiled(item)(self.run)) for item in places)
                self._equate(self.families[source], place_, _compiled(value)(self.run))
        return bool(_compiled(self.fact.condition)(self.run))

    def _equate(self, family: Family, place: Index, known: Number) -> None:
        if place not in family.pairs:
            abiding = family.make if isinstance(family.make, _Abiding) else None
            pair = known, known
            family.pairs[place] = pair if abiding is None else abiding.guess(place, lambda index: pair)


@cache
def _compiled(expression: ir.Expression) -> Evaluate:
    return compile_expression(expression)
