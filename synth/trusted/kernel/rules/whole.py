"""The rules about a mechanism as a whole: the sum of all costs, parts one after the other, the claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from synth.trusted.kernel.certificate import COMPOSE, Certificate, Gaussian, Order, at
from synth.trusted.kernel.decoding import NO_MASS
from synth.trusted.kernel.proof_state import NOWHERE, Proof, begin
from synth.trusted.kernel.rules.lifting import LIFT, lift
from synth.trusted.kernel.rules.payments import sums_rho
from synth.trusted.kernel.rules.structural import RETURNED, seq
from synth.trusted.logic.arithmetic.concentration import enough_of_concentrated
from synth.trusted.logic.arithmetic.exponentials import LOG, power_of_e
from synth.trusted.logic.arithmetic.gaussian_divergence import enough, squared
from synth.trusted.logic.arithmetic.polynomials import at_most, nonnegative
from synth.trusted.logic.codes import Code
from synth.trusted.logic.rejection import Rejected
from synth.trusted.logic.terms import Term, app, conjunction, number, symbols
from synth.trusted.normal_form.retries import NoRound, one_round
from synth.trusted.normal_form.sequential_parts import NoCut, parts
from synth.trusted.program import syntax as ir
from synth.trusted.program.counted_loops import surely_ends

ROOT = "Forall-Eq"
UNTIL = "Until"
MIX = "Mix"
NO_NOISE = Gaussian(NO_MASS)
MAX_ORDERED = 8
"""Monotone parameters whose two orders cost different things: every way to order them is looked at."""


def derived(proof: Proof) -> Proof:
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
        node = at(ROOT, f"costs.{name}")
        bound = proof.public_number(node, cost.bound, cost.sort)
        least, facts = proof.instance(node, cost.bound, NOWHERE, cost.sort)
        goal: Term = ("<=", number(0, cost.sort), least)
        proof.require(node, start.knowing(facts), Code.BOUND_NEGATIVE(), goal)
        if cost.square is not None:
            square = proof.public_number(node, cost.square)
            proof.require_public(node, Code.SQUARE_NEGATIVE(), nonnegative(square))
            squares.append(("*", square, bound))
            continue
        weight = proof.public_number(node, cost.weight)
        proof.require_public(node, Code.WEIGHT_NEGATIVE(), nonnegative(weight))
        priced.append((cost.order, ("*", weight, bound)))
        if cost.delta != NO_MASS:
            mass = proof.public_number(node, cost.delta)
            proof.require_public(node, Code.MASS_NEGATIVE(), nonnegative(mass))
            lost = ("+", lost, ("*", mass, bound))
    totals = list(dict.fromkeys(_totals(priced)))
    _summed(proof, ROOT, (Code.COSTS_ABOVE_BOUND, Code.MASSES_ABOVE_DELTA), totals, lost, squares)
    return proof


def composed(whole: Proof) -> list[Proof]:
    """[Compose]: each part is private for all that those before it publish; what they lose is added.

    Dwork et al. 2006 (sequential composition).  A part's ε and δ don't depend on what was published.
    Nor do squares, which the whole pays for (Dong, Roth & Su 2022; Zhu, Dong & Wang 2022).
    """
    certificate = whole.certificate
    mechanisms = judged_parts(whole.mechanism, certificate)
    found: list[Proof] = []
    total: Term = "0.0"
    lost: Term = "0.0"
    squares: list[Term] = []
    for place, (mechanism, part) in enumerate(zip(mechanisms, certificate.parts, strict=True)):
        found.append(derived(begin(mechanism, part)))
        node = at(COMPOSE, f"parts.{place}.proved")
        spent = whole.public_number(node, part.proved.epsilon)
        if sums_rho(certificate) and _is_concentrated(whole, mechanism, part):
            whole.require_public(node, Code.BOUND_NEGATIVE(), nonnegative(spent))
            squares.append(("*", spent, spent))
        else:
            total = ("+", total, ("*", "2.0", spent) if part.retried else spent)
        lost = ("+", lost, whole.public_number(node, part.proved.delta))
        if part.gaussian is not None:
            if certificate.gaussian is None or part.gaussian.notion is not certificate.gaussian.notion:
                raise Rejected(COMPOSE, f"parts.{place}.gaussian", Code.PARTS_OF_OTHER_NOTION())
            squares.append(whole.public_number(node, part.gaussian.square))
    _summed(whole, COMPOSE, (Code.PARTS_ABOVE_BOUND, Code.PARTS_ABOVE_DELTA), [total], lost, squares)
    return found


def _is_concentrated(whole: Proof, mechanism: ir.Mechanism, part: Certificate) -> bool:
    """Whether what is shown of a part, or of the whole, makes it ε²/2-zCDP, and zCDP is claimed.

    Bun & Steinke 2016, Prop. 1.4.  It costs ε and nothing else, so the logarithms L of the ratios of two
    outputs' chances lie between -ε and ε; in both directions, if no fact is about the order of the inputs.
    Each run ends with an output, so E exp(L) = 1, and the argument of [Choice] holds for η = 2ε.
    """
    claim = whole.mechanism.divergence
    return (
        claim is not None
        and claim.notion is ir.Notion.ZCDP
        and whole.certificate.sampled is None
        and part.gaussian is None
        and part.proved.delta == NO_MASS
        and not part.retried
        and all(fact.each for fact in mechanism.facts)
        and surely_ends(mechanism.body)
    )


def judged_parts(mechanism: ir.Mechanism, certificate: Certificate) -> tuple[ir.Mechanism, ...]:
    """Return the programs that the parts of a certificate are about.  Raises Rejected."""
    try:
        found = parts(mechanism, certificate.cuts)
    except NoCut as error:
        raise Rejected(COMPOSE, "cuts", Code.NO_SUCH_CUT(problem=str(error))) from None
    paired = enumerate(zip(found, certificate.parts, strict=True))
    return tuple(_round(item, part, place) for place, (item, part) in paired)


def _round(mechanism: ir.Mechanism, part: Certificate, place: int) -> ir.Mechanism:
    """[Until]: the part, or one round of it if it is retried; then it costs twice as much, and has no δ.

    :mod:`synth.trusted.normal_form.retries` has the argument.  Raises Rejected.
    """
    if not part.retried:
        return mechanism
    if part.proved.delta != NO_MASS or part.gaussian is not None:
        raise Rejected(UNTIL, f"parts.{place}.proved.delta", Code.RETRIED_WITH_DELTA())
    try:
        return one_round(mechanism)
    except NoRound as error:
        raise Rejected(UNTIL, f"parts.{place}.retried", Code.NO_ROUND(problem=str(error))) from None


def mixed(proof: Proof, chance: ir.Expression) -> None:
    """[Mix]: a sample costs less than all records, if each of them is taken with that chance.

    :mod:`synth.trusted.normal_form.sampling` has the argument.  Raises Rejected.
    """
    certificate = proof.certificate
    assert certificate.sampled is not None
    if certificate.gaussian is not None and certificate.gaussian.notion is not None:
        raise Rejected(MIX, "gaussian.notion", Code.SAMPLED_WITH_NOTION())
    node = at(MIX, "sampled")
    every, lost = (
        proof.public_number(node, term) for term in (certificate.sampled.epsilon, certificate.sampled.delta)
    )
    p = _public(proof, chance, "sampled")
    proof.require_public(node, Code.CHANCE_OUTSIDE(), ("and", ("<=", "0.0", p), ("<=", p, "1.0")))
    proof.require_public(node, Code.BOUND_NEGATIVE(), nonnegative(every))
    epsilon, delta = _proved(proof)
    (high, defined), (low, more) = power_of_e(epsilon), power_of_e(every)
    mixture: Term = ("+", "1.0", ("*", p, ("-", low, "1.0")))
    goals = [*defined, *more, at_most(mixture, high), at_most(("*", p, lost), delta)]
    proof.require_public(node, Code.SAMPLE_ABOVE_BOUND(), conjunction(goals))


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
        proof.require_public(at(rule, "gaussian.square"), Code.SQUARES_ABOVE_NOISE(), goal)
        totals, lost = [("+", item, noise.epsilon) for item in totals], ("+", lost, noise.delta)
    for total in totals:
        proof.require_public(at(rule, "proved.epsilon"), above[0](), at_most(total, epsilon))
    proof.require_public(at(rule, "proved.delta"), above[1](), at_most(lost, delta))


def _noise(proof: Proof) -> Gaussian | None:
    """What is said of real Gaussian noise, over public inputs."""
    noise = proof.certificate.gaussian
    if noise is None:
        return None
    node = at(ROOT, "gaussian")
    square, epsilon, delta = (
        proof.public_number(node, term) for term in (noise.square, noise.epsilon, noise.delta)
    )
    return Gaussian(square, epsilon, delta, noise.notion)


def noise_paid(proof: Proof) -> None:
    """[Norm], of all real Gaussian noise at once: (ε, δ) pays for the sum of the squares.

    Where a notion is named nothing is paid here, but by the claim ([Conseq]).
    """
    noise = _noise(proof)
    if noise is None:
        return
    if noise.notion is not None:
        if (noise.epsilon, noise.delta) != (NO_MASS, NO_MASS):
            raise Rejected("Norm", "gaussian", Code.NOTION_PAID())
        return
    for item in (noise.epsilon, noise.delta):
        proof.require_public(at("Norm", "gaussian"), Code.NOISE_COST_NEGATIVE(), nonnegative(item))
    for goal in enough(noise.square, noise.epsilon, noise.delta):
        proof.require_public(at("Norm", "gaussian"), Code.NOISE_NOT_PAID(), goal, ("<", "0.0", noise.square))


def _proved(proof: Proof) -> tuple[Term, Term]:
    """The ε and the δ that are proved."""
    proved = proof.certificate.proved
    epsilon = proof.public_number(at(ROOT, "proved.epsilon"), proved.epsilon)
    return epsilon, proof.public_number(at(ROOT, "proved.delta"), proved.delta)


def conseq(proof: Proof) -> None:
    """[Conseq] to the claim."""
    noise, proved = _noise(proof), _proved(proof)
    if proof.mechanism.divergence is not None:
        goals = _divergence(proof, noise, *proved)
    elif noise is not None and noise.notion is not None:
        goals = _converted(proof, noise, *proved)
    else:
        goals = _claims(proof, *proved)
    for place, code, goal in (*goals, *_distances(proof)):
        proof.require_public(at("Conseq", place), code(), goal)


def _totals(priced: Sequence[tuple[Order | None, Term]]) -> Iterator[Term]:
    """What the costs come to, for each way in which monotone parameters may be ordered.  Raises Rejected."""
    sources = sorted({order.source for order, _ in priced if order is not None})
    if len(sources) > MAX_ORDERED:
        raise Rejected(ROOT, "costs", Code.TOO_MANY_ORDERS(most=MAX_ORDERED))
    for ways in product((True, False), repeat=len(sources)):
        orders = {Order(source, upward) for source, upward in zip(sources, ways, strict=True)}
        counted = (term for order, term in priced if order is None or order in orders)
        yield app("+", "0.0", "0.0", *counted)


def _converted(proof: Proof, noise: Gaussian, epsilon: Term, delta: Term) -> Iterator[tuple[str, Code, Term]]:
    """[Conseq] from squares to (ε, δ): what else costs leaves enough of the claim for them.

    Of Gaussian noise on reals the squares are those of one normal law, else they bound Rényi divergences
    (Canonne, Kamath & Steinke 2020, Prop. 7).  docs/certificates.md has the argument.
    """
    mechanism = proof.mechanism
    if mechanism.epsilon is None or mechanism.delta is None:
        yield "gaussian", Code.SQUARES_OF_NOTION, "false"
        return
    pays = enough if noise.notion is ir.Notion.GDP else enough_of_concentrated
    left: tuple[Term, Term] = (
        ("-", _public(proof, mechanism.epsilon, "claim.epsilon"), epsilon),
        ("-", _public(proof, mechanism.delta, "claim.delta"), delta),
    )
    yield "claim", Code.NOISE_COST_NEGATIVE, conjunction([nonnegative(item) for item in left])
    for goal in pays(noise.square, *left):
        yield "claim", Code.NOISE_NOT_PAID, app("=>", ("<", "0.0", noise.square), goal)


def _divergence(
    proof: Proof, noise: Gaussian | None, epsilon: Term, delta: Term
) -> Iterator[tuple[str, Code, Term]]:
    """[Conseq] to GDP or zCDP: what isn't noise whose squares sum up to μ² costs nothing at all.

    Then the outputs are no easier to tell apart than two normal laws at distance μ, if all of it is Gaussian
    on the reals (Dong, Roth & Su 2022, Cor. 2.13), and their Rényi divergence is at most μ²α/2 in any case
    (Bun & Steinke 2016).  docs/certificates.md has the argument.
    """
    claim = proof.mechanism.divergence
    assert claim is not None
    place = f"claim.{claim.notion.value}"
    if noise is not None and noise.notion not in (ir.Notion.GDP, claim.notion):
        yield place, Code.SQUARES_OF_NOTION, "false"
    bound = _public(proof, claim.bound, place)
    square: Term = "0.0" if noise is None else noise.square
    if _is_concentrated(proof, proof.mechanism, proof.certificate):
        yield place, Code.BOUND_NEGATIVE, nonnegative(epsilon)
        square, epsilon = ("*", epsilon, epsilon), NO_MASS
    most, defined = squared(bound) if claim.notion is ir.Notion.GDP else (("*", "2.0", bound), [])
    yield place, Code.COSTS_BESIDE_SQUARES, conjunction([at_most(epsilon, NO_MASS), at_most(delta, NO_MASS)])
    yield place, Code.CLAIM_NEGATIVE, nonnegative(bound)
    yield place, Code.SQUARES_ABOVE_CLAIM, conjunction([*defined, at_most(square, most)])


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


def _distances(proof: Proof) -> Iterator[tuple[str, Code, Term]]:
    for item in proof.mechanism.parameters:
        if item.metric is not None and item.metric.bound is not None:
            distance = _public(proof, item.metric.bound, f"program.{item.name}")
            yield f"program.{item.name}", Code.DISTANCE_NEGATIVE, nonnegative(distance)


def _public(proof: Proof, expression: ir.Expression, place: str) -> Term:
    found = proof.public(replace(NOWHERE, public=proof.public_start), expression)
    if found is None:
        raise Rejected("Conseq", place, Code.BOUND_NOT_PUBLIC())
    return found
