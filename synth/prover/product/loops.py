"""Loops of the coupled product: an unknown invariant at the head, or none where both runs do the same."""

from __future__ import annotations

from collections.abc import Callable

from pysmt.fnode import FNode
from pysmt.typing import INT

from synth.prover.codes import Code
from synth.prover.horn.encoding import LEFT, RIGHT
from synth.prover.horn.horn import Application, Purpose
from synth.prover.horn.terms import (
    TRUE,
    add,
    equal,
    number_value,
    subtract,
)
from synth.prover.product.both_runs import assume_facts, one
from synth.prover.product.clause_builder import ClauseBuilder, Head, Restart, Unsupported
from synth.prover.product.control_flow import Outcomes
from synth.prover.product.folds import Fold
from synth.prover.product.loop_heads import new_head
from synth.prover.product.observables import declare_prophecies, is_event
from synth.prover.product.run_states import State
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, expressions, length_name
from synth.trusted.program.symbols import Cost, Version

Walk = Callable[[Body, State], Outcomes[State]]


def loop_outcomes(builder: ClauseBuilder, state: State, loop: ir.Loop, walk: Walk) -> Outcomes[State]:
    """Where control ends behind a loop; ``walk`` gives the outcomes of its body."""
    known = builder.heads.get(loop.loop)
    if known is not None:
        _enter(builder, state, loop, known)
        return {}
    fold = builder.problem.folds.get(loop.loop)
    if fold is not None and _adds_up(state, fold):
        return {fold.label: [_added_up(builder, state, loop, fold)]}
    if _only_public(builder, loop):
        outcomes = _public_loop(builder, state, loop, walk)
        if outcomes is not None:
            return outcomes
    head = builder.heads[loop.loop] = new_head(builder, state, loop)
    builder.predicates[head.predicate.name] = head.predicate
    _enter(builder, state, loop, head)
    outcomes = walk(loop.body, _at_head(builder, loop, head))
    for back in outcomes.pop(None, []):
        _enter(builder, back, loop, head)
    return outcomes


# --- loops with an invariant ----------------------------------------------------------------


def _at_head(builder: ClauseBuilder, loop: ir.Loop, head: Head) -> State:
    """A new fragment, which begins with any values that satisfy the invariant."""
    fragment = builder.fragment([Application(head.predicate, head.predicate.formals)])
    state = State(fragment, TRUE(), ({}, {}))
    for name, pair in (*head.kept.items(), *head.carried):
        state.set(name, *pair)
    for ghost in builder.problem.accounting.against:
        state.set_both(ghost, _ahead(builder, state, ghost))
    for read, formal in head.reads:
        fragment.assume(equal(one(builder, state, LEFT, read), formal))
    for name in head.counted:
        assert loop.counter is not None
        fragment.assume(equal(state.value(length_name(name)), state.value(loop.counter)))
    for name in builder.problem.mechanism.lists:
        version = Version(name)
        state.set_both(version, builder.names.fresh(str(version), INT))
    declare_prophecies(builder, state)
    assume_facts(builder, state)
    return state


def _enter(builder: ClauseBuilder, state: State, loop: ir.Loop, head: Head) -> None:
    """The loop's invariant holds here: on entry, or after an iteration."""
    for name, pair in head.kept.items():
        if state.knows(name) and state.pair(name) != pair:
            builder.differences.varying[loop.loop].add(name)
            raise Restart
    arguments: list[FNode] = []
    for name, (first, second) in head.carried:
        if not state.knows(name):
            state.set_both(name, builder.names.fresh(str(name), first))
        left, right = state.pair(name)
        if isinstance(name, Cost) and name in builder.problem.accounting.against:
            left = right = _ahead(builder, state, name)
        if first is second and left is not right:
            builder.differences.duplicated[loop.loop].add(name)
            raise Restart
        arguments += [left] if first is second else [left, right]
    arguments += [one(builder, state, LEFT, read) for read, _ in head.reads]
    application = Application(head.predicate, tuple(arguments))
    builder.conclude(state, application, Purpose("invariant", loop.span, head.predicate.name))


