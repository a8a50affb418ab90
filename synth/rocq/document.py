"""A certificate as a Rocq file."""

from __future__ import annotations

from synth.rocq.proof import write_proof
from synth.rocq.refusal import Inexpressible
from synth.rocq.statement import write_statement
from synth.rocq.statement_reader import check_statement
from synth.trusted.core.reader import read_core
from synth.trusted.kernel.certificate import Certificate
from synth.trusted.logic.terms import write

_HEAD = "From synth Require Import Tactics."


def rocq_file(certificate: Certificate) -> str:
    """The file, whose statement is compared with the core program.  Raises Inexpressible, Rejected."""
    if write(certificate.proved.delta) not in ("0", "0.0"):
        raise Inexpressible("a proof with a δ has no form in Rocq yet")
    mechanism = read_core(certificate.core)
    statement = write_statement(mechanism, certificate.proved.epsilon)
    check_statement(statement, mechanism, certificate.proved.epsilon)
    proof = write_proof(mechanism, certificate)
    return "\n".join(
        [_HEAD, "", "(** * What is stated *)", "", statement, "(** * Why it holds *)", "", proof]
    )
