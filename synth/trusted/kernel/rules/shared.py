"""What several rules do alike: bind values, ask things of single runs."""

from __future__ import annotations

from synth.trusted.kernel.certificate import Node
from synth.trusted.kernel.proof_state import Proof
from synth.trusted.kernel.symbolic_state import Pair, State
from synth.trusted.logic.arithmetic.polynomials import is_rational
from synth.trusted.logic.terms import Term
from synth.trusted.program import syntax as ir
from synth.trusted.reasons import Reason

Outcomes = dict[str | None, tuple[State, ...]]
"""Postconditions, by the label of the block that control leaves; None: it goes on."""


def bound(proof: Proof, state: State, name: str, pair: Pair, public: Term | None = None) -> State:
    """A variable has these values in the two runs from here on; ``public`` is the same over public inputs."""
    state, pair = proof.constants(state, name, pair)
    return state.binding(name, pair, public)


def shown(proof: Proof, node: Node, state: State, says: Reason, condition: ir.Expression) -> State:
    """Ask, of a single run, that a condition holds here: of the public inputs, or of the state.

    Or over the reals, where it follows from what is given, which is shown of the state.
    """
    if not proof.single:
        return state
    if condition in proof.by_reals:
        state, given = proof.given_reals(node, proof.by_reals[condition], state)
        state, ((value, _),) = proof.both(state, condition)
        proof.require_public(node, says, proof.reals(value), *state.public_path, *given)
        return state
    public = None if condition in proof.by_state else proof.public(state, condition)
    if public is not None and is_rational(public):
        proof.require_public(node, says, public, *state.public_path)
        return state
    state, (pair,) = proof.both(state, condition)
    return proof.require(node, state, says, pair[0])
