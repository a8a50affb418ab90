"""The coupled product: two runs in lockstep, one shift per draw, a ghost cost per class of payments.

Executes both runs symbolically from one loop head to the next and collects Horn clauses over the
loops' unknown relational invariants.  Branches that steer draws or control are published: the two
runs must take them alike.  Branches that only compute may part; each run then goes its own way
([Cond-L], [Cond-R]) and they meet again behind it.

What the clauses say, all together: whenever run 1 publishes what b says, so does run 2, each
coupling is applied as its template allows, and the costs stay within the bounds.  By the
pointwise rule [Forall-Eq] (Barthe et al. 2016, Prop. 6) that is privacy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial

from pysmt.fnode import FNode
from pysmt.typing import INT, REAL

from synth.prover.codes import Code
from synth.prover.horn.computed import Computed
from synth.prover.horn.encoding import LEFT, RIGHT, Environment, Names, as_real, public_term, used_as_reals
from synth.prover.horn.horn import HornSystem, Predicate, Purpose
from synth.prover.horn.paths import joined
from synth.prover.horn.terms import SORTS, TRUE, all_of, constant, equal, negate, subtract, symbol, within
from synth.prover.product.both_runs import assume_facts, both, one
from synth.prover.product.clause_builder import (
    ClauseBuilder,
    CouplingProblem,
    Differences,
    Head,
    Restart,
    Unsupported,
)
from synth.prover.product.control_flow import RETURNED, Outcomes, behind, either, through
from synth.prover.product.finite_draws import choose_value
from synth.prover.product.folds import Fold
from synth.prover.product.loops import loop_outcomes
from synth.prover.product.magnitudes import magnitudes
from synth.prover.product.noise_draws import draw
from synth.prover.product.observables import append, declare_prophecies, end, new_list, relate_observables
from synth.prover.product.run_states import State
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, is_pure, names
from synth.trusted.program.symbols import Event, Kind, Latest, Spent


@dataclass(frozen=True)
class Product(CouplingProblem):
    """The Horn system of a problem, and what its invariants speak of."""

    def system(self) -> HornSystem:
        """The clauses, which hold for some invariants if the problem is right."""
        return self._builder.system()

    @property
    def predicates(self) -> Mapping[str, Predicate]:
        """By name: an invariant per loop that needs one, and what holds of entries of lists."""
        return self._builder.predicates

    @property
    def heads(self) -> Mapping[int, Head]:
        """Per loop with an invariant, what it speaks of."""
        return self._builder.heads

    @property
    def shared(self) -> Mapping[int, tuple[str, ...]]:
        """Per loop that has none, the variables on which the runs agree."""
        return self._builder.shared

    @property
    def summed(self) -> Mapping[int, Fold]:
        """Per loop that adds up and is summarized, what its iterations add."""
        return self._builder.summed

    @property
    def distant(self) -> set[int]:
        """The draws of whose centres only the distance is used."""
        return self._builder.distant

    @property
    def factors(self) -> set[Fraction]:
        """Numbers that factors were found to be which the program doesn't write as numbers."""
        return self._builder.names.factors

    @property
    def computed(self) -> Iterable[Computed]:
        """What is computed of entries where the runs may differ."""
        return self._builder.names.computed.values()

    @cached_property
    def magnitudes(self) -> tuple[ir.Expression, ...]:
        """Public numbers with which the sizes of private factors are compared."""
        return magnitudes(self.analysis)

    @property
    def diverging(self) -> set[int]:
        """The branches where the runs may part."""
        return self._builder.diverging

    @cached_property
    def _builder(self) -> ClauseBuilder:
        """The finished builder; the sharing of variables between the runs is found on the way."""
        differences = Differences()
        while True:
            names = Names(reals=used_as_reals(self.mechanism), magnitudes=self.magnitudes)
            builder = ClauseBuilder(self, differences, names)
            try:
                outcomes = _body(builder, self.mechanism.body, _entry(builder))
            except Restart:
                continue
            assert set(outcomes) <= {RETURNED}, "a mechanism ends by return"
            return builder


# --- the beginning --------------------------------------------------------------------------


def _entry(builder: ClauseBuilder) -> State:
    state = State(builder.fragment(), TRUE(), ({}, {}))
    parameters = builder.problem.mechanism.parameters
    for parameter in parameters:
        if parameter.kind is ir.ParameterKind.SCALAR:
            _scalar(builder, state, parameter)
    for parameter in parameters:
        kind = None if parameter.metric is None else parameter.metric.kind
        if kind in (ir.MetricKind.L1, ir.MetricKind.L2):
            state.set_both(Spent(parameter.name), constant(0, REAL))
            state.set_both(Latest(parameter.name), constant(-1, INT))
    for ghost, sort in builder.problem.accounting.sorts.items():
        state.set_both(ghost, constant(0, sort))
    declare_prophecies(builder, state)
    return state


