"""What the kernel accepts, held against the claim; and why there is no proof."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from synth.bounds.divergences import divergence_bounds
from synth.bounds.rational import Rational
from synth.bounds.scales import opaque_parts, rational
from synth.prover.codes import Code
from synth.prover.obligations.public_facts import PublicFacts
from synth.support.installed import version
from synth.support.statistics import count_calls
from synth.trusted.frontend.claim import NO_CLAIM, Claim
from synth.trusted.kernel.check import INCOMPLETE, VALID, Verdict
from synth.trusted.kernel.rules.safety import SAFE
from synth.trusted.logic.codes import Code as KernelCode
from synth.trusted.program import syntax as ir
from synth.trusted.reasons import Reason

TOO_LARGE = frozenset(
    {
        KernelCode.TERM_TOO_LONG,
        KernelCode.TERM_TOO_DEEP,
        KernelCode.TOO_DEEP,
        KernelCode.NUMBER_TOO_LARGE,
        KernelCode.POLYNOMIALS_TOO_LARGE,
        KernelCode.POWERS_TOO_LARGE,
        KernelCode.EXPONENT_TOO_LARGE,
        KernelCode.TOO_MANY_EXPONENTIALS,
        KernelCode.TOO_MANY_ORDERS,
        KernelCode.TOO_MANY_WAYS,
        KernelCode.SCALE_NOT_PUBLIC,
        KernelCode.LOSS_NOT_PUBLIC,
    }
)
"""What is, or may be, beyond the limits of the kernel."""


@dataclass(frozen=True)
class CheckedCertificate:
    """A certificate that the kernel has accepted, in so many seconds.

    ``within_claim`` says that its bound is at most the claim, or nothing is claimed.  ``states`` is what it
    claims where that is no ε.
    """

    certificate: str
    seconds: float
    within_claim: bool
    states: Claim = NO_CLAIM


@dataclass(frozen=True)
class Unknown:
    """No proof; why, and where in the program if that is known.

    ``epsilon`` is a bound that was proved although it misses the claim, by this ``certificate``; without one
    it is the bound of a part.  What is ``final`` any other strategy would meet as well.  ``hints`` say what
    would help, after it was tried.  ``locate`` finds a reason that has a place, which takes a while.
    """

    why: Reason
    span: ir.Span | None = None
    epsilon: Rational | None = None
    certificate: str | None = None
    final: bool = False
    hints: tuple[str, ...] = ()
    locate: Callable[[], tuple[Reason, ir.Span] | None] | None = field(default=None, compare=False)

    def located(self) -> Unknown:
        """The same with the first place that is to blame, if there is one."""
        found = None if self.locate is None else self.locate()
        return self if found is None else replace(self, why=found[0], span=found[1], locate=None)

    @property
    def reason(self) -> str:
        """The text."""
        return str(self.why)


def check_within_claim(
    mechanism: ir.Mechanism,
    bound: tuple[Rational, Mapping[str, ir.Expression]],
    facts: PublicFacts,
    write_documents: Callable[[Claim], Iterable[str]],
    verdict_of: Callable[[str], Verdict],
) -> CheckedCertificate | Unknown:
    """The certificate of a bound, held against the claim if it is within, once the kernel accepts it.

    ``bound`` comes with what its parts mean that are no rational functions; ``write_documents`` gives
    certificates that are held against a claim, the one to be shown first, and may raise Inexpressible.  The
    next is tried where what the kernel refuses is about more than public inputs: on these all of them say the
    same.
    """
    claim, (total, opaque_definitions) = mechanism.epsilon, bound
    stated = Claim.of(mechanism)
    within = claim is None or facts.at_most(
        total, rational(claim), {**opaque_definitions, **opaque_parts(claim)}
    )
    # Whether sums of logarithms are within the claim only the kernel knows.
    attempts = [within] if within or not _has_logarithms(total) else [True, False]
    started = time.monotonic()
    for within in attempts:
        claim_of_it = stated if within else replace(stated, epsilon=None)
        text, verdict = _first_valid(write_documents(claim_of_it), verdict_of)
        if verdict.verdict == VALID:
            return CheckedCertificate(text, time.monotonic() - started, within)
    span = gaussian_place(mechanism) if verdict.rule == "Norm" else mechanism.span
    return Unknown(_refusal(verdict), span, final=_is_final(verdict))


def check_squares(
    mechanism: ir.Mechanism,
    notion: ir.Notion,
    square: Rational,
    write_documents: Callable[[Claim], Iterable[str]],
    verdict_of: Callable[[str], Verdict],
) -> CheckedCertificate | Unknown:
    """The certificate of noise whose squares sum up to that, held against the claim.

    Where it misses the claim, or nothing is claimed, it states the bound that it shows in its notion.
    """
    started, own = time.monotonic(), Claim.of(mechanism)
    bounds = [Claim(**{notion.value: bound}) for bound in divergence_bounds(notion, square)]
    for claim in (own, *bounds) if own else bounds:
        text, verdict = _first_valid(write_documents(claim), verdict_of)
        if verdict.verdict == VALID:
            within = claim == own or not own
            return CheckedCertificate(text, time.monotonic() - started, within, claim)
    return Unknown(_refusal(verdict), mechanism.span)


def _first_valid(documents: Iterable[str], verdict_of: Callable[[str], Verdict]) -> tuple[str, Verdict]:
    """The first document that is valid, else the last one that was tried, and what the kernel says of it."""
    for text in documents:
        verdict = verdict_of(text)
        count_calls(verdict.calls)
        if verdict.verdict == VALID or verdict.public:
            break
    return text, verdict


def gaussian_place(mechanism: ir.Mechanism) -> ir.Span:
    """Return where Gaussian noise is drawn first; the mechanism's own place if nowhere."""
    draws = (item for item in ir.statements(mechanism.body) if isinstance(item, ir.Draw))
    return min((item.span for item in draws if item.distribution == "gaussian"), default=mechanism.span)


def _is_final(verdict: Verdict) -> bool:
    """Whether the kernel refused what the tails are, and not how the draws are coupled."""
    return verdict.code in (KernelCode.TAIL_NOT_PAID, KernelCode.GAP_NOT_POSITIVE)


def _refusal(verdict: Verdict) -> Reason:
    """Why the kernel refused a certificate, for the author of the program."""
    said = verdict.reason or ""
    if verdict.rule == "Norm":
        return Code.SIGMA_TOO_SMALL()
    if verdict.verdict == INCOMPLETE or verdict.code in TOO_LARGE:
        return Code.CHECK_INCOMPLETE(verdict=said)
    if verdict.public and verdict.rule != SAFE:
        return Code.CONDITION_ON_PARAMETERS(verdict=said)
    return Code.CERTIFICATE_REFUSED(
        version=version("synth"), rule=verdict.rule or "", place=verdict.place or "", verdict=said
    )


def _has_logarithms(bound: Rational) -> bool:
    return any(name.startswith(f"{ir.Operator.LOGARITHM.value}(") for name in bound.variables())
