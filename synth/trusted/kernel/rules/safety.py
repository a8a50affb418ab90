"""[Safe]: what must hold in every single run, wherever control comes: the program's obligations.

A single run is two runs on one input with the same noise.  The derivation follows the program; only
the invariants of loops and of the entries of lists come from the certificate.
"""

from __future__ import annotations

from collections.abc import Sequence

from synth.trusted.json_reader import Json
from synth.trusted.kernel.certificate import COMPOSE, Node, at
from synth.trusted.kernel.proof_state import Proof, assigned
from synth.trusted.kernel.rules.laplace import NULL, SHIFTS
from synth.trusted.kernel.rules.structural import ONLY_RULE, seq
from synth.trusted.kernel.symbolic_state import State
from synth.trusted.logic.codes import Code
from synth.trusted.logic.encoding import list_length
from synth.trusted.logic.inputs import length_of, public_name
from synth.trusted.logic.terms import TRUE, Term, substitute, write
from synth.trusted.normal_form.sequential_parts import column
from synth.trusted.program import syntax as ir

SAFE = "Safe"


def safe(proof: Proof) -> None:
    """Collect the side conditions for a proof about single runs.  Raises Rejected.

    Behind each cut what is ``given`` to the part there is one of them.
    """
    body, certificate = proof.mechanism.body, proof.certificate
    starts, given = (0, *certificate.cuts), [part.given for part in certificate.parts] or [()]
    states: tuple[State, ...] = (proof.start(),)
    for place, (start, facts) in enumerate(zip(starts, given, strict=True)):
        states = tuple(_given(proof, state, facts, f"parts.{place}.given") for state in states)
        stretch = body[start : (*starts, len(body))[place + 1]]
        node = _sequence(proof, stretch)
        ends = [seq(proof, node, stretch, state).get(None, ()) for state in states]
        states = tuple(state for end in ends for state in end)


def _given(proof: Proof, state: State, facts: Sequence[Term], place: str) -> State:
    """The state that knows what is given to the part that begins here, which is to be shown."""
    values: dict[str, Term] = {
        length_of(column(name, place)): state.values[list_length(name)][0]
        for name, kind in proof.mechanism.lists.items()
        for place in range(len(kind.components))
    }
    values |= {public_name(name): state.values[name][0] for name in proof.mechanism.variables}
    for fact in facts:
        state = proof.require(at(COMPOSE, place), state, Code.PART_NOT_INFORMED(), substitute(fact, values))
    return state


def _sequence(proof: Proof, body: tuple[ir.Statement, ...]) -> Node:
    return Node("Seq", {}, tuple(_node(proof, statement) for statement in body), "safety")


def _node(proof: Proof, statement: ir.Statement) -> Node:
    match statement:
        case ir.Draw(distribution=distribution):
            return Node(SHIFTS[distribution], {"k": NULL}, (), "safety")
        case ir.Choose(law=ir.Chances()):
            return at("Chance", "safety")
        case ir.Choose():
            return at("Choice", "safety")
        case ir.If(then=then, otherwise=otherwise):
            return Node("Cond", {}, (_sequence(proof, then), _sequence(proof, otherwise)), "safety")
        case ir.Block(body=body):
            return Node("Block", {}, (_sequence(proof, body),), "safety")
        case ir.Loop(loop=number, body=body):
            invariant = write(proof.certificate.safety.get(str(number), TRUE))
            equal: list[Json] = []
            equal.extend(sorted(assigned(body)))
            fields: dict[str, Json] = {"invariant": [invariant], "equal": equal}
            return Node("While", fields, (_sequence(proof, body),), f"safety.{number}")
        case _:
            return at(ONLY_RULE[type(statement)], "safety")
