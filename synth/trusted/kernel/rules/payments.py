"""Payments: amounts added to costs, each worth a price over public inputs; and uses that are counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from synth.trusted.kernel.certificate import Certificate, Cost, Node
from synth.trusted.kernel.decoding import NO_MASS
from synth.trusted.kernel.proof_state import NOWHERE, Proof
from synth.trusted.kernel.symbolic_state import State
from synth.trusted.logic.arithmetic.polynomials import at_most
from synth.trusted.logic.codes import Code
from synth.trusted.logic.terms import INT, REAL, TRUE, Term, conjunction
from synth.trusted.program import syntax as ir
from synth.trusted.program.symbols import named_cost
from synth.trusted.reasons import Reason

Paid = Mapping[str, Term]
"""What is added to costs, by their names."""

Unit = Callable[[Proof, Node, str], Term]
"""What one unit of a cost is worth, over public inputs.  Raises Rejected where it takes no such payment."""


def in_nats(proof: Proof, node: Node, name: str) -> Term:
    """A cost with a delta only counts, so that it never falls; an amount of no nats can be negative.

    So no nats are paid where losses or squares are counted.
    """
    cost = _cost(proof, node, name)
    if cost.delta != NO_MASS or cost.square is not None:
        raise node.reject(Code.COST_COUNTS_LOSSES(name=name))
    return proof.public_number(node, cost.weight)


def in_squares(proof: Proof, node: Node, name: str) -> Term:
    """A cost with a square counts (distance/sigma)² of real Gaussian noise, or what zCDP has in its place."""
    square = _cost(proof, node, name).square
    if square is None:
        raise node.reject(Code.COST_OF_REAL_GAUSSIAN())
    return proof.public_number(node, square)


def sums_squares(proof: Proof, name: str) -> bool:
    """Whether other draws than Gaussian ones on reals may add squares to that cost: for a claim of zCDP."""
    cost = proof.certificate.costs.get(name)
    return cost is not None and cost.square is not None and sums_rho(proof.certificate)


def sums_rho(certificate: Certificate) -> bool:
    """Whether squares are those of any ρ of zCDP: then no GDP follows from them, whatever was claimed."""
    return certificate.gaussian is not None and certificate.gaussian.notion is ir.Notion.ZCDP


def _cost(proof: Proof, node: Node, name: str) -> Cost:
    if name not in proof.certificate.costs:
        raise node.reject(Code.NO_SUCH_COST(name=name))
    return proof.certificate.costs[name]


def pay(
    proof: Proof,
    node: Node,
    state: State,
    payment: tuple[str, Term],
    says: Reason,
    covers: Callable[[Term], Term],
    known: Sequence[Term],
    unit: Unit = in_nats,
) -> tuple[State, Paid]:
    """Ask that an amount of a cost pays a price, for all public inputs and counters of which ``known`` holds.

    ``covers`` says so of what the amount is worth.  Returns by how much the cost grows where that is paid.
    """
    name, amount = payment
    worth_of_one = unit(proof, node, name)
    added, facts = proof.instance(node, amount, state, _cost(proof, node, name).sort)
    worth: Term = ("*", proof.as_indexed(node, amount, state), worth_of_one)
    proof.require_public(node, says, covers(worth), *known)
    return state.knowing(facts), {name: added}


def price(*prices: Term) -> Callable[[Term], Term]:
    """That something is worth at least each of the prices."""
    return lambda worth: conjunction([at_most(item, worth) for item in prices])


def count(
    proof: Proof,
    node: Node,
    state: State,
    name: str,
    here: Term,
    says: Reason,
    covers: Callable[[Term, Term], Sequence[Term]],
    known: Sequence[Term],
    otherwise: Reason,
) -> tuple[State, Paid]:
    """Ask that the weight and the delta of a cost cover what one use loses, and count the use.

    Where ``here`` holds, the count is below its bound before: without events on all runs, also endless ones;
    with them, on those that publish what b says.  So the masses lost sum up.  ``otherwise`` is said of a cost
    that can't count.
    """
    cost = proof.certificate.costs.get(name)
    if cost is None or cost.sort != INT or cost.square is not None:
        raise node.reject(otherwise)
    for goal in covers(*(proof.public_number(node, item) for item in (cost.weight, cost.delta))):
        proof.require_public(node, says, goal, *known)
    most, _ = proof.instance(node, cost.bound, NOWHERE, INT)
    below: Term = ("=>", here, ("<", state.ghosts[named_cost(name)], most))
    return proof.require(node, state, Code.COST_ABOVE_BOUND(name=name), below), {name: "1"}


def size(proof: Proof, node: Node, field: str, state: State) -> tuple[Term, Term]:
    """A field that is a number, in the state and over public inputs and counters."""
    term = node.term(field)
    instance, _ = proof.instance(node, term, state, REAL)
    return instance, proof.as_indexed(node, term, state)


def paid_into(proof: Proof, state: State, here: Term, paid: Paid) -> State:
    """The costs after a coupling that applies where ``here`` holds."""
    for name, amount in paid.items():
        ghost = named_cost(name)
        before = state.ghosts[ghost]
        added: Term = ("+", before, amount)
        state, after = proof.constant(state, name, added if here == TRUE else ("ite", here, added, before))
        state = state.marking({ghost: after})
    return state
