"""Returned variables that no run from a state changes any more: what contradicts an event is known early.

An assignment under ``result == n`` is never reached from a state in which that is false, as long as nothing
else changes ``result``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from synth.refuter.exact.arithmetic import UndefinedError
from synth.refuter.exact.evaluation import Evaluate
from synth.refuter.exact.execution import Machine
from synth.refuter.exact.states import DroppedMass, PrecisionLoss, State, UndeterminedBranch
from synth.trusted.program import syntax as ir
from synth.trusted.program.builders import conjuncts, negate
from synth.trusted.program.dataflow import length_name, names

Guards = tuple[ir.Expression, ...]


@dataclass(frozen=True)
class Guard:
    """A condition that depends on variables and lengths only."""

    condition: ir.Expression
    names: frozenset[str]


@dataclass(frozen=True)
class Site:
    """An assignment that a loop may reach again, and what holds where it is reached."""

    target: str
    guards: tuple[Guard, ...]


def sites(body: tuple[ir.Statement, ...]) -> list[Site]:
    """All assignments in or behind the first loop."""
    found = list(_sites(body, ()))
    first = next((place for place, item in enumerate(found) if item is None), len(found))
    return [item for item in found[first:] if item is not None]


def _sites(body: tuple[ir.Statement, ...], guards: Guards) -> Iterator[Site | None]:
    """The assignments in program order, and None where a loop begins."""
    for statement in body:
        match statement:
            case ir.Assign(target=target) | ir.Draw(target=target) | ir.Choose(target=target):
                yield Site(target, tuple(_without_reads(guards)))
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                yield from _sites(then, (*guards, *conjuncts(condition)))
                yield from _sites(otherwise, (*guards, *conjuncts(negate(condition))))
            case ir.Loop(body=inner):
                yield None
                yield from _sites(inner, guards)
            case ir.Block(body=inner):
                yield from _sites(inner, guards)


def _without_reads(guards: Guards) -> Iterator[Guard]:
    for condition in guards:
        if not any(isinstance(part, ir.Element) for part in ir.subexpressions(condition)):
            yield Guard(condition, frozenset(names(condition)))


@dataclass(frozen=True)
class Decided:
    """The assignments of a program, for questions about states at the head of a loop."""

    sites: list[Site]

    def variables(self, machine: Machine, state: State) -> set[str]:
        """The variables that keep their values from this state on."""
        fixed = {site.target for site in self.sites}
        while open_now := {
            site.target
            for site in self.sites
            if site.target in fixed and not self._is_closed(machine, state, site, fixed)
        }:
            fixed -= open_now
        return fixed

    def _is_closed(self, machine: Machine, state: State, site: Site, fixed: set[str]) -> bool:
        lengths = {length_name(sequence) for sequence in machine.compiler.lengths}
        known = fixed | machine.constant | lengths
        return any(
            guard.names <= known and _is_false(machine.evaluator(guard.condition), state)
            for guard in site.guards
            if guard.names & fixed
        )


def _is_false(guard: Evaluate, state: State) -> bool:
    try:
        return guard(state) is False
    except (UndeterminedBranch, PrecisionLoss, DroppedMass, UndefinedError, KeyError):
        return False
