"""What several rules do alike: bind values, ask things of single runs, pay into costs."""

from __future__ import annotations

from collections.abc import Mapping

from synth.trusted.kernel.arithmetic.polynomials import is_rational
from synth.trusted.kernel.certificate import NO_MASS, Cost, Node
from synth.trusted.kernel.codes import Code
from synth.trusted.kernel.proof_state import NOWHERE, Proof
from synth.trusted.kernel.symbolic_state import Pair, State
from synth.trusted.kernel.terms import INT, TRUE, Term
from synth.trusted.program import syntax as ir
from synth.trusted.program.symbols import named_cost
from synth.trusted.reasons import Reason

Outcomes = dict[str | None, tuple[State, ...]]
"""Postconditions, by the label of the block that control leaves; None: it goes on."""


def bound(proof: Proof, state: State, name: str, pair: Pair, public: Term | None = None) -> State:
    """A variable has these values in the two runs from here on; ``public`` is the same over public inputs."""
    state, pair = proof.constants(state, name, pair)
    return state.binding(name, pair, public)


def shown(proof: Proof, node: Node, state: State, says: Reason, condition: ir.Expression) -> State:
    """Ask, of a single run, that a condition holds here: of the public inputs, or of the state."""
    if not proof.single:
        return state
    public = None if condition in proof.by_state else proof.public(state, condition)
    if public is not None and is_rational(public):
        proof.require_public(node.rule, node.place, says, public, *state.public_path)
        return state
    state, (pair,) = proof.both(state, condition)
    return proof.require(node, state, says, pair[0])


# --- costs ----------------------------------------------------------------------------------


def in_nats(proof: Proof, node: Node, name: str) -> Cost:
    """A cost that amounts may be paid into; one with a delta only counts, so that it never falls.

    Nor may nats be paid where squares are counted: an amount of no nats can be negative.
    """
    cost = proof.certificate.costs[name]
    if cost.delta != NO_MASS or cost.square is not None:
        raise node.reject(Code.COST_COUNTS_LOSSES(name=name))
    return cost


def counter(proof: Proof, name: str) -> Cost | None:
    """A cost that counts what is lost, each time the same; None if there is none of that name."""
    cost = proof.certificate.costs.get(name)
    return cost if cost is not None and cost.sort == INT and cost.square is None else None


def room(proof: Proof, node: Node, state: State, name: str, here: Term) -> State:
    """Where a cost is about to grow by 1 it is below its bound.

    Without events that is so on all runs, also endless ones; with them, on those that publish what b says.
    """
    cost = proof.certificate.costs[name]
    most, _ = proof.instance(node, cost.bound, NOWHERE, cost.sort)
    below: Term = ("=>", here, ("<", state.ghosts[named_cost(name)], most))
    return proof.require(node, state, Code.COST_ABOVE_BOUND(name=name), below)


def paid_into(proof: Proof, state: State, here: Term, paid: Mapping[str, Term]) -> State:
    """The costs after a coupling that applies where ``here`` holds."""
    for name, amount in paid.items():
        ghost = named_cost(name)
        before = state.ghosts[ghost]
        added: Term = ("+", before, amount)
        state, after = proof.constant(state, name, added if here == TRUE else ("ite", here, added, before))
        state = state.marking({ghost: after})
    return state
