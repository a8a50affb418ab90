"""Payments of one node: amounts added to costs, which pay for prices that are public."""

from __future__ import annotations

from dataclasses import dataclass

from synth.trusted.kernel.arithmetic.polynomials import at_most
from synth.trusted.kernel.certificate import Node
from synth.trusted.kernel.codes import Code
from synth.trusted.kernel.proof_state import Proof
from synth.trusted.kernel.rules.shared import in_nats, paid_into
from synth.trusted.kernel.symbolic_state import State
from synth.trusted.kernel.terms import REAL, Term, read
from synth.trusted.reasons import Reason


@dataclass(frozen=True)
class Prices:
    """Payments of one node; ``known`` holds of the public inputs and of what loops count here."""

    proof: Proof
    node: Node
    known: tuple[Term, ...]

    def paid(self, field: str, price: Term, state: State, here: Term) -> State:
        """As :meth:`due`; it is added where ``here`` holds."""
        state, amounts = self.due(field, price, state)
        return paid_into(self.proof, state, here, amounts)

    def due(self, field: str, price: Term, state: State) -> tuple[State, dict[str, Term]]:
        """``field`` names a cost and an amount that pays for a price."""
        match self.node.fields.get(field):
            case [str(name), str(amount)] if name in self.proof.certificate.costs:
                term = read(amount)
            case _:
                raise self.node.reject(Code.MALFORMED_PAYMENT(field=field))
        cost = in_nats(self.proof, self.node, name)
        added, facts = self.proof.instance(self.node, term, state, cost.sort)
        weight = self.proof.public_number(self.node, cost.weight)
        pays: Term = ("*", self.proof.as_indexed(self.node, term, state), weight)
        self.public(Code.AMOUNT_NOT_PAID(field=field), at_most(price, pays))
        return state.knowing(facts), {name: added}

    def public(self, says: Reason, goal: Term) -> None:
        self.proof.require_public(self.node.rule, self.node.place, says, goal, *self.known)

    def size(self, field: str, state: State) -> tuple[Term, Term]:
        """A field that is a number, in the state and over reals."""
        term = self.node.term(field)
        instance, _ = self.proof.instance(self.node, term, state, REAL)
        return instance, self.proof.as_indexed(self.node, term, state)
