"""Which draws of a run have a say in what it publishes: a dynamic slice (Agrawal and Horgan 1990).

Where the runs part, only what these draws were coupled by is to blame.  A program that compares with one of
many noisy thresholds in each round has few of them there, though all may be compared with at that line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from synth.prover.testing.recording import Step, Trace
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, expressions, names

Draws = frozenset[int]
"""Places of draws among the steps of a run."""

_NONE: Draws = frozenset()
_END = ""
"""Where a run ends, as a label."""


def slices(
    mechanism: ir.Mechanism, trace: Trace, observable_branches: frozenset[int]
) -> dict[int, tuple[Draws, ...]]:
    """By the place of each step of a run that is no draw, the draws that each of its values depends on.

    Two runs that publish the same so far go the same way at ``observable_branches``; what is assigned on
    either side of another branch depends on it.
    """
    walk = _Walk(enumerate(trace.steps), observable_branches)
    walk.body(mechanism.body)
    return walk.found


@dataclass
class _Walk:
    """Goes along the steps of a run, without any values: ``known`` says what each variable depends on."""

    steps: Iterator[tuple[int, Step]]
    observable_branches: frozenset[int]
    known: dict[str, Draws] = field(default_factory=dict)
    found: dict[int, tuple[Draws, ...]] = field(default_factory=dict)

    def body(self, body: Body) -> str | None:
        """The label of the block that is left, if one is."""
        for statement in body:
            left = self._statement(statement)
            if left is not None:
                return left
        return None

    def _statement(self, statement: ir.Statement) -> str | None:
        match statement:
            case ir.Assign(target=name):
                self.known[name] = self._of(statement)
            case ir.Draw(target=name) | ir.Choose(target=name):
                place, _ = next(self.steps)
                self.known[name] = self._of(statement) | {place}
            case ir.NewList(target=name):
                self.known[name] = _NONE
            case ir.Append(target=name, values=values):
                self.known[name] = self.known.get(name, _NONE).union(*self._publish(values))
            case ir.If():
                return self._branch(statement)
            case ir.Block(label=label, body=body):
                left = self.body(body)
                return None if left == label else left
            case ir.Loop(body=body):
                while True:
                    left = self.body(body)
                    if left is not None:
                        return left
            case ir.Exit(label=label):
                return label
            case ir.Return(values=values):
                self._publish(values)
                return _END
        return None

    def _branch(self, branch: ir.If) -> str | None:
        asked = self._of(branch)
        place, step = next(self.steps)
        self.found[place] = (asked,)
        left = self.body(branch.then if step.values[0] else branch.otherwise)
        if branch.branch not in self.observable_branches:
            for name in _changed((*branch.then, *branch.otherwise)):
                self.known[name] = self.known.get(name, _NONE) | asked
        return left

    def _publish(self, values: Iterable[ir.Expression]) -> tuple[Draws, ...]:
        place, _ = next(self.steps)
        self.found[place] = tuple(self._known(names(value)) for value in values)
        return self.found[place]

    def _of(self, statement: ir.Statement) -> Draws:
        return self._known(name for item in expressions(statement) for name in names(item))

    def _known(self, mentioned: Iterable[str]) -> Draws:
        return frozenset().union(*(self.known.get(name, _NONE) for name in mentioned))


def _changed(body: Body) -> set[str]:
    grown = {item.target for item in ir.statements(body) if isinstance(item, ir.Append)}
    return grown | assigned(body)
