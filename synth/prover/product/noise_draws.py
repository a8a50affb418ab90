"""Draws of noise: per case of the strategy a shift, its requirement and its price."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pysmt.fnode import FNode
from pysmt.typing import INT, REAL, PySMTType

from synth.prover.codes import Code
from synth.prover.costs.accounting import Shared
from synth.prover.costs.cases import Share
from synth.prover.costs.potentials import PotentialCost
from synth.prover.horn.encoding import LEFT, RIGHT, as_real, public_term
from synth.prover.horn.horn import Purpose
from synth.prover.horn.terms import (
    SORTS,
    TRUE,
    absolute,
    add,
    all_of,
    choose,
    constant,
    equal,
    has_cases,
    implies,
    less,
    less_equal,
    linear_combination,
    negate,
    scaled,
    sort_of,
    subtract,
    to_real,
    within,
)
from synth.prover.product.both_runs import both, last_read, one, share
from synth.prover.product.clause_builder import ClauseBuilder, Unsupported
from synth.prover.product.constants import constant_term
from synth.prover.product.intervals import contract_interval
from synth.prover.product.payments import bound_here, paid, raise_ghost
from synth.prover.product.run_states import State
from synth.prover.product.strategy import Case, GuardPredicate, Interval, Shift, Tail
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import names
from synth.trusted.program.symbols import Upward


@dataclass(frozen=True)
class _Use:
    """One case of a draw: when it applies, and by how much run 2's noise is shifted."""

    number: int
    case: Case
    guard: FNode
    shift: FNode


def draw(builder: ClauseBuilder, state: State, statement: ir.Draw) -> None:
    """Run 2's draw is run 1's, shifted as the first case says whose conditions hold."""
    center = _center(builder, state, statement)
    kind = SORTS[statement.sort]
    template = builder.problem.templates[statement.distribution]
    cases = builder.problem.strategy.cases[statement.site]
    variables = builder.problem.mechanism.variables.keys()
    asked = {name for case in cases for item in case.expressions() for name in names(item)}
    if not asked & variables <= state.values[LEFT].keys():
        raise Unsupported(Code.COUPLED_BEFORE_ASSIGNED(), statement.span)
    guards = _guards(builder, state, cases)
    shifts = [
        builder.names.fresh(f"{statement.target}#moved", kind)
        if isinstance(case.coupling, Interval)
        else _shift(builder, state, case.coupling, center, kind)
        for case in cases
    ]
    shift = shifts[-1]
    for guard, other in zip(guards[-2::-1], shifts[-2::-1], strict=True):
        shift = choose(guard, other, shift)
    left = builder.names.fresh(f"{statement.target}<1>", kind)
    state.fragment.assume(implies(state.path, template.support_at(left, center[0])))
    for item in builder.problem.strategy.apart.get(statement.site, ()):
        other, _ = state.pair(item.name)
        state.fragment.assume(implies(state.path, negate(equal(left, other))))
    tail = builder.problem.strategy.tails.get(statement.site)
    if tail is not None:
        _give_up(builder, state, statement, tail, subtract(as_real(left), as_real(center[0])))
    for number, (guard, case, chosen) in enumerate(zip(guards, cases, shifts, strict=True)):
        if isinstance(case.coupling, Interval):
            contract_interval(
                builder, state, statement, (number, case), guard=guard, drawn=(left, chosen), center=center
            )
        else:
            _pay(builder, state, statement, center, _Use(number, case, guard, chosen))
    state.set(statement.target, left, add(left, shift))


def _center(builder: ClauseBuilder, state: State, statement: ir.Draw) -> tuple[FNode, FNode]:
    """The centre in both runs; or run 1's, and another one no further away than is shown of run 2's."""
    first, second = both(builder, state, statement.arguments[0])
    difference = subtract(second, first)
    if statement.site not in builder.problem.apart or not has_cases(difference):
        return first, second
    factor, unit = builder.problem.apart[statement.site]
    most = scaled(factor, to_real(public_term(state.fragment, unit)))
    purpose = Purpose("cost", statement.span, "the centres are no further apart than the shift allows for")
    builder.require(state, within(as_real(difference), most), purpose)
    known = builder.names.fresh(f"{statement.target}#apart", sort_of(first))
    state.fragment.assume(implies(state.path, within(as_real(known), most)))
    builder.distant.add(statement.site)
    return first, add(first, known)


def _give_up(builder: ClauseBuilder, state: State, statement: ir.Draw, tail: Tail, noise: FNode) -> None:
    """Run 1's noise is inside; that is counted, and the count is within its bound on all runs."""
    limit = constant_term(state.fragment, tail.limit)
    inside = all_of((less(noise, limit), *([less(scaled(-1, noise), limit)] * tail.both)))
    here = _where_lost(builder, state, tail)
    state.fragment.assume(implies(all_of((state.path, here)), inside))
    ghost = builder.problem.accounting.accounts[statement.site, Share.TAIL].ghost
    raised = raise_ghost(state, ghost, constant(1, INT), here)
    bound_here(builder, state, ghost, raised, statement.span)


def _where_lost(builder: ClauseBuilder, state: State, tail: Tail) -> FNode:
    """Where the tail is given up, as a condition on the inputs and on run 1."""
    if tail.changed is not None:
        (index,) = tail.changed.index
        return equal(one(builder, state, LEFT, index), builder.globals.changed_index(tail.changed.source))
    if tail.added is None:
        return TRUE()
    values = dict(state.values[LEFT])
    values[tail.added.counter] = builder.globals.changed_index(tail.added.source)
    sides = (one(builder, state, side, tail.added.increment, values) for side in (LEFT, RIGHT))
    return negate(equal(*sides))


