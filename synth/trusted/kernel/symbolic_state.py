"""The precondition of a step in static single assignment form: constants, facts about them, paths.

Facts are about constants, which never change, so they stay true; what a statement changes is which
constant a variable stands for.  A fact that holds only where control is has the path as its premise, so
that it stays true where ways meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count, pairwise
from typing import Protocol

from synth.trusted.logic.terms import TRUE, Term, app, conjunction, negation, shared
from synth.trusted.program.symbols import Ghost

Pair = tuple[Term, Term]


@dataclass(frozen=True)
class State:
    """Both runs at one point of the program.

    ``segment`` numbers the stretches between loop heads; ``path`` is what led here, and
    ``public_path`` the part of it that is about public inputs; ``values`` are
    the two runs' values of variables and list lengths; ``ghosts`` are costs, budgets and what run 1
    will publish next; ``public`` gives variables that are functions of the public inputs, and of what
    loops count alike in both runs, as such; ``versions`` number the lists that a name has stood for.
    Every variable has a value: before its first assignment any value, another one in each run.
    """

    segment: int
    facts: tuple[Term, ...]
    path: tuple[Term, ...]
    values: Mapping[str, Pair]
    ghosts: Mapping[Ghost, Term]
    public: Mapping[str, Term]
    versions: Mapping[str, int]
    public_path: tuple[Term, ...] = ()

    def knowing(self, facts: Iterable[Term]) -> State:
        """With facts that are true of their constants wherever control is: definitions, laws, adjacency."""
        return replace(self, facts=(*self.facts, *map(shared, facts)))

    def learning(self, facts: Iterable[Term]) -> State:
        """With facts that are known because control is here: each is kept with the path that leads here."""
        path = conjunction(self.path)
        return self.knowing(facts if path == TRUE else (("=>", path, fact) for fact in facts))

    def under(self, condition: Term, public: Term | None = None) -> State:
        """Where a condition holds; ``public`` is the same condition over the public inputs."""
        known = self.public_path if public is None else (*self.public_path, public)
        return replace(self, path=(*self.path, shared(condition)), public_path=known)

    def binding(self, name: str, pair: Pair, public: Term | None = None) -> State:
        rest = {other: term for other, term in self.public.items() if other != name}
        known = rest if public is None else {**rest, name: public}
        return replace(self, values={**self.values, name: pair}, public=known)

    def marking(self, ghosts: Mapping[Ghost, Term]) -> State:
        return replace(self, ghosts={**self.ghosts, **ghosts})


class Names(Protocol):
    """Gives fresh numbers, and constants for terms with the fact that they are equal."""

    numbers: count[int]

    def named(self, hint: str, term: Term) -> tuple[Term, Term]: ...


def merged(states: Iterable[State], names: Names) -> tuple[State, ...]:
    """States of the same segment as one; they exclude each other, since programs are deterministic."""
    result: list[State] = []
    for state in states:
        for place, other in enumerate(result):
            if other.segment == state.segment:
                result[place] = _merge(other, state, names)
                break
        else:
            result.append(state)
    return tuple(result)


def joined(states: Iterable[State], names: Names) -> tuple[State, ...]:
    """As :func:`merged`, for states of any segments whose paths part at a condition.

    Both come from one state in which the condition had a value: it holds on one way, not on the other.  So
    on either way what was learned on the other, which is kept with its path, says nothing.  What follows is a
    segment of its own.
    """
    result = list(states)
    while True:
        depths = [_parting(one, other) for one, other in pairwise(result)]
        deepest = max((depth for depth in depths if depth is not None), default=None)
        if deepest is None:
            return tuple(result)
        place = depths.index(deepest)
        one = _merge(result[place], result[place + 1], names)
        result[place : place + 2] = [replace(one, segment=next(names.numbers))]


def _parting(first: State, second: State) -> int | None:
    """After how many conditions the paths part at one that holds here and not there; None if they don't."""
    common = _common(first.path, second.path)
    if common in (len(first.path), len(second.path)):
        return None
    return common if negation(first.path[common]) == second.path[common] else None


def _merge(first: State, second: State, names: Names) -> State:
    common = _common(first.path, second.path)
    here, there = conjunction(first.path[common:]), conjunction(second.path[common:])
    facts = [*first.facts, *second.facts[_common(first.facts, second.facts) :]]
    path = first.path[:common]
    if here != ("not", there) and there != ("not", here):
        path = (*path, app("or", here, there))

    def choice(name: str, one: Term, other: Term) -> Term:
        if one == other:
            return one
        constant, fact = names.named(name, ("ite", here, one, other))
        facts.append(fact)
        return constant

    values: dict[str, Pair] = {}
    for name, one in first.values.items():
        other = second.values[name]
        left = choice(f"{name}<1>", one[0], other[0])
        same = one[0] == one[1] and other[0] == other[1]
        values[name] = left, left if same else choice(f"{name}<2>", one[1], other[1])
    ghosts = {ghost: choice(str(ghost), one, second.ghosts[ghost]) for ghost, one in first.ghosts.items()}
    public = {name: term for name, term in first.public.items() if second.public.get(name) == term}
    versions = {
        name: number if second.versions[name] == number else next(names.numbers)
        for name, number in first.versions.items()
    }
    public_path = first.public_path[: _common(first.public_path, second.public_path)]
    return State(first.segment, tuple(facts), path, values, ghosts, public, versions, public_path)


def _common(first: tuple[Term, ...], second: tuple[Term, ...]) -> int:
    """How many of the first elements agree."""
    pairs = zip(first, second, strict=False)
    return next(
        (place for place, (one, other) in enumerate(pairs) if one != other), min(len(first), len(second))
    )
