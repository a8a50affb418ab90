"""Loops of the coupled product: an unknown invariant at the head, or none where both runs do the same."""

from __future__ import annotations

from collections.abc import Callable

from pysmt.fnode import FNode
from pysmt.typing import INT

from synth.prover.codes import Code
from synth.prover.horn.encoding import LEFT
from synth.prover.horn.horn import Application, Purpose
from synth.prover.horn.terms import TRUE, equal, subtract
from synth.prover.product.both_runs import assume_facts, one
from synth.prover.product.clause_builder import Draft, Head, Restart, Unsupported
from synth.prover.product.control_flow import Outcomes
from synth.prover.product.loop_heads import new_head
from synth.prover.product.publishing import foresee, is_event
from synth.prover.product.run_states import State
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, expressions
from synth.trusted.program.symbols import Cost, Version

Walk = Callable[[Body, State], Outcomes[State]]


def loop_outcomes(draft: Draft, state: State, loop: ir.Loop, walk: Walk) -> Outcomes[State]:
    """Where control ends behind a loop; ``walk`` gives the outcomes of its body."""
    known = draft.heads.get(loop.loop)
    if known is not None:
        _enter(draft, state, loop, known)
        return {}
    if _only_public(draft, loop):
        outcomes = _public_loop(draft, state, loop, walk)
        if outcomes is not None:
            return outcomes
    head = draft.heads[loop.loop] = new_head(draft, state, loop)
    draft.predicates[head.predicate.name] = head.predicate
    _enter(draft, state, loop, head)
    outcomes = walk(loop.body, _at_head(draft, head))
    for back in outcomes.pop(None, []):
        _enter(draft, back, loop, head)
    return outcomes


# --- loops with an invariant ----------------------------------------------------------------


def _at_head(draft: Draft, head: Head) -> State:
    """A new scene, which begins with any values that satisfy the invariant."""
    scene = draft.scene([Application(head.predicate, head.predicate.formals)])
    state = State(scene, TRUE(), ({}, {}))
    for name, pair in (*head.kept.items(), *head.carried):
        state.set(name, *pair)
    for ghost in draft.proposal.accounting.against:
        state.set_both(ghost, _ahead(draft, state, ghost))
    for read, formal in head.reads:
        scene.assume(equal(one(draft, state, LEFT, read), formal))
    for name in draft.proposal.mechanism.lists:
        version = Version(name)
        state.set_both(version, draft.names.fresh(str(version), INT))
    foresee(draft, state)
    assume_facts(draft, state)
    return state


def _enter(draft: Draft, state: State, loop: ir.Loop, head: Head) -> None:
    """The loop's invariant holds here: on entry, or after an iteration."""
    for name, pair in head.kept.items():
        if state.knows(name) and state.pair(name) != pair:
            draft.differences.varying[loop.loop].add(name)
            raise Restart
    arguments: list[FNode] = []
    for name, (first, second) in head.carried:
        if not state.knows(name):
            state.set_both(name, draft.names.fresh(str(name), first))
        left, right = state.pair(name)
        if isinstance(name, Cost) and name in draft.proposal.accounting.against:
            left = right = _ahead(draft, state, name)
        if first is second and left is not right:
            draft.differences.duplicated[loop.loop].add(name)
            raise Restart
        arguments += [left] if first is second else [left, right]
    arguments += [one(draft, state, LEFT, read) for read, _ in head.reads]
    application = Application(head.predicate, tuple(arguments))
    draft.conclude(state, application, Purpose("invariant", loop.span, head.predicate.name))


def _ahead(draft: Draft, state: State, ghost: Cost) -> FNode:
    """The program's account minus the counter; and so also the counter from that difference."""
    name, span = draft.proposal.accounting.against[ghost], draft.proposal.mechanism.span
    if not state.knows(name):
        raise Unsupported(Code.BUDGET_NOT_KEPT(), span)
    kept, other = state.pair(name)
    if kept is not other:
        raise Unsupported(Code.BUDGET_DIFFERS(), span)
    return subtract(kept, state.value(ghost))


# --- public loops ---------------------------------------------------------------------------


def _only_public(draft: Draft, loop: ir.Loop) -> bool:
    """Whether the loop only computes, from values on which the runs may be expected to agree."""
    inside = list(ir.statements(loop.body))
    if loop.loop in draft.differences.not_public:
        return False
    if any(is_event(item, event) for item in inside for event in draft.proposal.used_events):
        return False
    analysis = draft.proposal.analysis
    tainted = analysis.tainted(draft.proposal.strategy.published)
    return all(
        not isinstance(item, (ir.Draw, ir.Choose, ir.Append, ir.NewList, ir.Return, ir.Assume))
        and not any(analysis.is_tainted(part, tainted) for part in expressions(item))
        for item in inside
    )


def _public_loop(draft: Draft, state: State, loop: ir.Loop, walk: Walk) -> Outcomes[State] | None:
    """A loop that both runs execute alike needs no invariant: what it assigns is some shared value.

    By induction over the iterations: shared at the head and, checked here, shared after one
    more.  Everything else keeps its value.  None if some value is not shared.
    """
    changed = assigned(loop.body)
    names = sorted(changed & draft.proposal.live_at_loop[loop.loop])
    if any(left is not right for left, right in map(state.pair, names)):
        return None
    head = state.fork(TRUE())
    for name in names:
        head.set_both(name, draft.names.fresh(name, state.value(name)))
    clauses = len(draft.clauses)
    outcomes = walk(loop.body, head)
    reached = [item for states in outcomes.values() for item in states]
    shared = all(
        left is right
        for item in reached
        for left, right in (item.pair(name) for name in changed if item.knows(name))
    )
    same_scene = all(item.scene is state.scene for item in reached)
    if not shared or not same_scene or len(draft.clauses) != clauses:
        draft.differences.not_public.add(loop.loop)
        raise Restart
    draft.shared[loop.loop] = tuple(names)
    outcomes.pop(None, None)
    return outcomes
