"""Constrained Horn clauses: what is to be shown of a system with unknown invariants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pysmt.fnode import FNode

from synth.prover.horn.terms import all_of, free_symbols, implies, substitute
from synth.trusted.program import syntax as ir


@dataclass(frozen=True)
class Predicate:
    """An unknown relation over its formals: a loop invariant, or a fact about list entries."""

    name: str
    formals: tuple[FNode, ...]


@dataclass(frozen=True)
class Application:
    """A predicate at some terms."""

    predicate: Predicate
    arguments: tuple[FNode, ...]

    def under(self, solution: Mapping[str, FNode]) -> FNode:
        """The formula that this stands for once the predicates are known."""
        body = solution[self.predicate.name]
        pairs = dict(zip(self.predicate.formals, self.arguments, strict=True))
        return substitute(body, {formal: term for formal, term in pairs.items() if formal is not term})


@dataclass(frozen=True)
class Purpose:
    """Why a clause must hold, for messages: a kind, the place in the program, a sentence."""

    kind: str
    span: ir.Span
    text: str


@dataclass(frozen=True)
class Clause:
    """For all values of its symbols: premises and assumptions imply the conclusion."""

    premises: tuple[Application, ...]
    assumptions: tuple[FNode, ...]
    conclusion: Application | FNode
    purpose: Purpose

    def formula(self, solution: Mapping[str, FNode]) -> FNode:
        """The clause as a formula, under a solution for the predicates."""
        known = [premise.under(solution) for premise in self.premises]
        goal = self.conclusion
        return implies(
            all_of((*known, *self.assumptions)),
            goal.under(solution) if isinstance(goal, Application) else goal,
        )


@dataclass(frozen=True)
class HornSystem:
    """Clauses over predicates; it is solved by formulas for the predicates that make all valid."""

    predicates: tuple[Predicate, ...]
    clauses: tuple[Clause, ...]

    def under(self, given: Mapping[str, FNode]) -> HornSystem:
        """The system that remains when some predicates are given formulas."""
        clauses = []
        for clause in self.clauses:
            goal = clause.conclusion
            if isinstance(goal, Application) and goal.predicate.name in given:
                goal = goal.under(given)
            known = [item for item in clause.premises if item.predicate.name in given]
            rest = tuple(item for item in clause.premises if item.predicate.name not in given)
            facts = tuple(item.under(given) for item in known)
            clauses.append(
                replace(clause, premises=rest, assumptions=(*facts, *clause.assumptions), conclusion=goal)
            )
        predicates = tuple(item for item in self.predicates if item.name not in given)
        return HornSystem(predicates, tuple(clauses))

    def symbols(self, clause: Clause) -> list[FNode]:
        """The free symbols of a clause."""
        terms: list[FNode] = list(clause.assumptions)
        for application in (*clause.premises, clause.conclusion):
            if isinstance(application, Application):
                terms.extend(application.arguments)
            else:
                terms.append(application)
        return free_symbols(terms)
