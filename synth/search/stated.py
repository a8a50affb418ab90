"""Entries of functions of which the user states facts: made up until the facts hold."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from synth.language.syntax import (
    Expression,
    Fact,
    Mechanism,
    Operation,
    Operator,
    Read,
    Sort,
    Variable,
    in_run,
    without_run,
)
from synth.search.entries import Family, Index, Pair
from synth.search.interpreter import Evaluate, Number, Run, Silent, compile_expression
from synth.search.profiles import Profile

MOST_ATTEMPTS = 60
SOON = 3
"""After so many attempts entries are looked for farther away."""


def made_to_abide(
    mechanism: Mechanism, profile: Profile, families: dict[str, Family], rng: random.Random
) -> None:
    """Entries are made up anew until what is stated of the functions holds of those that were read."""
    sides: dict[str, Callable[[Index], Number]] = {}
    for name, family in families.items():
        sides |= {name: family.side(0), in_run(name, 1): family.side(0), in_run(name, 2): family.side(1)}
    run = Run(dict(profile.scalars), sides, {}, Silent())
    for name, family in families.items():
        facts = [fact for fact in mechanism.facts if without_run(fact.trigger.source)[0] == name]
        whole = mechanism.parameter(name).sort is not Sort.BOOL
        if facts:
            family.make = _remade(family, [_Stated(fact, run, families) for fact in facts], whole, rng)


def _remade(family: Family, facts: list[_Stated], whole: bool, rng: random.Random) -> Callable[[Index], Pair]:
    made = family.make

    def make(index: Index) -> Pair:
        for attempt in range(MOST_ATTEMPTS):
            left, right = made(index)
            wide = rng.randint(-attempt, attempt) if whole and attempt > SOON else 0
            family.pairs[index] = (left + wide, right + wide) if wide else (left, right)
            if all(fact.holds(index) for fact in facts):
                return family.pairs[index]
            del family.pairs[index]
        raise KeyError(index)

    return make


@dataclass(frozen=True)
class _Stated:
    """A fact on concrete functions; ``run`` reads them."""

    fact: Fact
    run: Run
    families: Mapping[str, Family]

    def holds(self, index: Index) -> bool:
        """Whether it does at one index.  An entry that it equates with something is made up to be that."""
        outer = dict(self.run.values)
        for place, item in enumerate(self.fact.trigger.index):
            assert isinstance(item, Variable)
            self.run.values[item.name] = index[place]
        try:
            return self._holds()
        finally:
            self.run.values = outer

    def _holds(self) -> bool:
        match self.fact.condition:
            case Operation(operator=Operator.EQUAL, operands=(Read(source=source, index=places), value)) if (
                source in self.families and places != self.fact.trigger.index
            ):
                place_ = tuple(int(_compiled(item)(self.run)) for item in places)
                known = _compiled(value)(self.run)
                self.families[source].pairs.setdefault(place_, (known, known))
        return bool(_compiled(self.fact.condition)(self.run))


@cache
def _compiled(expression: Expression) -> Evaluate:
    return compile_expression(expression)
