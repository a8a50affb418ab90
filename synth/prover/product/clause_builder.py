"""The Horn system of a coupled product while it is built: its clauses, predicates and symbols so far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from pysmt.fnode import FNode
from pysmt.typing import BOOL, INT, PySMTType

from synth.prover.costs.accounting import Accounting
from synth.prover.costs.likelihood_ratios import RatioTable
from synth.prover.horn.computed import is_constant
from synth.prover.horn.encoding import Globals, Names, public_term
from synth.prover.horn.horn import Application, Clause, HornSystem, Predicate, Purpose
from synth.prover.horn.terms import implies
from synth.prover.product.constants import define
from synth.prover.product.folds import Fold
from synth.prover.product.run_states import JointFragment, State
from synth.prover.product.strategy import Strategy
from synth.prover.templates.template import Template
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis
from synth.trusted.program.symbols import Event, Name
from synth.trusted.reasons import Reason


class Unsupported(Exception):
    """The product can't be built for this program and strategy; says what and where."""

    def __init__(self, why: Reason, span: ir.Span) -> None:
        super().__init__(why)
        self.why, self.span = why, span


class Restart(Exception):
    """A variable was taken to be shared between the runs at a loop, and is not: begin again, knowing that.

    Nothing of the failed attempt may stay: its clauses would be missing, or its assumptions too many.
    """


@dataclass(frozen=True)
class CouplingProblem:
    """A mechanism, how its runs are to be coupled, and who pays.

    ``facts`` are known of locals that are functions of the public parameters, wherever they have been
    assigned; they have been shown in polynomial arithmetic (synth.prover.obligations.public_facts).
    ``folds`` are loops to be summarized, not to be given an invariant by a solver.  Of the centres of draws
    in ``apart`` only that distance is used, once it is shown.
    """

    mechanism: ir.Mechanism
    analysis: Analysis
    strategy: Strategy
    templates: Mapping[str, Template]
    accounting: Accounting
    facts: tuple[ir.Expression, ...] = ()
    ratios: Mapping[int, RatioTable] = field(default_factory=dict)
    folds: Mapping[int, Fold] = field(default_factory=dict)
    apart: Mapping[int, tuple[Fraction, ir.Expression]] = field(default_factory=dict)

    @cached_property
    def live_at_loop(self) -> dict[int, frozenset[str]]:
        """Per loop, what the program or a coupling may still read once control is at its head."""
        return replace(self.analysis, asked=self.strategy.asked()).live_at_loop

    @cached_property
    def used_events(self) -> dict[Event, PySMTType]:
        """The events that guards ask about beforehand, with their sorts."""
        return {
            condition.predicate.event: BOOL if condition.predicate.expression is None else INT
            for cases in self.strategy.cases.values()
            for case in cases
            for condition in case.conditions
            if isinstance(condition.predicate.event, Event)
        }


@dataclass(frozen=True)
class Differences:
    """What failed attempts have found, per loop: where the runs, or two iterations, do not agree after all.

    ``duplicated`` variables differ between the runs at the loop's head, ``varying`` ones do not stay
    constant; the loops in ``not_public`` do more than compute from values on which the runs agree.
    """

    duplicated: defaultdict[int, set[Name]] = field(default_factory=lambda: defaultdict(set))
    varying: defaultdict[int, set[Name]] = field(default_factory=lambda: defaultdict(set))
    not_public: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class Head:
    """A loop's predicate, the variables it speaks of, and those that are constant in the loop.

    ``reads`` are functions at some of the variables, which it speaks of, too; ``counted`` are lists that are
    as long as the loop's counter says.
    """

    predicate: Predicate
    carried: tuple[tuple[Name, tuple[FNode, FNode]], ...]
    kept: Mapping[Name, tuple[FNode, FNode]]
    reads: tuple[tuple[ir.Read, FNode], ...] = ()
    counted: tuple[str, ...] = ()


@dataclass(frozen=True)
class ClauseBuilder:
    """What one attempt has built.

    ``heads`` tell what each invariant speaks of, ``shared`` on which variables the runs agree at the loops
    that have none, ``summed`` are loops that are summarized, ``diverging`` the branches where the runs may
    part.  Of the draws in ``distant`` only the distance of the centres was used.
    """

    problem: CouplingProblem
    differences: Differences
    names: Names
    clauses: list[tuple[JointFragment | None, Clause]] = field(default_factory=list)
    predicates: dict[str, Predicate] = field(default_factory=dict)
    heads: dict[int, Head] = field(default_factory=dict)
    shared: dict[int, tuple[str, ...]] = field(default_factory=dict)
    summed: dict[int, Fold] = field(default_factory=dict)
    diverging: set[int] = field(default_factory=set)
    distant: set[int] = field(default_factory=set)

    @property
    def globals(self) -> Globals:
        return Globals(self.problem.mechanism)

    def fragment(self, premises: Sequence[Application] = ()) -> JointFragment:
        """A new stretch, at whose beginning the premises hold."""
        mechanism = self.problem.mechanism
        fragment = JointFragment(mechanism, self.names, mechanism.facts, premises=list(premises))
        fragment.assume(public_term(fragment, mechanism.requires))
        define(fragment, self.problem.strategy)
        return fragment

    def conclude(self, state: State, conclusion: Application | FNode, purpose: Purpose) -> None:
        """What is known here implies the conclusion."""
        if isinstance(conclusion, FNode) and (conclusion.is_true() or state.path.is_false()):
            return
        fragment = state.fragment
        clause = Clause(tuple(fragment.premises), (*fragment.assumptions, state.path), conclusion, purpose)
        self.clauses.append((fragment, clause))

    def require(self, state: State, goal: FNode, purpose: Purpose) -> None:
        """Show ``goal`` here, and use it from here on."""
        self.conclude(state, goal, purpose)
        state.fragment.assume(implies(state.path, goal))

    def system(self) -> HornSystem:
        """The finished system, in which no invariant forgets a constant."""
        return _with_globals(HornSystem(tuple(self.predicates.values()), self._matching()))

    def _matching(self) -> tuple[Clause, ...]:
        """The clauses, each for runs 1 that publish what b says, also later in the same fragment.

        What run 1 publishes later may be used from the start: only runs 1 that end with output b
        matter.  It is no fact about run 2, so nothing is used before it is shown.
        """
        return tuple(
            replace(clause, assumptions=(*clause.assumptions, *(fragment.matches if fragment else ())))
            for fragment, clause in self.clauses
        )


def _with_globals(system: HornSystem) -> HornSystem:
    """Pass every constant symbol through every predicate; else it would be forgotten at a loop."""
    if not system.predicates:
        return system
    symbols = dict.fromkeys(item for clause in system.clauses for item in system.symbols(clause))
    constants = filter(is_constant, symbols)
    extra = tuple(sorted(constants, key=lambda item: item.symbol_name()))
    extended = {
        predicate.name: Predicate(predicate.name, (*predicate.formals, *extra))
        for predicate in system.predicates
    }

    def widen(application: Application) -> Application:
        return Application(extended[application.predicate.name], (*application.arguments, *extra))

    clauses = tuple(
        replace(
            clause,
            premises=tuple(widen(item) for item in clause.premises),
            conclusion=widen(clause.conclusion)
            if isinstance(clause.conclusion, Application)
            else clause.conclusion,
        )
        for clause in system.clauses
    )
    return HornSystem(tuple(extended.values()), clauses)