def _scalar(builder: ClauseBuilder, state: State, parameter: ir.Parameter) -> None:
    """A public parameter is one symbol, a private one two that are adjacent."""
    if parameter.metric is None:
        state.set_both(parameter.name, builder.globals.scalar(parameter.name))
        return
    left, right = (symbol(f"{parameter.name}<{side}>", SORTS[parameter.sort]) for side in (1, 2))
    state.set(parameter.name, left, right)
    if parameter.metric.bound is not None:
        change = subtract(as_real(left), as_real(right))
        state.fragment.assume(within(change, public_term(state.fragment, parameter.metric.bound)))


# --- statements -----------------------------------------------------------------------------


def _body(builder: ClauseBuilder, body: Body, state: State) -> Outcomes[State]:
    return through(body, state, partial(_statement, builder))


def _statement(builder: ClauseBuilder, statement: ir.Statement, state: State) -> Outcomes[State]:
    match statement:
        case ir.Assign(target=target, value=value):
            state.set(target, *both(builder, state, value))
            if any(target in names(fact) for fact in builder.problem.facts):
                assume_facts(builder, state)
        case ir.Draw():
            draw(builder, state, statement)
        case ir.Choose():
            choose_value(builder, state, statement)
        case ir.NewList():
            new_list(builder, state, statement)
        case ir.Append():
            append(builder, state, statement)
        case ir.If():
            return _if(builder, state, statement)
        case ir.Block(label=label, body=body):
            return behind(label, _body(builder, body, state))
        case ir.Loop():
            return loop_outcomes(builder, state, statement, partial(_body, builder))
        case ir.Exit(label=label):
            return {label: [state]}
        case ir.Return():
            end(builder, state, statement)
            return {RETURNED: [state]}
        case ir.Obligation():
            pass  # shown for each run by itself: synth.prover.obligations.single_run
        case ir.Assume():
            _assume(builder, state, statement)
    return {None: [state]}


def _assume(builder: ClauseBuilder, state: State, statement: ir.Assume) -> None:
    left, right = both(builder, state, statement.condition)
    purpose = Purpose("lockstep", statement.span, "the assertion is about public facts")
    builder.require(state, equal(left, right), purpose)
    state.path = all_of((state.path, left))


def _if(builder: ClauseBuilder, state: State, statement: ir.If) -> Outcomes[State]:
    left, right = both(builder, state, statement.condition)
    pure = statement.branch in builder.problem.analysis.quiet_branches
    if statement.branch in builder.problem.strategy.observable_branches:
        event = Event(Kind.BRANCH, str(statement.branch))
        relate_observables(builder, state, event, (left, right), statement.span)
    elif left is not right:
        assert pure, "a branch that steers draws or control is published"
        _part(builder, state, statement, (left, right))
        return {None: [state]}
    sides = (left, statement.then), (negate(left), statement.otherwise)
    return either(_body(builder, body, state.fork(condition)) for condition, body in sides)


# --- branches where the runs part -----------------------------------------------------------


def _part(builder: ClauseBuilder, state: State, statement: ir.If, conditions: tuple[FNode, FNode]) -> None:
    builder.diverging.add(statement.branch)
    for side in (LEFT, RIGHT):
        results = [
            _run_pure(builder, state, side, body, dict(state.values[side]))
            for body in (statement.then, statement.otherwise)
        ]
        state.values[side].update(joined(conditions[side], *results))


def _run_pure(
    builder: ClauseBuilder, state: State, side: int, body: Body, values: Environment
) -> Environment:
    """A pure body in one run: nothing but assignments and branches."""
    for statement in body:
        match statement:
            case ir.Assign(target=target, value=value):
                values[target] = one(builder, state, side, value, values)
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                test = one(builder, state, side, condition, values)
                results = [_run_pure(builder, state, side, part, dict(values)) for part in (then, otherwise)]
                values.update(joined(test, *results))
            case ir.Block(body=inner) if is_pure(inner) and not _exits(inner):
                values = _run_pure(builder, state, side, inner, values)
            case ir.Obligation():
                pass
            case _:
                raise Unsupported(Code.EXIT_WHERE_RUNS_PART(), _span(statement))
    return values


def _exits(body: Body) -> bool:
    return any(isinstance(item, ir.Exit) for item in ir.statements(body))


def _span(statement: ir.Statement) -> ir.Span:
    return getattr(statement, "span", ir.Span(1, 1))
