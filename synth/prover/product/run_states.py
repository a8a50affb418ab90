"""Both runs at one program point, and what is known in the loop-free stretch that led there."""

from __future__ import annotations

from dataclasses import dataclass, field

from pysmt.fnode import FNode

from synth.prover.horn.encoding import LEFT, RIGHT, Environment, PathFragment
from synth.prover.horn.horn import Application
from synth.prover.horn.paths import joined, meet
from synth.prover.horn.terms import all_of
from synth.trusted.program.symbols import Name

Entry = tuple[FNode, ...]


@dataclass
class JointFragment(PathFragment):
    """A fragment with the predicates it starts from, and what run 1 publishes in it.

    ``elements`` are the entries of local lists that have been read, of both runs, by the list's name, its
    version and the index.
    """

    premises: list[Application] = field(default_factory=list)
    matches: list[FNode] = field(default_factory=list)
    elements: dict[tuple[str, FNode, FNode], tuple[Entry, Entry]] = field(default_factory=dict)


@dataclass
class State:
    """Both runs at one program point, reached from the beginning of the fragment under ``path``."""

    fragment: JointFragment
    path: FNode
    values: tuple[Environment, Environment]

    def fork(self, condition: FNode) -> State:
        left, right = self.values
        return State(self.fragment, all_of((self.path, condition)), (dict(left), dict(right)))

    def merge(self, other: State) -> State:
        """Both states in one, where their paths meet."""
        here, path = meet(self.path, other.path)
        left, right = (joined(here, self.values[side], other.values[side]) for side in (LEFT, RIGHT))
        return State(self.fragment, path, (left, right))

    def names(self) -> tuple[Name, ...]:
        """The variables that have a value here."""
        return tuple(self.values[LEFT])

    def knows(self, name: Name) -> bool:
        """Whether the variable has a value here."""
        return name in self.values[LEFT]

    def set(self, name: Name, left: FNode, right: FNode) -> None:
        self.values[LEFT][name], self.values[RIGHT][name] = left, right

    def set_both(self, name: Name, value: FNode) -> None:
        """The variable has one value in both runs."""
        self.set(name, value, value)

    def pair(self, name: Name) -> tuple[FNode, FNode]:
        return self.values[LEFT][name], self.values[RIGHT][name]

    def value(self, name: Name) -> FNode:
        """The value of a variable on which the runs agree, as they do on every ghost."""
        return self.values[LEFT][name]
