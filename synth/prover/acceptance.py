"""What the kernel accepts, held against the claim; and why there is no proof."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version

from synth.bounds.rational import Rational
from synth.bounds.scales import opaque_parts, rational
from synth.prover.obligations.public_facts import PublicFacts
from synth.support.statistics import count_calls
from synth.trusted.kernel.check import INCOMPLETE, VALID, Verdict
from synth.trusted.kernel.codes import Code
from synth.trusted.kernel.rules.safety import SAFE
from synth.trusted.program import syntax as ir

DEFECT = "a defect of synth, not of the program"
TOO_LARGE = frozenset(
    {
        Code.TERM_TOO_LONG,
        Code.TERM_TOO_DEEP,
        Code.TOO_DEEP,
        Code.NUMBER_TOO_LARGE,
        Code.POLYNOMIALS_TOO_LARGE,
        Code.POWERS_TOO_LARGE,
        Code.EXPONENT_TOO_LARGE,
        Code.TOO_MANY_EXPONENTIALS,
        Code.TOO_MANY_ORDERS,
        Code.TOO_MANY_WAYS,
        Code.SCALE_NOT_PUBLIC,
        Code.LOSS_NOT_PUBLIC,
    }
)
"""What is, or may be, beyond the limits of the kernel."""


@dataclass(frozen=True)
class Accepted:
    """A certificate that the kernel has accepted, in so many seconds.

    ``within_claim`` says that its bound is at most the claim, or nothing is claimed.
    """

    certificate: str
    seconds: float
    within_claim: bool


@dataclass(frozen=True)
class Unknown:
    """No proof; why, and where in the program if that is known.

    ``epsilon`` is a bound that was proved although it misses the claim, by this ``certificate``; without one
    it is the bound of a part.  What is ``final`` any other strategy would meet as well.
    """

    reason: str
    span: ir.Span | None = None
    epsilon: Rational | None = None
    certificate: str | None = None
    final: bool = False


def accepted(
    mechanism: ir.Mechanism,
    bound: tuple[Rational, Mapping[str, ir.Expression]],
    facts: PublicFacts,
    written: Callable[[ir.Expression | None], Iterable[str]],
    judged: Callable[[str], Verdict],
) -> Accepted | Unknown:
    """The certificate of a bound, held against the claim if it is within, once the kernel accepts it.

    ``bound`` comes with what its parts mean that are no rational functions; ``written`` gives certificates
    that are held against a claim, the one to be shown first, and may raise Inexpressible.  The next is tried
    where what the kernel refuses is about more than public inputs: on these all of them say the same.
    """
    claim, (total, meant) = mechanism.epsilon, bound
    within = claim is None or facts.at_most(total, rational(claim), {**meant, **opaque_parts(claim)})
    # Whether sums of logarithms are within the claim only the kernel knows.
    attempts = [within] if within or not _has_logarithms(total) else [True, False]
    started = time.monotonic()
    for within in attempts:
        for text in written(claim if within else None):
            verdict = judged(text)
            count_calls(verdict.calls)
            if verdict.verdict == VALID:
                return Accepted(text, time.monotonic() - started, within)
            if verdict.public:
                break
    return Unknown(_refusal(verdict), mechanism.span, final=_is_final(verdict))


def _is_final(verdict: Verdict) -> bool:
    """Whether the kernel refused what the tails are, and not how the draws are coupled."""
    return verdict.code in (Code.TAIL_NOT_PAID, Code.GAP_NOT_POSITIVE)


def _refusal(verdict: Verdict) -> str:
    """Why the kernel refused a certificate, in words for the author of the program."""
    reason = verdict.reason or ""
    if verdict.rule == "Norm":
        return "Gaussian noise of this sigma is not shown to be enough for the claimed epsilon and delta"
    if verdict.verdict == INCOMPLETE or verdict.code in TOO_LARGE:
        return f"a proof was found, and its check was not completed: {reason}"
    if verdict.public and verdict.rule != SAFE:
        return f"a proof was found, but for a condition on the parameters that is {reason}"
    return (
        f"{DEFECT}: its own checker refuses the proof that was found. Please report it with the program, the "
        f"command and this: synth {version('synth')}, [{verdict.rule}] at {verdict.place}: {reason}"
    )


def _has_logarithms(bound: Rational) -> bool:
    return any(name.startswith(f"{ir.Operator.LOGARITHM.value}(") for name in bound.variables())