def _ahead(builder: ClauseBuilder, state: State, ghost: Cost) -> FNode:
    """The program's account minus the counter; and so also the counter from that difference."""
    name, span = builder.problem.accounting.against[ghost], builder.problem.mechanism.span
    if not state.knows(name):
        raise Unsupported(Code.BUDGET_NOT_KEPT(), span)
    kept, other = state.pair(name)
    if kept is not other:
        raise Unsupported(Code.BUDGET_DIFFERS(), span)
    return subtract(kept, state.value(ghost))


# --- loops that add up ----------------------------------------------------------------------


def _adds_up(state: State, fold: Fold) -> bool:
    """Whether the runs agree on all that the summary of a loop takes for equal."""
    start = state.value(fold.counter.name)
    alike = (state.pair(name) for name in (*fold.increments, *fold.needed, fold.counter.name))
    return number_value(start) == 0 and all(left is right for left, right in alike)


def _added_up(builder: ClauseBuilder, state: State, loop: ir.Loop, fold: Fold) -> State:
    """Behind the loop each sum differs by what the entry that differs adds in the two runs.

    If no entry differs, the one at that index adds the same in both.
    """
    after = state.fork(TRUE())
    place = builder.globals.changed_index(fold.source)
    for name in assigned(loop.body):
        if state.knows(name):
            after.set(name, *(builder.names.fresh(f"{name}<{run}>", state.value(name)) for run in (1, 2)))
    after.set_both(fold.counter.name, builder.names.fresh(fold.counter.name, INT))
    for name, increment in fold.increments.items():
        first, second = (
            one(builder, state, side, increment, {**state.values[side], fold.counter.name: place})
            for side in (LEFT, RIGHT)
        )
        total = builder.names.fresh(name, state.value(name))
        after.set(name, total, add(total, subtract(second, first)))
    builder.summed[loop.loop] = fold
    builder.diverging.update(item.branch for item in ir.statements(loop.body[1:]) if isinstance(item, ir.If))
    return after


# --- public loops ---------------------------------------------------------------------------


def _only_public(builder: ClauseBuilder, loop: ir.Loop) -> bool:
    """Whether the loop only computes, from values on which the runs may be expected to agree."""
    inside = list(ir.statements(loop.body))
    if loop.loop in builder.differences.not_public:
        return False
    if any(is_event(item, event) for item in inside for event in builder.problem.used_events):
        return False
    analysis = builder.problem.analysis
    tainted = analysis.tainted(builder.problem.strategy.observable_branches)
    return all(
        not isinstance(item, (ir.Draw, ir.Choose, ir.Append, ir.NewList, ir.Return, ir.Assume))
        and not any(analysis.is_tainted(part, tainted) for part in expressions(item))
        for item in inside
    )


def _public_loop(builder: ClauseBuilder, state: State, loop: ir.Loop, walk: Walk) -> Outcomes[State] | None:
    """A loop that both runs execute alike needs no invariant: what it assigns is some shared value.

    By induction over the iterations: shared at the head and, checked here, shared after one
    more.  Everything else keeps its value.  None if some value is not shared.
    """
    changed = assigned(loop.body)
    names = sorted(changed & builder.problem.live_at_loop[loop.loop])
    if any(left is not right for left, right in map(state.pair, names)):
        return None
    head = state.fork(TRUE())
    for name in names:
        head.set_both(name, builder.names.fresh(name, state.value(name)))
    clauses = len(builder.clauses)
    outcomes = walk(loop.body, head)
    reached = [item for states in outcomes.values() for item in states]
    shared = all(
        left is right
        for item in reached
        for left, right in (item.pair(name) for name in changed if item.knows(name))
    )
    same_fragment = all(item.fragment is state.fragment for item in reached)
    if not shared or not same_fragment or len(builder.clauses) != clauses:
        builder.differences.not_public.add(loop.loop)
        raise Restart
    builder.shared[loop.loop] = tuple(names)
    outcomes.pop(None, None)
    return outcomes
