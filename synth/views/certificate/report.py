"""What a certificate says, as a result for people: couplings, invariants, notes and bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from synth.bounds.divergences import divergence_bounds
from synth.bounds.scales import rational
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.claim import Claim, read_bound
from synth.trusted.kernel.certificate import Certificate
from synth.trusted.kernel.check import EITHER, follows
from synth.trusted.kernel.solvers import GaveUp
from synth.trusted.logic.rejection import Rejected
from synth.trusted.logic.terms import BadTerm, write
from synth.trusted.program import syntax as ir
from synth.views.assumptions import assumptions, nothing_private
from synth.views.blank import blank
from synth.views.certificate.couplings import SQUARES, Couplings
from synth.views.certificate.invariants import Invariants
from synth.views.certificate.outcome_table import Outcomes
from synth.views.certificate.plain import Plain
from synth.views.certificate.plain_names import PlainNames
from synth.views.certificate.steps import Reading, reading
from synth.views.results import PROVED, Invariant, Result


def proved(mechanism: ir.Mechanism, certificate: Certificate, document: str) -> Result:
    """Return the result of a mechanism of which the kernel has accepted this certificate: its bounds.

    ``document`` is the certificate's text.
    """
    found = replace(
        blank(mechanism),
        verdict=PROVED,
        assumptions=assumptions(mechanism),
        notes=nothing_private(mechanism),
        proof=document,
    )
    return found.bounded_by(shown_bounds(certificate, mechanism))


def with_table(result: Result, certificate: Certificate) -> Result:
    """Return the result with the couplings, invariants and notes of its certificate.

    Raises Rejected where the certificate doesn't say what a rule needs.
    """
    whole = reading(certificate)
    every = whole.of_every_record()
    parts = whole.parts or (every,)
    tables = [_table(part, part is parts[-1]) for part in parts]
    sites = [table.sites() for table in tables]
    loops: list[Invariant] = []
    notes = [*_composition(whole), *_noise(whole), *(note for table in tables for note in table.notes())]
    for table, listed in zip(tables, sites, strict=True):
        if isinstance(table, Couplings):
            invariants = Invariants(table)
            found = invariants.all()
            loops += found
            notes += invariants.notes(found, listed)
    return replace(
        result,
        sites=tuple(site for listed in sites for site in listed),
        loops=tuple(loops),
        of_every_record=None if every is whole else Claim(*_bounds(every)),
        notes=(*result.notes, *dict.fromkeys(notes)),
    )


def shown_bounds(
    certificate: Certificate, mechanism: ir.Mechanism, solvers: Sequence[str] = (EITHER,)
) -> Claim:
    """What a valid certificate shows, as people write it if the kernel agrees; else its terms or claim."""
    writer = Plain(PlainNames(mechanism, replace(certificate, events={})), reading(certificate).known)
    own = Claim(**vars(certificate.claim))
    squares = certificate.gaussian
    if own.notion is None and squares is not None and squares.notion is not None:
        return own
    if own.notion is not None:
        written = _divergences(own.notion, certificate, mechanism, writer)
        found = (bound for bound in written if _follows(certificate, bound, solvers))
        return next(found, own)
    terms = certificate.proved.epsilon, certificate.proved.delta
    bound = Claim(*map(writer.written, terms))
    return bound if _follows(certificate, bound, solvers) else Claim(*map(write, terms))


def _follows(certificate: Certificate, bound: Claim, solvers: Sequence[str]) -> bool:
    try:
        return follows(certificate, bound, solvers)
    except (Rejected, GaveUp, BadTerm):
        return False


def _divergences(
    notion: ir.Notion, certificate: Certificate, mechanism: ir.Mechanism, writer: Plain
) -> Iterator[Claim]:
    """What the squares of a proof come to, in the notion that it claims; the simplest first."""
    square = "0" if certificate.gaussian is None else writer.written(certificate.gaussian.square)
    try:
        found = rational(read_bound(mechanism, square))
    except ProgramError:  # a bound that can't be written as a claim
        return
    yield from (Claim(**{notion.value: bound}) for bound in divergence_bounds(notion, found))


def _table(part: Reading, last: bool) -> Couplings | Outcomes:
    if part.law is not None:
        return Outcomes(part, part.law)
    return Couplings(part) if last else Couplings(part, f"what run 1 hands on behind {_lines(part)}")


def _composition(whole: Reading) -> Iterator[str]:
    """That a program is proved in parts, by one round of a loop, or of every record; and what it costs."""
    if len(whole.parts) > 1:
        costs = [f"{_lines(part)} for {_spent(part)}" for part in whole.parts]
        yield f"proved in parts that run one after the other (sequential composition): {', '.join(costs)}"
    for part in whole.parts:
        if part.certificate.retried:
            once = f"{_lines(part)}: one round costs {_cost(part)}"
            yield f"{once}; repeating it until one is kept costs the same again"
    if whole.certificate.sampled is not None:
        epsilon, delta = _bounds(whole.of_every_record())
        every = epsilon if delta == "0" else f"({epsilon}, {delta})"
        yield f"with every record it costs {every}; less, as a coin decides of each whether it is taken"


def _bounds(reading: Reading) -> tuple[str, str]:
    """The ε and the δ of a derivation."""
    writer = Plain(PlainNames(reading.mechanism, reading.certificate), reading.known)
    proved = reading.certificate.proved
    return writer.written(proved.epsilon), writer.written(proved.delta)


def _spent(part: Reading) -> str:
    return f"twice {_cost(part)}" if part.certificate.retried else _cost(part)


def _cost(part: Reading) -> str:
    """What a part costs; its Gaussian noise is paid for by the whole."""
    writer = Plain(PlainNames(part.mechanism, part.certificate), part.known)
    epsilon, noise = writer.written(part.certificate.proved.epsilon), part.certificate.gaussian
    if noise is None:
        return epsilon
    square = f"{writer.written(noise.square)} in {SQUARES}"
    return square if epsilon == "0" else f"{epsilon} and {square}"


def _noise(whole: Reading) -> Iterator[str]:
    """What real Gaussian noise comes to, and costs."""
    noise = whole.certificate.gaussian
    if noise is not None:
        writer = Plain(PlainNames(whole.mechanism, whole.certificate), whole.known)
        square, *paid = map(writer.written, (noise.square, noise.epsilon, noise.delta))
        scale, of = ("scale", "") if noise.notion is ir.Notion.ZCDP else ("sigma", "Gaussian ")
        says = f"the sum of (distance/{scale})**2 over all {of}noise, is at most {square}"
        yield f"{SQUARES}, {says}" + ("" if noise.notion else f"; that costs ({', '.join(paid)})")


def _lines(part: Reading) -> str:
    """The lines of a part's draws."""
    draws = (item for item in ir.statements(part.mechanism.body) if isinstance(item, ir.Draw | ir.Choose))
    *some, last = sorted({draw.span.line for draw in draws})
    return f"lines {', '.join(map(str, some))} and {last}" if some else f"line {last}"
