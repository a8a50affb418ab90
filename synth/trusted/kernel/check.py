"""From a certificate's text to a verdict: valid, invalid or incomplete."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from synth.trusted.core.comparison import placed
from synth.trusted.core.read_expressions import CoreError
from synth.trusted.core.reader import read_core
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.claim import Claim, with_claim
from synth.trusted.json_reader import JsonError, read_json
from synth.trusted.kernel.certificate import COMPOSE, NO_MASS, Certificate, Gaussian, Order, read_certificate
from synth.trusted.kernel.proof_state import NOWHERE, Proof, begin
from synth.trusted.kernel.rules.lifting import LIFT, lift
from synth.trusted.kernel.rules.safety import SAFE, safe
from synth.trusted.kernel.rules.structural import RETURNED, seq
from synth.trusted.kernel.solvers import MILLISECONDS, GaveUp, holds, script
from synth.trusted.logic.arithmetic.exponentials import LOG, power_of_e
from synth.trusted.logic.arithmetic.gaussian_divergence import enough
from synth.trusted.logic.arithmetic.polynomials import at_most, nonnegative
from synth.trusted.logic.codes import Code
from synth.trusted.logic.conditions import Condition
from synth.trusted.logic.definite_assignment import check_definite_assignment
from synth.trusted.logic.rejection import Rejected
from synth.trusted.logic.terms import BadTerm, Term, app, conjunction, forget, number, symbols
from synth.trusted.normal_form.sequential_parts import NoCut, parts
from synth.trusted.program import syntax as ir
from synth.trusted.program.laws import demand
from synth.trusted.reading import is_reading, program_in
from synth.trusted.reasons import Coded, Reason
from synth.trusted.steps.rewriting import rewritten

VALID, INVALID, INCOMPLETE = "valid", "invalid", "incomplete"
ROOT = "Forall-Eq"
EITHER = "either"
NO_NOISE = Gaussian(NO_MASS)
MAX_ORDERED = 8
"""Monotone parameters whose two orders cost different things: every way to order them is looked at."""


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
    claimed = replace(certificate, claim_epsilon=claim.epsilon, claim_delta=claim.delta)
    proof = begin(judged_mechanism(claimed), claimed)
    _conseq(proof)
    calls: Counter[str] = Counter()
    return all(_shown(item, each, milliseconds, calls) for item in proof.all_conditions() for each in solvers)


def check_part(
    text: str, part: ir.Mechanism, given: Sequence[Term] = (), milliseconds: int = MILLISECONDS
) -> Verdict:
    """Whether a certificate derives what it says of a part of its program, from what is given to it."""

    def derived(found: Certificate) -> list[Condition]:
        return _derived(begin(part, replace(found, given=tuple(given)))).all_conditions()

    return _verdict(text, derived, (EITHER,), milliseconds)


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
    mechanism, of_steps = _rewritten(certificate)
    whole, single = begin(mechanism, certificate), begin(mechanism, certificate, single=True)
    proofs = [*_composed(whole), whole] if certificate.parts else [_derived(whole)]
    _paid(whole)
    _conseq(whole)
    try:
        safe(single)
    except Rejected as error:
        raise replace(error, rule=SAFE) from None
    derived = (item for proof in (*proofs, single) for item in proof.all_conditions())
    found = [*of_steps, *derived]
    return list({(item.assumptions, item.goal, id(item.known)): item for item in found}.values())


def judged_mechanism(certificate: Certificate) -> ir.Mechanism:
    """The program that is judged, which the steps make of the certificate's core program.  Raises Rejected.

    The reader makes just this core program of the text, or the certificate is refused.
    """
    return _rewritten(certificate)[0]


def _rewritten(certificate: Certificate) -> tuple[ir.Mechanism, tuple[Condition, ...]]:
    """The program that is judged, and what must hold so that the steps lead to it.  Raises Rejected."""
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
    program, conditions = rewritten(placed(core, read), certificate.steps)
    return _claiming(program, certificate), conditions


def _read(certificate: Certificate) -> ir.Mechanism:
    """What the reader of Python makes of the text.  Raises Rejected."""
    digest = hashlib.sha256(certificate.text.encode()).hexdigest()
    if digest != certificate.digest:
        raise Rejected("Program", "program.sha256", Code.WRONG_HASH())
    try:
        found = program_in(
            certificate.text, certificate.mechanism, certificate.lines, certificate.specification
        )
    except ProgramError as error:
        raise Rejected("Program", "program.text", Code.PROGRAM_REFUSED(error=str(error))) from None
    if found is None:
        raise Rejected("Program", "program.mechanism", Code.NO_SUCH_MECHANISM(name=certificate.mechanism))
    return found


def _claiming(mechanism: ir.Mechanism, certificate: Certificate) -> ir.Mechanism:
    """The mechanism with the claim of the certificate alone.  Raises Rejected."""
    claim = Claim(certificate.claim_epsilon, certificate.claim_delta)
    try:
        claimed = with_claim(mechanism, claim)
    except ProgramError as error:
        raise Rejected("Program", "program.text", Code.PROGRAM_REFUSED(error=str(error))) from None
    epsilon = None if claim.epsilon is None else claimed.epsilon
    return replace(claimed, epsilon=epsilon, delta=None if claim.delta is None else claimed.delta)


def _derived(proof: Proof) -> Proof:
    """[Forall-Eq]: for each output b a derivation whose cost is at most ε; or [Lift], for all b at once.

    Barthe et al. 2016, Prop. 6.  b is the discrete part of the output with all that is published;
    each δ_b is 0 unless Gaussian noise is moved; then b decides nothing, and what is lost is lost once.
    The squares of real Gaussian noise are only summed up here.
    """
    mechanism, certificate, root = proof.mechanism, proof.certificate, proof.certificate.derivation
    if root.rule == LIFT:
        lift(proof, root, *_proved(proof))
        return proof
    start = proof.start()
    outcomes = seq(proof, root, mechanism.body, start)
    if outcomes.keys() - {RETURNED}:
        raise root.reject(Code.MAY_NOT_RETURN())
    priced: list[tuple[Order | None, Term]] = []
    lost: Term = "0.0"
    squares: list[Term] = []
    for name, cost in certificate.costs.items():
        node = replace(root, rule=ROOT, place=f"costs.{name}")
        bound = proof.public_number(node, cost.bound, cost.sort)
        least, facts = proof.instance(node, cost.bound, NOWHERE, cost.sort)
        goal: Term = ("<=", number(0, cost.sort), least)
        proof.require(node, start.knowing(facts), Code.BOUND_NEGATIVE(), goal)
        if cost.square is not None:
            square = proof.public_number(node, cost.square)
            proof.require_public(ROOT, node.place, Code.SQUARE_NEGATIVE(), nonnegative(square))
            squares.append(("*", square, bound))
            continue
        weight = proof.public_number(node, cost.weight)
        proof.require_public(ROOT, node.place, Code.WEIGHT_NEGATIVE(), nonnegative(weight))
        priced.append((cost.order, ("*", weight, bound)))
        if cost.delta != NO_MASS:
            mass = proof.public_number(node, cost.delta)
            proof.require_public(ROOT, node.place, Code.MASS_NEGATIVE(), nonnegative(mass))
            lost = ("+", lost, ("*", mass, bound))
    totals = list(dict.fromkeys(_totals(priced)))
    _summed(proof, ROOT, (Code.COSTS_ABOVE_BOUND, Code.MASSES_ABOVE_DELTA), totals, lost, squares)
    return proof


def _composed(whole: Proof) -> list[Proof]:
    """[Compose]: each part is private for all that those before it publish; what they lose is added.

    Dwork et al. 2006 (sequential composition).  A part's ε and δ don't depend on what was published.
    Nor do squares, which the whole pays for (Dong, Roth & Su 2022; Zhu, Dong & Wang 2022).
    """
    certificate, root = whole.certificate, whole.certificate.derivation
    try:
        mechanisms = parts(whole.mechanism, certificate.cuts)
    except NoCut as error:
        raise Rejected(COMPOSE, "cuts", Code.NO_SUCH_CUT(problem=str(error))) from None
    found: list[Proof] = []
    total: Term = "0.0"
    lost: Term = "0.0"
    squares: list[Term] = []
    for place, (mechanism, part) in enumerate(zip(mechanisms, certificate.parts, strict=True)):
        found.append(_derived(begin(mechanism, part)))
        node = replace(root, place=f"parts.{place}.proved")
        total = ("+", total, whole.public_number(node, part.epsilon))
        lost = ("+", lost, whole.public_number(node, part.delta))
        if part.gaussian is not None:
            squares.append(whole.public_number(node, part.gaussian.square))
    _summed(whole, COMPOSE, (Code.PARTS_ABOVE_BOUND, Code.PARTS_ABOVE_DELTA), [total], lost, squares)
    return found


def _summed(
    proof: Proof,
    rule: str,
    above: tuple[Code, Code],
    totals: Sequence[Term],
    lost: Term,
    squares: Sequence[Term],
) -> None:
    """All costs and what Gaussian noise costs are within what is proved; its squares within its own."""
    epsilon, delta = _proved(proof)
    noise = _noise(proof)
    if noise is not None or squares:
        noise = noise or NO_NOISE
        whole: Term = ("+", "0.0", "0.0", *squares)
        goal = at_most(whole, noise.square)
        proof.require_public(rule, "gaussian.square", Code.SQUARES_ABOVE_NOISE(), goal)
        totals, lost = [("+", item, noise.epsilon) for item in totals], ("+", lost, noise.delta)
    for total in totals:
        proof.require_public(rule, "proved.epsilon", above[0](), at_most(total, epsilon))
    proof.require_public(rule, "proved.delta", above[1](), at_most(lost, delta))


def _noise(proof: Proof) -> Gaussian | None:
    """What is said of real Gaussian noise, over public inputs."""
    noise = proof.certificate.gaussian
    if noise is None:
        return None
    node = replace(proof.certificate.derivation, rule=ROOT, place="gaussian")
    return Gaussian(*(proof.public_number(node, term) for term in (noise.square, noise.epsilon, noise.delta)))


def _paid(proof: Proof) -> None:
    """[Norm], of all real Gaussian noise at once: (ε, δ) pays for the sum of the squares."""
    noise = _noise(proof)
    if noise is None:
        return
    for item in (noise.epsilon, noise.delta):
        proof.require_public("Norm", "gaussian", Code.NOISE_COST_NEGATIVE(), nonnegative(item))
    for goal in enough(noise.square, noise.epsilon, noise.delta):
        proof.require_public("Norm", "gaussian", Code.NOISE_NOT_PAID(), goal, ("<", "0.0", noise.square))


def _proved(proof: Proof) -> tuple[Term, Term]:
    """The ε and the δ that are proved."""
    certificate = proof.certificate
    node = replace(certificate.derivation, rule=ROOT)
    epsilon = proof.public_number(replace(node, place="proved.epsilon"), certificate.epsilon)
    return epsilon, proof.public_number(replace(node, place="proved.delta"), certificate.delta)


def _conseq(proof: Proof) -> None:
    """[Conseq] to the claim."""
    for place, code, goal in _claims(proof, *_proved(proof)):
        proof.require_public("Conseq", place, code(), goal)


def _totals(priced: Sequence[tuple[Order | None, Term]]) -> Iterator[Term]:
    """What the costs come to, for each way in which monotone parameters may be ordered.  Raises Rejected."""
    sources = sorted({order.source for order, _ in priced if order is not None})
    if len(sources) > MAX_ORDERED:
        raise Rejected(ROOT, "costs", Code.TOO_MANY_ORDERS(most=MAX_ORDERED))
    for ways in product((True, False), repeat=len(sources)):
        orders = {Order(source, upward) for source, upward in zip(sources, ways, strict=True)}
        counted = (term for order, term in priced if order is None or order in orders)
        yield app("+", "0.0", "0.0", *counted)


def _claims(proof: Proof, epsilon: Term, delta: Term) -> Iterator[tuple[str, Code, Term]]:
    mechanism = proof.mechanism
    if mechanism.epsilon is not None:
        claim = _public(proof, mechanism.epsilon, "claim.epsilon")
        goal = at_most(epsilon, claim)
        if LOG in symbols(epsilon) or LOG in symbols(claim):  # exp is monotone, and rids us of logarithms
            (low, first), (high, second) = power_of_e(epsilon), power_of_e(claim)
            goal = conjunction([*first, *second, at_most(low, high)])
        yield "claim.epsilon", Code.BOUND_ABOVE_CLAIM, goal
    mass = NO_MASS if mechanism.delta is None else _public(proof, mechanism.delta, "claim.delta")
    if mechanism.epsilon is not None or mechanism.delta is not None:
        yield "claim.delta", Code.DELTA_ABOVE_CLAIM, at_most(delta, mass)
    for item in mechanism.parameters:
        if item.metric is not None and item.metric.bound is not None:
            distance = _public(proof, item.metric.bound, f"program.{item.name}")
            yield f"program.{item.name}", Code.DISTANCE_NEGATIVE, nonnegative(distance)


def _public(proof: Proof, expression: ir.Expression, place: str) -> Term:
    found = proof.public(replace(NOWHERE, public=proof.public_start), expression)
    if found is None:
        raise Rejected("Conseq", place, Code.BOUND_NOT_PUBLIC())
    return found
