"""What a certificate or a witness shows about a mechanism, checked here and now.

Whoever made the document, and whoever kept or sent it, is not believed: each word of the result is the
mechanism's own, or was computed from what the kernel (or the check of witnesses) accepted.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from synth.support.statistics import count_calls
from synth.trusted.frontend.claim import Claim
from synth.trusted.program import syntax as ir
from synth.views.assumptions import assumptions_of_witness
from synth.views.blank import blank
from synth.views.results import REFUTED, Result

if TYPE_CHECKING:
    from synth.prover.acceptance import Unknown
    from synth.trusted.kernel.certificate import Certificate

SECONDS_FOR_WITNESS = 10.0


def shown_by(document: str, mechanism: ir.Mechanism) -> Result | None:
    """The result that a document is accepted for, None if it is not, or is about something else.

    This imports a solver, and takes as long as the check takes.
    """
    try:
        content = json.loads(document)
        if content.get("kind") == "witness":
            return _refuted(content, mechanism)
        return _proved(document, mechanism)
    except Exception:  # whatever a forged document leads to, it is no verdict
        return None


def shown_as_before(earlier: str, mechanism: ir.Mechanism) -> Result | None:
    """The result that the derivation of an earlier certificate is accepted for, of the mechanism of now.

    None if it is not, or if less than what is claimed may be proved of another core program.  This imports a
    solver, and takes as long as the check takes.
    """
    from synth.prover.earlier_proof import proved_as_before
    from synth.views.certificate.report import with_table

    try:
        found = proved_as_before(mechanism, earlier)
        if found is None:
            return None
        result = bounds_of(mechanism, found.certificate, found.text, found.seconds)
        if result.claim_is_loose and not found.same_core:
            return None
        return with_table(result, found.certificate)
    except Exception:  # whatever a forged document leads to, it is no verdict
        return None


def still_shown_by(accepted: str, mechanism: ir.Mechanism) -> Result | None:
    """The result of a certificate that the kernel has accepted before; None if it is about something else."""
    from synth.trusted.kernel.check import parse

    return _result_of(accepted, parse(accepted), mechanism, 0.0)


def _proved(document: str, mechanism: ir.Mechanism) -> Result | None:
    """With the kernel."""
    from synth.trusted.kernel.check import VALID, check

    started = time.monotonic()
    verdict = check(document)
    seconds = time.monotonic() - started
    count_calls(verdict.calls)
    if verdict.verdict != VALID or verdict.certificate is None:
        return None
    return _result_of(document, verdict.certificate, mechanism, seconds)


def _result_of(document: str, found: Certificate, mechanism: ir.Mechanism, seconds: float) -> Result | None:
    """What a certificate shows that the kernel has accepted; None if it is about something else."""
    from synth.prover.certificate.writing import with_lines
    from synth.trusted.kernel.check import parse
    from synth.views.certificate.report import with_table

    claim = blank(mechanism).claim
    program, stated = found.program, found.claim
    about = program.text, program.mechanism, program.specification
    if about != (mechanism.source, mechanism.name, mechanism.specification):
        return None
    if claim and vars(stated) != vars(claim):
        return None
    if (program.lines, program.unread) != (mechanism.lines, mechanism.unread):
        document = with_lines(document, mechanism.lines, mechanism.unread)
        found = parse(document)
    return with_table(bounds_of(mechanism, found, document, seconds), found)


def bounds_of(mechanism: ir.Mechanism, certificate: Certificate, document: str, seconds: float) -> Result:
    """Return what a certificate shows, without its table; the kernel has accepted it, in so many seconds."""
    from synth.views.certificate.report import proved

    claim = Claim.of(mechanism)
    if claim and vars(certificate.claim) != vars(claim):
        raise AssertionError(f"the certificate is about {certificate.claim}, and not about {claim}")
    result = proved(mechanism, certificate, document)
    claim_is_loose = _leaves_some(mechanism, result)
    return replace(result, claim_is_loose=claim_is_loose, seconds_checking=round(seconds, 3))


def unproved(mechanism: ir.Mechanism, found: Unknown) -> Result:
    """Return why there is no proof within the claim, explained."""
    return explained(_without_proof(mechanism, found))


def explained(result: Result) -> Result:
    """Return a result with why its code matters and what to do, if the code is known here."""
    from synth.app.explanations import explanations

    known = explanations().get(str(result.code))
    return result if known is None else replace(result, matters=known.why, advice=known.do)


def _without_proof(mechanism: ir.Mechanism, found: Unknown) -> Result:
    """Return why there is no proof within the claim, with the bound and the table of one that misses it."""
    from synth.app.overspending import placed
    from synth.prover.codes import Code
    from synth.trusted.kernel.check import parse
    from synth.views.certificate.report import shown_bounds, with_table

    line, column = (None, None) if found.span is None else (found.span.line, found.span.column)
    result = replace(
        blank(mechanism, found.reason, code=found.why.code.id),
        reason_line=line,
        reason_column=column,
        hints=found.hints,
    )
    if found.certificate is None:
        return result
    certificate = parse(found.certificate)
    told = result.bounded_by(shown_bounds(certificate, mechanism))
    if mechanism.divergence is None:
        why = Code.BOUND_MISSES_CLAIM(bound=str(told.epsilon), claim=str(result.claim.epsilon))
    else:
        why = Code.DIVERGENCE_MISSES_CLAIM(bound=str(told.bound), claim=str(result.claim))
    told = replace(told, reason=str(why), code=why.code.id)
    return placed(mechanism, with_table(told, certificate))


def least(mechanism: ir.Mechanism, bounds: Iterable[str]) -> str:
    """Return the least of some bounds on ε, or of those that can't be compared one of the shortest."""
    from synth.bounds.scales import opaque_parts, rational
    from synth.prover.obligations.public_facts import PublicFacts
    from synth.trusted.errors import ProgramError
    from synth.trusted.frontend.claim import read_bound

    facts = PublicFacts(mechanism.requires)

    def is_less(one: str, other: str) -> bool:
        try:
            low, high = (read_bound(mechanism, item) for item in (one, other))
        except ProgramError:  # a bound that can't be written as a claim
            return False
        return facts.at_most(rational(low), rational(high), {**opaque_parts(low), **opaque_parts(high)})

    found, *others = sorted(set(bounds), key=lambda bound: ("len(" in bound, len(bound), bound))
    for other in others:
        found = other if is_less(other, found) else found
    return found


