"""A certificate as a Rocq file."""

from __future__ import annotations

from synth.rocq.proof import events_of, write_proof
from synth.rocq.statement import write_statement
from synth.rocq.statement_reader import check_statement
from synth.trusted.core.reader import read_core
from synth.trusted.kernel.certificate import Certificate

_HEAD = "From synth Require Import Tactics Deferred."


def rocq_file(certificate: Certificate) -> str:
    """The file, whose statement is compared with the core program.  Raises Inexpressible, Rejected."""
    mechanism = read_core(certificate.core)
    bounds = certificate.proved.epsilon, certificate.proved.delta
    statement = write_statement(mechanism, *bounds, events_of(certificate))
    check_statement(statement, mechanism, *bounds)
    proof = write_proof(mechanism, certificate)
    return "\n".join(
        [_HEAD, "", "(** * What is stated *)", "", statement, "(** * Why it holds *)", "", proof]
    )
