"""[Safe]: what must hold in every single run, wherever control comes: the program's obligations.

One run is followed with all draws arbitrary, from any input that satisfies ``requires``; the
certificate gives the loops' invariants.
"""

from __future__ import annotations

from synth.kernel.certificate import Node
from synth.kernel.expressions import list_length
from synth.kernel.inputs import SORTS
from synth.kernel.proof import Proof, assigned
from synth.kernel.public import is_rational
from synth.kernel.rules import Outcomes
from synth.kernel.states import State
from synth.kernel.terms import BOOL, TRUE, Term, negation
from synth.language.syntax import (
    Append,
    Assign,
    Assume,
    Block,
    Constant,
    Draw,
    Exit,
    Expression,
    If,
    Loop,
    NewList,
    Obligation,
    Operation,
    Operator,
    Sort,
    Statement,
)

_ZERO = Constant(0, Sort.REAL)


def safe(proof: Proof, node: Node, body: tuple[Statement, ...], state: State) -> Outcomes:
    """[Safe]: collects as side conditions that no statement of the body fails."""
    outcomes: Outcomes = {None: (state,)}
    for statement in body:
        for current in outcomes.pop(None, ()):
            for label, states in _statement(proof, node, statement, current).items():
                outcomes[label] = (*outcomes.get(label, ()), *states)
        if None not in outcomes:
            break
        outcomes[None] = proof.merged(outcomes[None])
    return outcomes


def _statement(proof: Proof, node: Node, statement: Statement, state: State) -> Outcomes:
    match statement:
        case Assign(target=target, value=value):
            state, term = _value(proof, state, value)
            state = state.binding(target, (term, term), proof.public(state, value))
        case Draw(target=target, arguments=(_, scale)):
            positive = Operation(Operator.LESS, (_ZERO, scale), Sort.BOOL)
            _show(proof, node, state, positive, "the scale is positive", statement.span.line)
            drawn = proof.fresh(target, SORTS[statement.sort])
            state = state.binding(target, (drawn, drawn))
        case NewList(target=target):
            state = state.binding(list_length(target), ("0", "0"))
        case Append(target=target):
            length: Term = ("+", state.values[list_length(target)][0], "1")
            term, fact = proof.named(list_length(target), length)
            state = state.knowing([fact]).binding(list_length(target), (term, term))
        case Obligation(condition=condition, reason=reason, span=span):
            _show(proof, node, state, condition, reason, span.line)
        case Assume(condition=condition):
            public = proof.public(state, condition)
            state, term = _value(proof, state, condition)
            state = state.under(term, public)
        case If(condition=condition, then=then, otherwise=otherwise):
            public = proof.public(state, condition)
            state, test = _value(proof, state, condition)
            otherwise_state = state.under(negation(test), public and negation(public))
            sides = (
                safe(proof, node, then, state.under(test, public)),
                safe(proof, node, otherwise, otherwise_state),
            )
            labels = dict.fromkeys((*sides[0], *sides[1]))
            return {
                label: proof.merged((*sides[0].get(label, ()), *sides[1].get(label, ()))) for label in labels
            }
        case Block(label=label, body=body):
            outcomes = safe(proof, node, body, state)
            rest = proof.merged((*outcomes.pop(None, ()), *outcomes.pop(label, ())))
            return {**outcomes, None: rest} if rest else outcomes
        case Loop():
            return _loop(proof, node, statement, state)
        case Exit(label=label):
            return {label: (state,)}
        case _:
            return {}
    return {None: (state,)}


def _loop(proof: Proof, node: Node, loop: Loop, state: State) -> Outcomes:
    invariant = proof.certificate.safety.get(str(loop.loop), TRUE)
    entry, facts = proof.instance(node, invariant, state, BOOL)
    proof.require(node, state.knowing(facts), f"the invariant of loop {loop.loop} holds on entry", entry)
    head = state
    for name in sorted(assigned(loop.body)):
        head = head.binding(name, proof.fresh_pair(name, True))
    known, _ = proof.instance(node, invariant, head, BOOL)
    outcomes = safe(proof, node, loop.body, head.knowing([known]))
    for back in outcomes.pop(None, ()):
        kept, facts = proof.instance(node, invariant, back, BOOL)
        proof.require(node, back.knowing(facts), f"the invariant of loop {loop.loop} is kept", kept)
    return outcomes


def _show(proof: Proof, node: Node, state: State, condition: Expression, reason: str, line: int) -> None:
    says = f"line {line}: {reason}"
    public = proof.public(state, condition)
    if public is not None and is_rational(public):
        proof.require_public(node.rule, node.place, says, public, *state.public_path)
    else:
        known, term = _value(proof, state, condition)
        proof.require(node, known, says, term)


def _value(proof: Proof, state: State, expression: Expression) -> tuple[State, Term]:
    evaluation = proof.evaluation(state, 1)
    term, fact = proof.named("value", evaluation.term(expression))
    return proof.informed(state, evaluation).knowing([fact]), term
