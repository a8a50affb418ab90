"""The proof of a program with loops that noise leaves early, by one in which they go on to their end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from synth.prover.acceptance import Unknown
from synth.prover.attempt import Progress
from synth.prover.certificate.writing import recorded_lingering, with_lingering_loops
from synth.prover.mechanism_proof import best_proof
from synth.prover.problem import in_form, problem_of
from synth.prover.proved import Proved
from synth.prover.templates.template import Template
from synth.trusted.kernel.check import Verdict
from synth.trusted.program import syntax as ir


def prove_by_lingering(
    mechanism: ir.Mechanism,
    templates: Mapping[str, Template],
    progress: Progress,
    check: Callable[[str], Verdict],
) -> Proved | Unknown | None:
    """[Linger]: of a program with such loops, by the one in which they go on; None for others."""
    text = mechanism.source, mechanism.name, mechanism.lines, mechanism.specification
    form = recorded_lingering(*text)
    if form is None:
        return None

    def verdict_of(document: str) -> Verdict:
        return check(with_lingering_loops(document, mechanism))

    problem = problem_of(in_form(mechanism, form), templates, progress, verdict_of)
    found = problem if isinstance(problem, Unknown) else best_proof(problem)
    if isinstance(found, Unknown):
        return found
    document = with_lingering_loops(found.certificate, mechanism)
    return replace(found, checked=replace(found.checked, certificate=document))
