"""The proof of a program that takes a sample of its records, by the one that takes them all ([Mix])."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from synth.bounds.amplification import delta_of_sample, epsilon_of_every_record, epsilon_of_sample
from synth.bounds.rational import Rational
from synth.bounds.rational_text import text as rational_text
from synth.bounds.scales import opaque_parts, rational
from synth.prover.acceptance import CheckedCertificate, Unknown, check_within_claim
from synth.prover.attempt import Progress
from synth.prover.certificate.writing import sampled_text
from synth.prover.mechanism_proof import best_proof
from synth.prover.obligations.public_facts import PublicFacts
from synth.prover.problem import Problem, in_form, problem_of
from synth.prover.proved import Proved
from synth.prover.rewritings import Told, recorded_of_every_record
from synth.prover.templates.template import Template
from synth.trusted.frontend.claim import NO_CLAIM, Claim, read_bound
from synth.trusted.kernel.check import Verdict
from synth.trusted.normal_form.sampling import NotSampled
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

Bound = tuple[Rational, Rational]
"""An ε, in nats, and its δ."""


@dataclass(frozen=True)
class Sample:
    """A ``mechanism`` that takes each of its records with a ``chance``, which is public."""

    mechanism: ir.Mechanism
    chance: ir.Expression
    check: Callable[[str], Verdict]

    def claims_of(self, every: ir.Mechanism) -> Iterator[ir.Mechanism]:
        """Give the program that takes every record with claims that it may make for the sample's to be true.

        Without a δ the first one claims nothing; with one the last says that all records cost no more ε than
        the sample may.
        """
        epsilon, delta = self.mechanism.epsilon, self.mechanism.delta
        lossless = delta is None or rational(delta).is_zero()
        if lossless or rational(self.chance).is_zero():
            yield replace(every, epsilon=None, delta=None)
        if rational(self.chance).is_zero():
            return
        lost = None if delta is None else builders.divide(delta, self.chance)
        if epsilon is not None:
            yield replace(every, epsilon=epsilon_of_every_record(epsilon, self.chance), delta=lost)
        if not lossless:
            yield replace(every, epsilon=epsilon, delta=lost)

    def verdict_of(self, text: str) -> Verdict:
        """Say what the kernel says of a proof about every record: as if a sample didn't cost less."""
        return self.check(sampled_text(text, self.mechanism, None, NO_CLAIM))

    def bound_of(self, every: Bound) -> tuple[ir.Expression, ir.Expression]:
        """Return what the sample costs, over public parameters."""
        epsilon, delta = (read_bound(self.mechanism, rational_text(item)) for item in every)
        return epsilon_of_sample(epsilon, self.chance), delta_of_sample(delta, self.chance)

    def checked(self, every: Bound, text: str) -> tuple[Bound, CheckedCertificate] | Unknown:
        """Return the bound of the sample, and its certificate by that of every record, if it is valid."""
        epsilon, delta = self.bound_of(every)

        def write_documents(claim: Claim) -> Iterator[str]:
            yield sampled_text(text, self.mechanism, (epsilon, delta), claim)

        found = check_within_claim(
            self.mechanism,
            (rational(epsilon), opaque_parts(epsilon)),
            PublicFacts(self.mechanism.requires),
            write_documents,
            self.check,
        )
        return found if isinstance(found, Unknown) else ((rational(epsilon), rational(delta)), found)


def prove_by_every_record(
    mechanism: ir.Mechanism,
    templates: Mapping[str, Template],
    progress: Progress,
    check: Callable[[str], Verdict],
) -> Proved | Unknown | None:
    """[Mix]: of a program that takes a sample of its records, by the one that takes all; None for others.

    Of proofs that all miss the claim it is the first one.
    """
    if mechanism.divergence is not None:
        return None
    try:
        every = recorded_of_every_record(Told.of(mechanism))
    except NotSampled:
        return None
    sample = Sample(mechanism, every.chance, check)
    missed: Proved | Unknown | None = None
    for form in sample.claims_of(in_form(mechanism, every.rewriting)):
        problem = problem_of(form, every.rewriting, templates, progress, sample.verdict_of)
        found = problem if isinstance(problem, Unknown) else _of_every_record(sample, problem)
        if isinstance(found, Proved) and found.checked.within_claim:
            return found
        if not isinstance(missed, Proved):
            missed = found
    return missed


def _of_every_record(sample: Sample, problem: Problem) -> Proved | Unknown:
    """The proof about a sample by that of the program that takes every record, with its claim."""
    found = best_proof(problem)
    if isinstance(found, Unknown):
        return found
    checked = sample.checked((found.epsilon, found.delta), found.certificate)
    if isinstance(checked, Unknown):
        return checked
    (epsilon, delta), certificate = checked
    return Proved(epsilon, delta, found.parts, certificate)
