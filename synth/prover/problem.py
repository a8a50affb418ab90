"""What is to be proved: a canonical mechanism whose obligations are shown, and its claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from synth.bounds.rational import Rational
from synth.bounds.scales import check_defined, rational
from synth.prover.acceptance import Unknown
from synth.prover.attempt import Attempt, Progress
from synth.prover.codes import Code
from synth.prover.normal_form.counted_loops import with_counters
from synth.prover.normal_form.recording import Rewriting
from synth.prover.obligations.preconditions import sufficient_precondition
from synth.prover.obligations.public_facts import PublicFacts
from synth.prover.obligations.single_run import Discharge, discharge
from synth.prover.proved import Part, Proved
from synth.prover.search.shard import Shard
from synth.prover.templates.template import Template
from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.claim import Claim
from synth.trusted.kernel.check import Verdict
from synth.trusted.program import syntax as ir

CHECK_MILLISECONDS = 5000
"""The kernel's limit for one question while a proof is looked for."""

MAX_DRAWS = 250
"""Statements that draw; the time grows with their square, and these take about a minute."""


@dataclass(frozen=True)
class Problem:
    """A canonical mechanism whose obligations are shown; ``notion`` is what to prove where that is no ε.

    It is the program behind the ``rewriting``.  ``verdict_of`` is what the kernel says of a certificate.
    Strategies of its ``shard`` are tried only.
    """

    mechanism: ir.Mechanism
    rewriting: Rewriting
    templates: Mapping[str, Template]
    facts: PublicFacts
    safety: Discharge
    progress: Progress
    verdict_of: Callable[[str], Verdict]
    notion: ir.Notion | None = None
    shard: Shard = field(default_factory=Shard)

    def attempt(self) -> Attempt:
        """Return a search for a proof of the whole."""
        return Attempt(
            self.mechanism,
            self.rewriting,
            self.templates,
            self.facts,
            self.safety,
            self.verdict_of,
            self.progress,
            notion=self.notion,
            shard=self.shard,
        )

    def missed(self, found: Proved) -> Unknown:
        """Say that a proof doesn't meet the claim."""
        if self.notion is not None:
            bound, claim = (str(item) for item in (found.checked.states, Claim.of(self.mechanism)))
            why = Code.DIVERGENCE_MISSES_CLAIM(bound=bound, claim=claim)
            return Unknown(why, self.mechanism.span, certificate=found.certificate)
        return replace(
            self._above_claim(found.epsilon, Code.BOUND_MISSES_CLAIM), certificate=found.certificate
        )

    def missed_by_part(self, found: Part) -> Unknown:
        """Say that the proof of one part alone doesn't meet the claim."""
        return self._above_claim(found.epsilon, Code.PART_MISSES_CLAIM)

    def _above_claim(self, bound: Rational, code: Code) -> Unknown:
        assert self.mechanism.epsilon is not None
        claim = rational(self.mechanism.epsilon)
        return Unknown(code(bound=str(bound), claim=str(claim)), self.mechanism.span, bound)


def in_form(mechanism: ir.Mechanism, form: Rewriting) -> ir.Mechanism:
    """Return the mechanism, and what is claimed of it, in the form that the prover works on."""
    return with_counters(replace(mechanism, body=form.program.body, variables=form.program.variables))


def problem_of(
    mechanism: ir.Mechanism,
    rewriting: Rewriting,
    templates: Mapping[str, Template],
    progress: Progress,
    verdict_of: Callable[[str], Verdict],
    shard: Shard | None = None,
) -> Problem | Unknown:
    """Return what is to be proved of a mechanism behind a rewriting, once its obligations are shown.

    Raises ProgramError when no parameters satisfy ``requires``, or what is stated divides by zero.
    """
    progress("obligations")
    facts = stated_facts(mechanism)
    draws = sum(isinstance(item, ir.Draw | ir.Choose) for item in ir.statements(mechanism.body))
    if draws > MAX_DRAWS:
        return Unknown(Code.TOO_MANY_DRAWS(count=draws, most=MAX_DRAWS), mechanism.span)
    missing = ill_stated(mechanism, facts)
    safety = discharge(mechanism)
    if missing is not None or safety.missing:
        return missing or _undischarged(mechanism, safety.missing)
    return Problem(
        mechanism, rewriting, templates, facts, safety, progress, verdict_of, shard=shard or Shard()
    )


def stated_facts(mechanism: ir.Mechanism) -> PublicFacts:
    """Return what is known of the public parameters.

    Raises ProgramError when no parameters satisfy ``requires``, or what is stated divides by zero.
    """
    facts = PublicFacts(mechanism.requires)
    check_defined(mechanism)
    if facts.satisfiable() is False:
        span, code = mechanism.span, Refusal.REQUIRES_UNSATISFIABLE
        message = "no parameters satisfy 'requires'"
        raise ProgramError(message, mechanism.path, span.line, span.column, code=code)
    return facts


def ill_stated(mechanism: ir.Mechanism, facts: PublicFacts) -> Unknown | None:
    """Return what is wrong with a distance or a δ that is stated: it may be negative."""
    for parameter in mechanism.parameters:
        if parameter.metric is not None and parameter.metric.bound is not None:
            if not facts.nonnegative(parameter.metric.bound):
                return Unknown(Code.STATED_DISTANCE_NEGATIVE(name=parameter.name), parameter.span)
    if mechanism.delta is not None and not facts.nonnegative(mechanism.delta):
        return Unknown(Code.CLAIMED_DELTA_NEGATIVE(), mechanism.span)
    return None


def _undischarged(mechanism: ir.Mechanism, missing: Sequence[ir.Obligation]) -> Unknown:
    obligation = missing[0]
    match obligation.kind:
        case "index":
            why = Code.INDEX_OUT_OF_RANGE()
        case "divisor":
            why = Code.DIVISOR_MAY_BE_ZERO()
        case "scale":
            why = Code.PARAMETER_NOT_SHOWN(what=obligation.reason)
        case _:
            why = Code.OPERATION_UNDEFINED(what=obligation.reason)
    needed = sufficient_precondition(mechanism, missing)
    hints = (f'it is ruled out if requires says "{needed}"',) if needed else ()
    return Unknown(why, obligation.span, hints=hints)
