"""Invariants for people: without the conjuncts that no clause needs."""

from __future__ import annotations

import time
from collections.abc import Mapping

from pysmt.fnode import FNode

from synth.prover.horn.horn import Application, Clause, HornSystem
from synth.prover.horn.solvers import GaveUp, Solution, check_solution
from synth.prover.horn.terms import all_of


def shrunk(system: HornSystem, solution: Solution, seconds: float = 0.3) -> Solution:
    """A solution of the same system with fewer conjuncts, as far as the time allows.

    Each conjunct is dropped that the others make up for, the longest first; every step is
    checked by cvc5.
    """
    deadline = time.monotonic() + seconds
    parts = {name: list(_conjuncts(formula)) for name, formula in solution.items()}
    order = [(name, part) for name, listed in parts.items() for part in listed]
    for name, part in sorted(order, key=lambda item: -len(item[1].serialize())):
        if time.monotonic() > deadline:
            break
        kept = [other for other in parts[name] if other is not part]
        proposal = {other: all_of(listed) for other, listed in {**parts, name: kept}.items()}
        if _holds(system, name, proposal):
            parts[name] = kept
    return {name: all_of(listed) for name, listed in parts.items()}


def _conjuncts(formula: FNode) -> tuple[FNode, ...]:
    return tuple(formula.args()) if formula.is_and() else (formula,)


def _holds(system: HornSystem, name: str, solution: Mapping[str, FNode]) -> bool:
    """Whether the solution still solves the clauses that assume the changed predicate."""
    clauses = tuple(clause for clause in system.clauses if _assumes(clause, name))
    try:
        return not check_solution(HornSystem(system.predicates, clauses), dict(solution))
    except GaveUp:
        return False


def _assumes(clause: Clause, name: str) -> bool:
    """Clauses that only conclude a predicate hold all the more for a weaker one."""
    return any(_is_about(premise, name) for premise in clause.premises)


def _is_about(application: Application, name: str) -> bool:
    return application.predicate.name == name
