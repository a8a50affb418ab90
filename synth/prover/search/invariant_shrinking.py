"""Invariants without the conjuncts that no clause needs: these are certified, and shown."""

from __future__ import annotations

from pysmt.fnode import FNode

from synth.prover.horn.horn import Clause, HornSystem
from synth.prover.horn.solvers import GaveUp, Solution, failing_clauses
from synth.prover.horn.terms import all_of

MAX_CHECKS = 60
"""How often some conjunct is left out to see whether the clauses still hold."""

STEPS_PER_CLAUSE = 20_000
"""cvc5's resource units for one clause."""


def shrunk(system: HornSystem, solution: Solution, checks: int = MAX_CHECKS) -> Solution:
    """Return a solution of the same system with fewer conjuncts, as far as so many checks allow.

    Each conjunct is dropped that the others make up for, the longest first; every step is checked by cvc5.
    The budget is counted in steps, so that the same system gives the same formulas on every machine.
    """
    assuming = {name: tuple(item for item in system.clauses if _assume(item, name)) for name in solution}
    parts = {name: list(_conjuncts(formula)) for name, formula in solution.items()}
    order = [(name, part) for name, listed in parts.items() for part in listed]
    for name, part in sorted(order, key=lambda item: -len(item[1].serialize()))[: max(checks, 0)]:
        kept = [other for other in parts[name] if other is not part]
        proposal = {other: all_of(listed) for other, listed in {**parts, name: kept}.items()}
        if _hold(assuming[name], proposal):
            parts[name] = kept
    return {name: all_of(listed) for name, listed in parts.items()}


def _conjuncts(formula: FNode) -> tuple[FNode, ...]:
    return tuple(formula.args()) if formula.is_and() else (formula,)


def _hold(clauses: tuple[Clause, ...], solution: Solution) -> bool:
    try:
        return next(failing_clauses(clauses, solution, STEPS_PER_CLAUSE), None) is None
    except GaveUp:
        return False


def _assume(clause: Clause, name: str) -> bool:
    """Clauses that only conclude a predicate hold all the more for a weaker one."""
    return any(premise.predicate.name == name for premise in clause.premises)
