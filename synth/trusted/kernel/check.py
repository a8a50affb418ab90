"""From a certificate's text to a verdict: valid, invalid or incomplete."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from synth.trusted.core.comparison import placed
from synth.trusted.core.read_expressions import CoreError
from synth.trusted.core.reader import read_core
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.claim import Claim, with_claim
from synth.trusted.json_reader import JsonError, read_json
from synth.trusted.kernel.certificate import Certificate, read_certificate
from synth.trusted.kernel.certificate import Claim as Stated
from synth.trusted.kernel.proof_state import begin
from synth.trusted.kernel.rules.safety import SAFE, safe
from synth.trusted.kernel.rules.whole import MIX, ROOT, composed, conseq, derived, mixed, noise_paid
from synth.trusted.kernel.solvers import MILLISECONDS, GaveUp, holds, script
from synth.trusted.logic.codes import Code
from synth.trusted.logic.conditions import Condition
from synth.trusted.logic.definite_assignment import check_definite_assignment
from synth.trusted.logic.rejection import Rejected
from synth.trusted.logic.terms import BadTerm, Term, forget
from synth.trusted.normal_form.sampling import NotSampled, every_record
from synth.trusted.program import syntax as ir
from synth.trusted.program.laws import demand
from synth.trusted.reading import is_reading, program_in
from synth.trusted.reasons import Coded, Reason
from synth.trusted.steps.rewriting import rewritten

VALID, INVALID, INCOMPLETE = "valid", "invalid", "incomplete"
EITHER = "either"


@dataclass
class Unreadable(Exception):
    """The text is no certificate at all."""

    message: str


@dataclass(frozen=True)
class Verdict:
    """What the kernel says: ``valid``, ``invalid`` or ``incomplete`` (a solver gave up), and why.

    ``reason`` is a text about ``why``, which is what is wrong, or the side condition that is not shown.
    ``public`` says that what is not shown is about public inputs alone; ``calls`` counts the questions
    to each solver.
    """

    verdict: str
    certificate: Certificate | None = None
    rule: str | None = None
    place: str | None = None
    reason: str | None = None
    why: Reason | None = None
    conditions: int = 0
    public: bool = False
    calls: Mapping[str, int] = field(default_factory=dict)

    @property
    def code(self) -> Coded | None:
        """What is wrong, or not shown; for ``incomplete``, what the solver gave up on."""
        return None if self.why is None else self.why.code


def parse(text: str) -> Certificate:
    """The certificate in a text.  Raises Unreadable for no JSON, Rejected for another schema."""
    try:
        return read_certificate(read_json(text))
    except JsonError as error:
        raise Unreadable(str(error)) from None


def check(text: str, solvers: Sequence[str] = (EITHER,), milliseconds: int = MILLISECONDS) -> Verdict:
    """Whether a certificate proves what it says, with that much time for each side condition.

    Each of ``solvers`` must show each condition; "either" asks z3 first in polynomial arithmetic, cvc5
    first elsewhere, and the other one if the first gives up.  Raises Unreadable for a text that is none.
    """
    return _verdict(text, side_conditions, solvers, milliseconds)


def judge(
    certificate: Certificate, solvers: Sequence[str] = (EITHER,), milliseconds: int = MILLISECONDS
) -> Verdict:
    """As :func:`check`, of a certificate that has been read."""
    return _judged(certificate, side_conditions, solvers, milliseconds)


def follows(
    certificate: Certificate,
    claim: Claim,
    solvers: Sequence[str] = (EITHER,),
    milliseconds: int = MILLISECONDS,
) -> bool:
    """Whether the bounds of a valid certificate are shown to be at most those of a claim ([Conseq]).

    Raises Rejected for what is no claim about the mechanism, and GaveUp.
    """
    claimed = replace(certificate, claim=Stated(**vars(claim)))
    proof = begin(judged_mechanism(claimed), claimed)
    conseq(proof)
    calls: Counter[str] = Counter()
    return all(_shown(item, each, milliseconds, calls) for item in proof.all_conditions() for each in solvers)


def check_part(
    text: str, part: ir.Mechanism, given: Sequence[Term] = (), milliseconds: int = MILLISECONDS
) -> Verdict:
    """Whether a certificate derives what it says of a part of its program, from what is given to it."""

    def of_part(found: Certificate) -> list[Condition]:
        return derived(begin(part, replace(found, given=tuple(given)))).all_conditions()

    return _verdict(text, of_part, (EITHER,), milliseconds)


def _verdict(
    text: str,
    wanted: Callable[[Certificate], list[Condition]],
    solvers: Sequence[str],
    milliseconds: int,
) -> Verdict:
    forget()
    try:
        certificate = parse(text)
    except Rejected as error:
        return _rejected(error)
    return _judged(certificate, wanted, solvers, milliseconds)


def _judged(
    certificate: Certificate,
    wanted: Callable[[Certificate], list[Condition]],
    solvers: Sequence[str],
    milliseconds: int,
) -> Verdict:
    try:
        conditions = wanted(certificate)
    except Rejected as error:
        return _rejected(error, certificate)
    except BadTerm as error:
        return _rejected(Rejected(ROOT, "certificate", error.why), certificate)
    except RecursionError:
        found = _rejected(Rejected(ROOT, "certificate", Code.TOO_DEEP()), certificate)
        return replace(found, verdict=INCOMPLETE)
    calls: Counter[str] = Counter()
    for item in conditions:
        reason, public = f"not shown: {item.says}", item.known is None
        about = item.rule, item.place, reason, item.says
        wrong = Verdict(INVALID, certificate, *about, len(conditions), public, calls)
        try:
            if not all(_shown(item, each, milliseconds, calls) for each in solvers):
                return wrong
        except GaveUp as error:
            reason = f"{error.solver} gave up on: {item.says} ({error.reason})"
            return replace(wrong, verdict=INCOMPLETE, reason=reason)
    return Verdict(VALID, certificate, conditions=len(conditions), calls=calls)


def _rejected(error: Rejected, certificate: Certificate | None = None) -> Verdict:
    return Verdict(INVALID, certificate, error.rule, error.place, error.reason, error.why)


def _shown(item: Condition, solver: str, milliseconds: int, calls: Counter[str]) -> bool:
    """Whether a side condition holds.  Raises GaveUp."""
    try:
        text = script(item)
    except BadTerm as error:
        raise GaveUp("the kernel", str(error)) from None
    except RecursionError:
        raise GaveUp("the kernel", "nested too deeply") from None
    first, second = ("z3", "cvc5") if item.known is None else ("cvc5", "z3")
    if solver != EITHER:
        first = solver
    try:
        calls[first] += 1
        return holds(text, first, milliseconds)
    except GaveUp:
        if solver != EITHER:
            raise
        calls[second] += 1
        return holds(text, second, milliseconds)


def side_conditions(certificate: Certificate) -> list[Condition]:
    """All that solvers must show for the certificate to be a proof, each once.  Raises Rejected."""
    mechanism, of_steps, chance = _rewritten(certificate)
    every = certificate.sampled or certificate.proved
    whole, single = (
        begin(mechanism, replace(certificate, proved=every), single=alone) for alone in (False, True)
    )
    proofs = [*composed(whole), whole] if certificate.parts else [derived(whole)]
    noise_paid(whole)
    if chance is not None:
        whole = begin(mechanism, certificate)
        proofs.append(whole)
        mixed(whole, chance)
    conseq(whole)
    try:
        safe(single)
    except Rejected as error:
        raise replace(error, rule=SAFE) from None
    found = [*of_steps, *(item for proof in (*proofs, single) for item in proof.all_conditions())]
    return list({(item.assumptions, item.goal, id(item.known)): item for item in found}.values())


def judged_mechanism(certificate: Certificate) -> ir.Mechanism:
    """The program that is judged, which the steps make of the certificate's core program.  Raises Rejected.

    The reader makes just this core program of the text, or the certificate is refused.
    """
    return _rewritten(certificate)[0]


def _rewritten(
    certificate: Certificate,
) -> tuple[ir.Mechanism, tuple[Condition, ...], ir.Expression | None]:
    """The program that is judged, and what must hold so that the steps lead to it; of a sample its chance.

    Raises Rejected.
    """
    read = _read(certificate)
    try:
        core = read_core(certificate.core)
    except CoreError as error:
        raise Rejected("Program", "core", Code.CORE_REFUSED(error=str(error))) from None
    if not is_reading(core, read):
        raise Rejected("Program", "core", Code.CORE_DIFFERS())
    for item in ir.statements(read.body):
        if isinstance(item, ir.Choose) and demand(item) is None:
            raise Rejected("Program", "core", Code.LAW_NOT_SHOWN(line=item.span.line))
    check_definite_assignment(read)
    program, chance = placed(core, read), None
    if certificate.sampled is not None:
        try:
            found = every_record(program)
        except NotSampled as error:
            raise Rejected(MIX, "sampled", Code.NO_SAMPLE(problem=str(error))) from None
        program, chance = found.every, found.chance
        check_definite_assignment(program)
    program, conditions = rewritten(program, certificate.steps)
    return _claiming(program, certificate), conditions, chance


def _read(certificate: Certificate) -> ir.Mechanism:
    """What the reader of Python makes of the text.  Raises Rejected."""
    digest = hashlib.sha256(certificate.program.text.encode()).hexdigest()
    if digest != certificate.program.sha256:
        raise Rejected("Program", "program.sha256", Code.WRONG_HASH())
    try:
        found = program_in(
            certificate.program.text,
            certificate.program.mechanism,
            certificate.program.lines,
            certificate.program.specification,
        )
    except ProgramError as error:
        raise Rejected("Program", "program.text", Code.PROGRAM_REFUSED(error=str(error))) from None
    if found is None:
        raise Rejected(
            "Program", "program.mechanism", Code.NO_SUCH_MECHANISM(name=certificate.program.mechanism)
        )
    return found


def _claiming(mechanism: ir.Mechanism, certificate: Certificate) -> ir.Mechanism:
    """The mechanism with the claim of the certificate alone.  Raises Rejected."""
    claim = Claim(**vars(certificate.claim))
    try:
        claimed = with_claim(mechanism, claim)
    except ProgramError as error:
        raise Rejected("Program", "program.text", Code.PROGRAM_REFUSED(error=str(error))) from None
    epsilon = None if claim.epsilon is None else claimed.epsilon
    delta = None if claim.delta is None else claimed.delta
    divergence = None if claim.notion is None else claimed.divergence
    return replace(claimed, epsilon=epsilon, delta=delta, divergence=divergence)
