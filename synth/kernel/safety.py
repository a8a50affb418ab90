"""[Safe]: what must hold in every single run, wherever control comes: the program's obligations.

A single run is two runs on one input with the same noise.  The derivation follows the program; only
the loops' invariants come from the certificate.
"""

from __future__ import annotations

from synth.kernel.certificate import Node
from synth.kernel.json_reader import Json
from synth.kernel.proof import Proof, assigned
from synth.kernel.rules import ONLY_RULE, seq
from synth.kernel.terms import TRUE, write
from synth.language.syntax import (
    Block,
    Chances,
    Choose,
    Draw,
    If,
    Loop,
    Statement,
)

SAFE = "Safe"
_NULL = {"laplace": "LapNull", "exponential": "OneLapNull", "gaussian": "NormNull"}


def safe(proof: Proof) -> None:
    """Collect the side conditions for a proof about single runs.  Raises Rejected."""
    body = proof.mechanism.body
    seq(proof, _sequence(proof, body), body, proof.start())


def _sequence(proof: Proof, body: tuple[Statement, ...]) -> Node:
    return Node("Seq", {}, tuple(_node(proof, statement) for statement in body), "safety")


def _node(proof: Proof, statement: Statement) -> Node:
    match statement:
        case Draw(distribution=distribution):
            return Node(_NULL[distribution], {}, (), "safety")
        case Choose(law=Chances()):
            return Node("Chance", {}, (), "safety")
        case Choose():
            return Node("Choice", {}, (), "safety")
        case If(then=then, otherwise=otherwise):
            return Node("Cond", {}, (_sequence(proof, then), _sequence(proof, otherwise)), "safety")
        case Block(body=body):
            return Node("Block", {}, (_sequence(proof, body),), "safety")
        case Loop(loop=number, body=body):
            invariant = write(proof.certificate.safety.get(str(number), TRUE))
            equal: list[Json] = []
            equal.extend(sorted(assigned(body)))
            fields: dict[str, Json] = {"invariant": [invariant], "equal": equal}
            return Node("While", fields, (_sequence(proof, body),), f"safety.{number}")
        case _:
            return Node(ONLY_RULE[type(statement)], {}, (), "safety")