# --- guards and shifts ----------------------------------------------------------------------


def _guards(builder: ClauseBuilder, state: State, cases: tuple[Case, ...]) -> list[FNode]:
    """Per case, when it applies: its conditions hold and no earlier case does; the last is the rest."""
    guards: list[FNode] = []
    earlier: list[FNode] = []
    for case in cases[:-1]:
        wanted = all_of(
            _condition(builder, state, condition.predicate, condition.value) for condition in case.conditions
        )
        guards.append(all_of((wanted, *map(negate, earlier))))
        earlier.append(wanted)
    guards.append(all_of(map(negate, earlier)))
    return guards


def _condition(builder: ClauseBuilder, state: State, predicate: GuardPredicate, value: bool | int) -> FNode:
    if isinstance(predicate.event, Upward):
        upward = builder.globals.upward(predicate.event.sequence)
        return upward if value else negate(upward)
    if predicate.expression is None:
        upcoming, _ = state.pair(predicate.event)
        return upcoming if value else negate(upcoming)
    here = one(builder, state, LEFT, predicate.expression)
    if here is not one(builder, state, RIGHT, predicate.expression):
        raise Unsupported(Code.GUARD_DIFFERS(), builder.problem.mechanism.span)
    upcoming, _ = state.pair(predicate.event)
    match value:
        case 0:
            return equal(here, upcoming)
        case -1:
            return less(here, upcoming)
        case _:
            return less(upcoming, here)


def _shift(
    builder: ClauseBuilder, state: State, coupling: Shift, center: tuple[FNode, FNode], kind: PySMTType
) -> FNode:
    parts: list[tuple[Fraction | int, FNode]] = [(1, center[1]), (-1, center[0])] if coupling.null else []
    for sign, expression in coupling.differences:
        left, right = both(builder, state, expression)
        parts += [(sign, right), (-sign, left)]
    parts += [(sign, _change(builder, state, name)) for sign, name in coupling.changes]
    for factor, unit in coupling.units:
        term = public_term(state.fragment, unit)
        parts.append((factor, to_real(term) if kind == REAL else term))
    return linear_combination(parts, kind)


def _change(builder: ClauseBuilder, state: State, name: str) -> FNode:
    """The change of the one entry that differs, with what is known of it."""
    metric = builder.problem.mechanism.parameter(name).metric
    assert metric is not None and metric.kind is ir.MetricKind.CHANGE_ONE
    change = builder.globals.change(name)
    if metric.bound is not None:
        state.fragment.assume(within(to_real(change), public_term(state.fragment, metric.bound)))
    return change


# --- prices ---------------------------------------------------------------------------------


def _pay(
    builder: ClauseBuilder, state: State, statement: ir.Draw, center: tuple[FNode, FNode], use: _Use
) -> None:
    """The template's requirement, the distance within the case's bound, the ghost raised.

    The null coupling is the shift by e⟨2⟩ − e⟨1⟩, at distance 0.
    """
    here = state.fork(use.guard)
    coupling = builder.problem.templates[statement.distribution].free_coupling()
    requirement = coupling.requirement(center[0], center[1], use.shift)
    builder.require(here, requirement, Purpose("support", statement.span, "the draw stays in the support"))
    distance = coupling.distance(center[0], center[1], use.shift)
    account = builder.problem.accounting.accounts.get((statement.site, use.number))
    zero = constant(0, sort_of(distance))
    if account is None:
        free = Purpose("cost", statement.span, "the coupling is free")
        builder.require(here, equal(distance, zero), free)
        return
    if account.amount is None:
        if use.case.bound is not None:
            _bound_distance(builder, here, statement, use.case, distance)
        step = to_real(distance)
    elif isinstance(account.amount, Shared):
        step = _share_of(builder, here, statement, account.amount.source, to_real(distance))
    else:
        _bound_distance(builder, here, statement, use.case, distance)
        if isinstance(account.amount, PotentialCost):
            return
        amount = paid(builder, state, account.amount)
        step = choose(equal(distance, zero), constant(0, sort_of(amount)), amount)
    raised = raise_ghost(state, account.ghost, step, use.guard)
    if statement.distribution == "gaussian" and statement.sort is ir.Sort.INT:
        bound_here(builder, here, account.ghost, raised, statement.span)


def _share_of(builder: ClauseBuilder, here: State, statement: ir.Draw, source: str, distance: FNode) -> FNode:
    """The share of the entry that was read last: the noise is moved by no more than that differs."""
    index, (left, right) = last_read(here, source)
    moved = absolute(subtract(as_real(right), as_real(left)))
    purpose = Purpose("cost", statement.span, "the noise is moved by no more than the last entry differs")
    builder.require(here, less_equal(distance, moved), purpose)
    return choose(equal(distance, constant(0, REAL)), constant(0, REAL), share(here, source, index))


def _bound_distance(
    builder: ClauseBuilder, here: State, statement: ir.Draw, case: Case, distance: FNode
) -> None:
    assert case.bound is not None
    factor, unit = case.bound
    bound = scaled(factor, to_real(public_term(here.fragment, unit)))
    purpose = Purpose("cost", statement.span, "the shift stays within its bound")
    builder.require(here, less_equal(to_real(distance), bound), purpose)