def _leaves_some(mechanism: ir.Mechanism, result: Result) -> bool:
    """Whether a bound is below the claim, so that less would do."""
    from synth.bounds.scales import opaque_parts, rational
    from synth.prover.obligations.public_facts import PublicFacts
    from synth.trusted.errors import ProgramError
    from synth.trusted.frontend.claim import read_bound

    divergence, bound = mechanism.divergence, result.epsilon
    claim = mechanism.epsilon
    if divergence is not None:
        claim, bound = divergence.bound, result.bound.stated.get(divergence.notion.value)
    if claim is None or bound is None or result.bound == result.claim:
        return False
    try:
        proved: ir.Expression = read_bound(mechanism, bound)
    except ProgramError:  # a bound that can't be written as a claim
        return False
    opaque_definitions = {**opaque_parts(claim), **opaque_parts(proved)}
    return not PublicFacts(mechanism.requires).at_most(rational(claim), rational(proved), opaque_definitions)


def _refuted(document: dict[str, Any], mechanism: ir.Mechanism) -> Result | None:
    """With both ways to compute probabilities; what is shown is from the first."""
    from synth.refuter.rereading import recomputed
    from synth.refuter.witness import document_of
    from synth.trusted.witness.check import VALID, check_witness

    result = blank(mechanism)
    claim = result.claim
    about = [document["program"], document["mechanism"], *map(document.get, vars(claim))]
    given = None if mechanism.specification is None else mechanism.specification.json()
    own = [mechanism.source, mechanism.name, *vars(claim).values(), given]
    if [*about, document.get("specification")] != own:
        return None
    witness = recomputed(mechanism, document["witness"], seconds=SECONDS_FOR_WITNESS)
    if witness is None:
        return None
    found = document_of(mechanism, witness, claim)
    if check_witness(found, seconds=SECONDS_FOR_WITNESS).verdict != VALID:
        return None
    proof = json.dumps(found, indent=1) + "\n"
    assumed = assumptions_of_witness(mechanism)
    return replace(result, verdict=REFUTED, witness=witness.json(), proof=proof, assumptions=assumed)
