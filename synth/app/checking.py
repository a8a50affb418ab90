"""What ``synth check`` says of a document: the kernel judges a proof, a second method a witness."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.app.asker import Asker
from synth.app.codes import Code
from synth.app.stated import NOTHING, Stated
from synth.app.validated import DEFECT, misreading
from synth.trusted.errors import CertificateError, ProgramError, UsageError
from synth.trusted.frontend.claim import NO_CLAIM, Claim, module_of, with_claim, with_stated
from synth.trusted.reasons import Coded, Reason
from synth.trusted.witness.boxes import bounded
from synth.trusted.witness.functions import DOWN, UP
from synth.trusted.witness.values import box
from synth.views.assumptions import inputs_assumed, models, nothing_private
from synth.views.results import claim_json
from synth.views.stated_names import decorator_text

if TYPE_CHECKING:
    from synth.trusted.frontend.reader import File
    from synth.trusted.kernel.certificate import Certificate
    from synth.trusted.program import syntax as ir
    from synth.trusted.witness.check import Found

VALID, INVALID, INCOMPLETE = "valid", "invalid", "incomplete"
PROOF, WITNESS = "proof", "witness"

PROGRAM, COMMAND_LINE, CALL, DOCUMENT = "program", Asker.COMMAND_LINE.value, Asker.CALL.value, "document"
"""Whose claim it is."""

WHOSE = {
    PROGRAM: "the program's claim",
    COMMAND_LINE: "the claim of the command line",
    CALL: "the claim of the call",
    DOCUMENT: "the document's own claim",
}
NOT_OWN = "not the program's claim"
EVERY_RECORD = "every record"
"""The first step of a proof about a sample: to the program that takes every record."""


@dataclass(frozen=True)
class Program:
    """The file that a certificate must be about, and the name of the mechanism, if one is meant."""

    file: File
    name: str | None


@dataclass(frozen=True)
class Question:
    """Who shows the side conditions, which claim is meant, in the program's names (none: its own), which
    program, and whether the core program is wanted.
    """

    solvers: tuple[str, ...] = ("either",)
    stated: Stated = NOTHING
    program: Program | None = None
    show_program: bool = False

    @property
    def hint(self) -> str:
        """How to say which claim is meant."""
        epsilon, delta, gdp, zcdp = map(self.stated.asker.option, vars(NO_CLAIM))
        return f"{epsilon} and {delta}, or {gdp}, or {zcdp}, say which claim is meant"


@dataclass(frozen=True)
class Row:
    """What was found out about one certificate; ``rule`` and ``place`` say where it fails, ``reason``
    why, and ``code`` is the stable name of that (docs/codes.md).

    ``sha256`` is that of the document's program, ``line`` and ``header`` are the mechanism's first line in
    its file, ``stated`` its decorator, and ``inputs`` what else is assumed of inputs.  ``file`` and
    ``file_sha256`` are of the file that was found to hold this program, if one was given.  ``claim`` is what
    was compared with, ``claim_of`` whose it is, and ``claim_note`` says if it isn't the program's.  What a
    proof ``rests_on`` is said where it is valid; ``core`` is its core program, if that is wanted, and
    ``judged`` the program that its ``steps`` make of that, if there are any (of a sample, the program of
    :data:`EVERY_RECORD` is the first).  ``models`` are what is assumed
    of functions of libraries.  ``facts`` are what the program's author assumes of its functions, ``found``
    the numbers of a witness as they were computed again.  ``specification`` is what the document states
    beside the program's text, ``unread`` are the lines of its file that are not read, as the document says,
    or the file.
    """

    certificate: str
    verdict: str
    kind: str | None = None
    mechanism: str | None = None
    line: int | None = None
    header: str | None = None
    stated: str | None = None
    inputs: tuple[str, ...] = ()
    sha256: str | None = None
    file: str | None = None
    file_sha256: str | None = None
    epsilon: str | None = None
    delta: str | None = None
    gdp: str | None = None
    zcdp: str | None = None
    claim: dict[str, str | None] | None = None
    claim_of: str | None = None
    claim_note: str | None = None
    rule: str | None = None
    place: str | None = None
    reason: str | None = None
    code: str | None = None
    conditions: int = 0
    solvers: tuple[str, ...] = ()
    seconds: float = 0.0
    facts: tuple[str, ...] = ()
    found: dict[str, Any] | None = None
    rests_on: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    core: str | None = None
    steps: tuple[str, ...] = ()
    judged: str | None = None
    specification: dict[str, object] | None = None
    unread: tuple[int, ...] = ()

    def refused(self, rule: str, place: str, why: Reason) -> Row:
        """The same, invalid."""
        said = str(why)
        return replace(self, verdict=INVALID, rule=rule, place=place, reason=said, code=why.code.id)


def checked(path: Path, text: str, question: Question) -> Row:
    """The verdict on a document.  Raises CertificateError for one that is no certificate."""
    from synth.trusted.json_reader import JsonError
    from synth.trusted.witness.check import read_witness

    started = time.monotonic()
    try:
        witness = read_witness(text)
    except JsonError as error:
        raise CertificateError(f"{path}: no certificate: {error}") from None
    row = _proof(path, text, question) if witness is None else _witness(path, witness, question)
    return replace(row, seconds=round(time.monotonic() - started, 3))


def mechanism_in(text: str) -> ir.Mechanism | None:
    """The mechanism that a document is about; None if there is none that can be read.

    Raises what :func:`checked` raises for a document that is no certificate.
    """
    from synth.trusted.kernel.check import parse
    from synth.trusted.witness.check import mechanism_of, read_witness

    witness = read_witness(text)
    if witness is None:
        return _mechanism(parse(text))
    try:
        return mechanism_of(witness)
    except ProgramError:
        return None


def _id(code: Coded | None) -> str | None:
    return None if code is None else code.id


def _about(row: Row, text: str, mechanism: ir.Mechanism) -> Row:
    """The row, with what is said of the program."""
    line = mechanism.span.line
    digest = hashlib.sha256(text.encode()).hexdigest()
    header = mechanism.text_of_line(line).strip()
    assumed = models(mechanism)
    row = replace(row, mechanism=mechanism.name, line=line, header=header, sha256=digest, models=assumed)
    inputs = (*nothing_private(mechanism), *(f"assumes {item}" for item in inputs_assumed(mechanism)))
    row = replace(row, stated=decorator_text(mechanism), inputs=inputs)
    about = None if mechanism.specification is None else mechanism.specification.json()
    return replace(row, specification=about)


def _validated(row: Row, mechanism: ir.Mechanism) -> Row:
    """The row; invalid if a run of the text shows that it is read as another program."""
    error = misreading(mechanism)
    if error is None:
        return row
    return row.refused(
        "Program", "program.text", Code.DOCUMENT_PROGRAM_MISREAD(error=error.message.removeprefix(DEFECT))
    )


def _held(row: Row, program: Program | None, text: str, name: str) -> Row:
    """The row with the place in the file that is meant; refused if that isn't what a document is about.

    The reader has made sure that the slice, which is compared here, is read as the mechanism of the file.
    """
    if program is None:
        return row
    file, found = program.file, program.file.mechanism(name)
    if program.name not in (None, name):
        other = Code.OTHER_MECHANISM(name=name, wanted=str(program.name))
        return row.refused("Program", "program.mechanism", other)
    for error in file.refused:
        if found is None and error.function == name:
            raise error
    if found is None:
        missing = Code.NOT_IN_FILE(name=name, path=file.path)
        return row.refused("Program", "program.mechanism", missing)
    if text not in (found.source, file.text):
        return row.refused("Program", "program.text", Code.OTHER_TEXT(name=name, path=file.path))
    stated = None if found.specification is None else found.specification.json()
    if stated != row.specification:
        return row.refused(
            "Program", "program.specification", Code.OTHER_SPECIFICATION(name=name, path=file.path)
        )
    return replace(row, line=found.span.line, file=file.path, file_sha256=file.sha256, unread=file.unread)


# --- claims ---------------------------------------------------------------------------------


def _compared(row: Row, claim: Claim, of: str, own: Claim) -> Row:
    """The row with the claim to compare with."""
    if not claim:
        return row
    note = None if of == PROGRAM or claim == own else NOT_OWN
    return replace(row, claim=claim_json(claim), claim_of=of, claim_note=note)


def _claim_asked(mechanism: ir.Mechanism, question: Question) -> Claim:
    """The claim of the options; of what it doesn't say, the program's; none if it says nothing.

    Its names are those of the file, if one was given, else of the document's program.  Raises UsageError.
    """
    stated = question.stated
    if stated.nothing:
        return NO_CLAIM
    if mechanism.epsilon is None and [*stated.bounds] == ["delta"]:
        epsilon, delta = map(stated.asker.option, ("epsilon", "delta"))
        raise UsageError(f"{delta} goes with {epsilon} where the program claims no epsilon")
    try:
        file = None if question.program is None else question.program.file
        module = None if file is None else module_of(file.text, file.path)
        for what, bound in stated.bounds.items():
            mechanism = with_stated(mechanism, what, bound, module)
        return Claim.of(mechanism)
    except ProgramError as error:
        raise UsageError(f"{WHOSE[question.stated.asker.value]}: {error.message}") from None


def _same(mechanism: ir.Mechanism, one: Claim, other: Claim) -> bool:
    """Whether two claims are the same, as the reader writes them."""
    try:
        return one == other or _normal(mechanism, one) == _normal(mechanism, other)
    except ProgramError:
        return False


def _normal(mechanism: ir.Mechanism, claim: Claim) -> Claim:
    return Claim.of(with_claim(replace(mechanism, epsilon=None, delta=None, divergence=None), claim))


# --- proofs ---------------------------------------------------------------------------------


def _proof(path: Path, text: str, question: Question) -> Row:
    from synth.trusted.core.writer import write_as_written
    from synth.trusted.kernel.check import Unreadable, judge, judged_mechanism, parse
    from synth.trusted.kernel.decoding import SCHEMA
    from synth.trusted.logic.rejection import Rejected

    try:
        certificate = parse(text)
    except Unreadable as error:
        raise CertificateError(f"{path}: no certificate: {error.message}") from None
    except Rejected as error:
        raise CertificateError(f"{path}: no certificate: {error.place}: {error.reason}") from None
    core = certificate.core if question.show_program else None
    row = Row(
        str(path), INVALID, PROOF, solvers=question.solvers, core=core, unread=certificate.program.unread
    )
    mechanism = _mechanism(certificate)
    if mechanism is not None:
        row = _validated(_about(row, certificate.program.text, mechanism), mechanism)
        if row.rule is not None:
            return row
    row = _held(row, question.program, certificate.program.text, certificate.program.mechanism)
    if row.rule is not None:
        return row
    verdict = judge(certificate, question.solvers)
    if verdict.rule == SCHEMA:
        raise CertificateError(f"{path}: no certificate: {verdict.place}: {verdict.reason}")
    row = replace(
        row,
        verdict=verdict.verdict,
        rule=verdict.rule,
        place=verdict.place,
        reason=verdict.reason,
        code=_id(verdict.code),
        conditions=verdict.conditions,
    )
    if mechanism is None or verdict.verdict != VALID:
        return row
    row = replace(row, rests_on=_trusted(certificate, verdict.calls))
    sampled = () if certificate.sampled is None else (EVERY_RECORD,)
    steps = (*sampled, *(step.rule for step in certificate.steps))
    if question.show_program and steps:
        row = replace(row, steps=steps, judged=write_as_written(judged_mechanism(certificate)))
    return _proved(row, certificate, mechanism, question)


def _trusted(certificate: Certificate, calls: Mapping[str, int]) -> tuple[str, str, str]:
    """What a valid proof rests on, from the core program outwards."""
    asked = ", ".join(f"{name} {count} times" for name, count in sorted(calls.items())) or "no solver"
    numbers = "FLINT, which compares numbers in [Norm]" if _has_noise_by_numbers(certificate) else "not FLINT"
    return (
        "the core program in it (--show-program), and the kernel, which judges that",
        "the reader of Python, run again: it makes just this core program of the text",
        f"who was asked: {asked}; {numbers}",
    )


def _has_noise_by_numbers(certificate: Certificate) -> bool:
    nodes = [item.derivation for item in (certificate, *certificate.parts)]
    while nodes:
        node = nodes.pop()
        if node.rule == "Norm":
            return True
        nodes += node.premises
    return False


def _mechanism(certificate: Certificate) -> ir.Mechanism | None:
    """The mechanism as it is written; None if the kernel will say that there is none."""
    from synth.trusted.frontend.reader import read_source

    try:
        given = certificate.program.specification
        specified = {} if given is None else {certificate.program.mechanism: given}
        found = read_source(certificate.program.text, "program", certificate.program.lines, specified)
    except ProgramError:
        return None
    return next((item for item in found if item.name == certificate.program.mechanism), None)


def _proved(row: Row, certificate: Certificate, mechanism: ir.Mechanism, question: Question) -> Row:
    """A proof that the kernel accepts, with its bounds; invalid without the claim that is meant."""
    from synth.trusted.kernel.check import follows
    from synth.trusted.kernel.solvers import GaveUp
    from synth.views.certificate.report import shown_bounds

    bound = shown_bounds(certificate, mechanism, question.solvers)
    facts = tuple(dict.fromkeys(fact.text for fact in mechanism.facts))
    row = replace(row, **vars(bound), facts=facts)
    inside = dict.fromkeys(item.text for item in mechanism.domains)
    limits = (f"inputs with {text}: of others nothing is claimed" for text in inside)
    row = replace(row, rests_on=(*row.rests_on, *limits))
    own, stated = Claim.of(mechanism), Claim(**vars(certificate.claim))
    claim, of = _claim_asked(mechanism, question), question.stated.asker.value
    if not claim:
        claim, of = (own, PROGRAM) if own else (stated, DOCUMENT)
    row = _compared(row, claim, of, own)
    if not claim or _same(mechanism, stated, claim):  # as the kernel has shown
        return row
    says = f"{WHOSE[of]}, {claim}"
    try:
        if follows(certificate, claim, question.solvers):
            return row
    except GaveUp as error:
        why = Code.CLAIM_UNDECIDED(solver=error.solver, claim=says, problem=error.reason)
        return replace(row.refused("Conseq", "claim", why), verdict=INCOMPLETE)
    hint = f"; {question.hint}" if of == PROGRAM else ""
    return row.refused("Conseq", "claim", Code.CLAIM_NOT_SHOWN(claim=says, hint=hint))


# --- witnesses ------------------------------------------------------------------------------


def _witness(path: Path, document: Mapping[str, Any], question: Question) -> Row:
    from synth.trusted.witness.check import check_witness, claim_of, mechanism_of, unread_of

    row = Row(str(path), INVALID, WITNESS)
    try:
        mechanism, stated = mechanism_of(document), claim_of(document)
    except ProgramError as error:
        return row.refused("Program", "program", Code.DOCUMENT_PROGRAM_REFUSED(error=error.message))
    row = replace(_about(row, document["program"], mechanism), unread=unread_of(document))
    row = _validated(row, mechanism)
    if row.rule is not None:
        return row
    row = _held(row, question.program, document["program"], mechanism.name)
    if row.rule is not None:
        return row
    own = Claim.of(mechanism)
    claim, of = _claim_asked(mechanism, question), question.stated.asker.value
    if not claim:
        claim = stated.filled(own)
        of = PROGRAM if _same(mechanism, claim, own) else DOCUMENT
    row = _compared(row, claim, of, own)
    verdict = check_witness(document, claim=claim)
    if verdict.verdict != VALID:
        said, code = verdict.reason, _id(verdict.code)
        return replace(row, verdict=verdict.verdict, rule="Witness", place="witness", reason=said, code=code)
    if of == DOCUMENT:
        programs = own if own else "there is none"
        refuted = f"{WHOSE[of]}, {claim}"
        why = Code.OTHER_CLAIM_REFUTED(claim=refuted, note=NOT_OWN, own=str(programs), hint=question.hint)
        return row.refused("Claim", "claim", why)
    assert verdict.found is not None
    pair = {} if claim.notion is None else _implied(verdict.found)
    return replace(row, verdict=VALID, found=pair | _numbers(verdict.found))


def _implied(found: Found) -> dict[str, Any]:
    """The (ε, δ) that follows from a claim of another notion, and doesn't hold."""
    epsilon, delta = (float(bounded(box(value).high)) for value in (found.epsilon, found.delta))
    return {"epsilon": epsilon, "delta": delta}


def _numbers(found: Found) -> dict[str, Any]:
    """What was computed again, rounded outwards; without a number where no ε is enough."""
    least = found.least
    return {
        "probability_left": [_float(found.left.low, True), _float(found.left.high, False)],
        "probability_right": [_float(found.right.low, True), _float(found.right.high, False)],
        "epsilon_at_least": None if least.is_infinite() else _float(least, True),
    }


def _float(exact: Decimal, down: bool) -> float:
    """In nine digits."""
    context = (DOWN if down else UP).copy()
    context.prec = 9
    return float(context.create_decimal(exact))
