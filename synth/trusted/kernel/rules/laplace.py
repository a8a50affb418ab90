"""The rules about draws of noise: which case applies, how the draws are coupled, what that costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import ceil

from synth.trusted.kernel.certificate import Node
from synth.trusted.kernel.decoding import Formula
from synth.trusted.kernel.proof_state import NOWHERE, Proof, is_indexed
from synth.trusted.kernel.rules.laplace_interval import FIELDS, Noise, gap_known, lap_int
from synth.trusted.kernel.rules.payments import (
    Paid,
    count,
    in_squares,
    paid_into,
    pay,
    price,
    size,
    sums_squares,
)
from synth.trusted.kernel.rules.shared import Outcomes, bound, shown
from synth.trusted.kernel.symbolic_state import State
from synth.trusted.logic.arithmetic.exponentials import power_of_e
from synth.trusted.logic.arithmetic.gaussian_divergence import (
    enough_of_one,
    product_at_most,
    square_at_most,
)
from synth.trusted.logic.arithmetic.polynomials import at_most
from synth.trusted.logic.codes import Code
from synth.trusted.logic.inputs import SORTS, real, share_name
from synth.trusted.logic.terms import (
    BOOL,
    INT,
    REAL,
    TRUE,
    Term,
    absolute,
    app,
    conjunction,
    negation,
    number,
    symbols,
    value,
)
from synth.trusted.program import syntax as ir


def case(proof: Proof, node: Node, statement: ir.Draw, state: State) -> Outcomes:
    """[Case]: the first case whose ``when`` holds says how the draws are coupled; the last has none.

    Every choice depends only on what is known before the draw, and on b.
    """
    if node.rule == "Case" and statement.distribution == "gaussian":
        raise node.reject(Code.GAUSSIAN_WITH_CASES())
    alone = replace(node, fields={key: item for key, item in node.fields.items() if key not in LOST})
    leaves = node.premises if node.rule == "Case" else (alone,)
    whens = node.terms("when") if node.rule == "Case" else ()
    if len(leaves) != len(whens) + 1:
        raise node.reject(Code.NEEDS_COUPLINGS())
    state, scale = _scale(proof, node, statement, state)
    positive = ir.Operation(
        ir.Operator.LESS, (ir.Constant(0, ir.Sort.REAL), statement.arguments[1]), ir.Sort.BOOL
    )
    state = shown(proof, node, state, Code.SCALE_NOT_POSITIVE(line=statement.span.line), positive)
    before, (centers,) = proof.both(state, statement.arguments[0])
    state, centers = proof.constants(before, "center", centers)
    state, inside = _truncate_tail(proof, node, statement, state, centers[0], scale)
    left = proof.fresh(f"{statement.target}<1>", SORTS[statement.sort])
    state, never = _never_met(proof, node, statement, state, before, left)
    noise = Noise(statement, centers, left, scale)
    rest: list[Term] = []
    shifts: list[tuple[Term, Term]] = []
    for place, leaf in enumerate(leaves):
        guard = list(rest)
        if place < len(whens):
            when, facts = proof.instance(node, whens[place], before, BOOL, statement.target)
            state, when = proof.constant(state.knowing(facts), "when", when)
            guard.append(when)
            rest.append(negation(when))
        here = conjunction(guard)
        state, k, paid = _coupled(proof, leaf, noise, state, here)
        shifts.append((here, k))
        state = paid_into(proof, state, here, paid)
    return _drawn(proof, statement, state.learning(never), shifts, left, centers[0], inside)


def _scale(proof: Proof, node: Node, statement: ir.Draw, state: State) -> tuple[State, Term]:
    """The scale over public inputs and what is alike in both runs; in a single run, whatever it is.

    There nothing is moved, so nothing is paid.
    """
    if proof.single:
        state, ((scale, _),) = proof.both(state, statement.arguments[1])
        return state, scale
    found = proof.indexed(state, statement.arguments[1])
    if found is None or (
        is_indexed(found) and (statement.distribution == "gaussian" or "tail" in node.fields)
    ):
        raise node.reject(Code.SCALE_NOT_PUBLIC())
    return state, found


def _coupled(proof: Proof, leaf: Node, noise: Noise, state: State, here: Term) -> tuple[State, Term, Paid]:
    """The coupling of one case: the state that knows its side conditions, k, and what it costs."""
    distribution = noise.statement.distribution
    if leaf.rule not in COUPLINGS or COUPLINGS[leaf.rule][0] != distribution or leaf.premises:
        raise leaf.reject(Code.NO_COUPLING(distribution=distribution))
    _, coupling, fields = COUPLINGS[leaf.rule]
    leaf.only(fields)
    if coupling is lap_int:
        state = gap_known(proof, leaf, noise, state)
    path = state.path
    state, k, paid = coupling(proof, leaf, noise, state if here == TRUE else state.under(here))
    return replace(state, path=path), k, paid


def shift(proof: Proof, leaf: Node, noise: Noise, state: State) -> tuple[State, Term, Paid]:
    """[LapGen], [OneLapGen], [Norm]: y⟨1⟩ + k = y⟨2⟩, for any k known before the draw.

    Noise is moved by k + e⟨1⟩ − e⟨2⟩: two-sided noise at |k + e⟨1⟩ − e⟨2⟩| / scale (Prop. 8), one-sided noise
    too, if run 2's draw stays in its support, 0 ≤ k + e⟨1⟩ − e⟨2⟩ (Prop. 10); of Gaussian noise something is
    lost (CertiPriv).  Without a cost nothing is moved.  The null coupling, k = e⟨2⟩ − e⟨1⟩, keeps the noise,
    whatever the centres are ([LapNull], [OneLapNull]: Props. 9 and 11).
    """
    sort = SORTS[noise.statement.sort]
    zero = number(0, sort)
    one, two = noise.centers
    k: Term
    if leaf.fields.get("k") == NULL:
        k, moved = (zero if one == two else ("-", two, one)), zero
    else:
        k, facts = proof.instance(leaf, leaf.term("k"), state, sort, noise.statement.target)
        state, (k, moved) = proof.constants(state.knowing(facts), "k", (k, ("-", ("+", k, one), two)))
    if noise.statement.distribution == "exponential":
        state = proof.require(leaf, state, Code.OUTSIDE_SUPPORT(), ("<=", zero, moved))
    if "cost" not in leaf.fields:
        return proof.require(leaf, state, Code.FREE_COUPLING_MOVES(), ("=", moved, zero)), k, {}
    state, given = proof.given(leaf, state)
    state, length = proof.constant(state, "distance", real(absolute(moved, sort), sort))
    known = (("<", "0.0", noise.scale), *state.public_path, *given)
    state, paid = _price(proof, leaf, noise, state, length, known)
    return state, k, paid


def _price(
    proof: Proof, leaf: Node, noise: Noise, state: State, length: Term, known: tuple[Term, ...]
) -> tuple[State, Paid]:
    """What noise that is moved by ``length`` adds to a cost: in nats at least distance / scale."""
    gaussian = noise.statement.distribution == "gaussian"
    name, amount = str(leaf.fields["cost"]), leaf.fields.get("amount")
    if amount in (DISTANCE, SHARE) and (gaussian or _sums_squares(proof, noise, name)):
        return _square_as_it_comes(proof, leaf, noise, state, length, known)
    if amount == DISTANCE:
        if name in proof.certificate.costs and proof.certificate.costs[name].sort != REAL:
            raise leaf.reject(Code.COST_OF_DISTANCES())
        each = price(("/", "1.0", noise.scale))
        state, _ = pay(proof, leaf, state, (name, "1.0"), Code.UNIT_NOT_PAID(), each, known)
        return state, {name: length}
    within, most = size(proof, leaf, "within", state)
    state = proof.require(leaf, state, Code.DISTANCE_TOO_LARGE(), ("<=", length, within))
    payment = name, leaf.term("amount")
    if gaussian or _sums_squares(proof, noise, name):
        state, paid = _squared_price(proof, leaf, noise, state, payment, (length, most), known)
    else:
        covers = price(("/", most, noise.scale))
        state, paid = pay(proof, leaf, state, payment, Code.DISTANCE_NOT_PAID(), covers, known)
    zero = number(0, proof.certificate.costs[name].sort)
    return state, {name: ("ite", ("=", length, "0.0"), zero, paid[name])}


def _square_as_it_comes(
    proof: Proof, leaf: Node, noise: Noise, state: State, length: Term, known: tuple[Term, ...]
) -> tuple[State, Paid]:
    """[Norm], and other noise for zCDP, where only the sum of the distances, or of their squares, is bounded.

    For a distance d ≤ ``within`` the distance itself is added: (d/sigma)² ≤ d·``within``/sigma².  With a
    share, d is at most what one entry differs by of a sequence under l2_distance(c), and c ≤ ``within``: then
    (d/sigma)² ≤ share·(``within``/sigma)², where the share is that entry's part of c².
    """
    name, sigma = str(leaf.fields["cost"]), noise.scale
    cost = proof.certificate.costs.get(name)
    real_gaussian = noise.statement.distribution == "gaussian" and noise.statement.sort is not ir.Sort.INT
    if cost is None or cost.square is None or cost.sort != REAL:
        raise leaf.reject(Code.COST_OF_SQUARES())
    if not real_gaussian and not _sums_squares(proof, noise, name):
        raise leaf.reject(Code.COST_OF_INTEGER_GAUSSIAN())
    if proof.certificate.events:
        raise leaf.reject(Code.GAUSSIAN_WITH_EVENTS())
    within, most = size(proof, leaf, "within", state)
    if leaf.fields.get("amount") == DISTANCE:
        state = proof.require(leaf, state, Code.DISTANCE_TOO_LARGE(), ("<=", length, within))
        added, covers = length, partial(product_at_most, sigma, most)
    else:
        state, added = _share(proof, leaf, state, length, within)
        covers = partial(square_at_most, sigma, most)
    payment = name, number(1, REAL)
    state, _ = pay(proof, leaf, state, payment, Code.SQUARE_NOT_PAID(), covers, known, in_squares)
    return state, {name: ("ite", ("=", length, "0.0"), "0.0", added)}


def _share(proof: Proof, leaf: Node, state: State, length: Term, within: Term) -> tuple[State, Term]:
    """The share of the entry that ``of`` names: noise is moved by no more than that differs."""
    source, place = leaf.value(tuple[str, Formula], "of")
    if not any(item.name == source and proof.is_squared(source) for item in proof.mechanism.parameters):
        raise leaf.reject(Code.NO_SHARES(name=source))
    index, facts = proof.instance(leaf, place, state, INT)
    state, index = proof.constant(state.knowing(facts), "entry", index)
    moved = absolute(proof.inputs.change(source, (index,)), REAL)
    state = proof.require(leaf, state, Code.MORE_THAN_ENTRY(), ("<=", length, moved))
    most = proof.inputs.bounds[source]
    state = proof.require(leaf, state, Code.DISTANCE_TOO_LARGE(), ("<=", most, within))
    return state, (share_name(source), index)


def _sums_squares(proof: Proof, noise: Noise, name: str) -> bool:
    """Whether noise other than Gaussian on the reals may add its square to that cost: for a claim of zCDP.

    Laplace noise that is moved by d has densities within exp(±d/scale) of each other, so it is
    (d/scale)²/2-zCDP (Bun & Steinke 2016, Prop. 1.4); Gaussian noise on the integers is (d/sigma)²/2-zCDP
    (Canonne, Kamath & Steinke 2020, Thm. 4).  One-sided noise changes its support.
    """
    return noise.statement.distribution != "exponential" and sums_squares(proof, name)


def _squared_price(
    proof: Proof,
    leaf: Node,
    noise: Noise,
    state: State,
    payment: tuple[str, Term],
    distances: tuple[Term, Term],
    known: tuple[Term, ...],
) -> tuple[State, Paid]:
    """[Norm]: ``distances`` are how far the noise is moved here, and at most, over public inputs.

    Of real noise the squares of distance/sigma may be summed up; what they cost is asked once, at the end
    (Dong, Roth & Su 2022, Cor. 3.3, with distances that may depend on what was drawn before), and for zCDP
    those of other noise.  Otherwise each use of Gaussian noise counts 1, at (weight, delta) of its cost.
    """
    if proof.certificate.events:
        raise leaf.reject(Code.GAUSSIAN_WITH_EVENTS())
    (name, amount), (length, most), sigma = payment, distances, noise.scale
    integral, cost = noise.statement.sort is ir.Sort.INT, proof.certificate.costs.get(name)
    squares = not integral and cost is not None and cost.square is not None
    if squares or _sums_squares(proof, noise, name):
        says = Code.SQUARE_NOT_PAID()
        return pay(proof, leaf, state, payment, says, partial(square_at_most, sigma, most), known, in_squares)
    wrong = Code.COST_OF_INTEGER_GAUSSIAN() if integral else Code.COST_OF_REAL_GAUSSIAN()
    if amount != "1":
        raise leaf.reject(wrong)
    covers, moves = partial(enough_of_one, integral, sigma, most), ("<", "0.0", length)
    return count(proof, leaf, state, name, moves, Code.MASS_NOT_PAID(), covers, known, wrong)


def _truncate_tail(
    proof: Proof, node: Node, statement: ir.Draw, state: State, center: Term, scale: Term
) -> tuple[State, tuple[Callable[[Term], Term], ...]]:
    """``tail``: which noise of run 1 is lost, as a fact about what is left; each draw counts 1 in its cost.

    With ``tail_when`` only draws at which that holds lose noise, and count.  It speaks of the inputs and of
    run 1's variables before the draw, never of b, of run 2's variables or of ghosts, which depend on b.  So
    which draws lose noise is a function of the inputs and of run 1's draws before, and what is lost is an
    event of run 1's noise alone: it is lost once, whatever the output is.  Of the draws that count, each is
    beyond its t with chance at most delta given all that was drawn before; the first ``bound`` of them
    lose at most bound·delta together.
    """
    if "tail" not in node.fields:
        if "tail_when" in node.fields:
            raise node.reject(Code.MALFORMED_TAIL())
        return state, ()
    side, most, name = node.value(tuple[str, Formula, str], "tail")
    if side not in ("above", "both") or statement.distribution == "gaussian":
        raise node.reject(Code.MALFORMED_TAIL())
    t = proof.public_number(node, most)
    mass, defined = _tail_mass(t, scale, statement)
    lost: Term = ("*", "2.0", mass) if side == "both" else mass

    def covers(_: Term, delta: Term) -> list[Term]:
        return [conjunction([*defined, at_most(lost, delta)])]

    known = (("<", "0.0", scale), *state.public_path)
    odd = Code.COST_OF_TAIL()
    state, here = _tail_when(proof, node, statement, state)
    state, paid = count(proof, node, state, name, here, Code.TAIL_NOT_PAID(), covers, known, odd)
    state = paid_into(proof, state, here, paid)
    limit_here, _ = proof.instance(node, most, NOWHERE, REAL)
    sort = SORTS[statement.sort]

    def above(left: Term) -> Term:
        return app("=>", here, ("<", real(("-", left, center), sort), limit_here))

    def below(left: Term) -> Term:
        return app("=>", here, ("<", real(("-", center, left), sort), limit_here))

    return state, (above, below) if side == "both" else (above,)


def _tail_when(proof: Proof, node: Node, statement: ir.Draw, state: State) -> tuple[State, Term]:
    """Where the tail is given up: everywhere, or where ``tail_when`` holds."""
    if "tail_when" not in node.fields:
        return state, TRUE
    when = node.term("tail_when")
    _only_of_run_1(proof, node, when)
    instance, facts = proof.instance(node, when, state, BOOL, statement.target)
    return proof.constant(state.knowing(facts), "tail_when", instance)


def _only_of_run_1(proof: Proof, node: Node, term: Term) -> None:
    """A term speaks of inputs and run 1's variables: no output, no run 2.  Raises Rejected."""
    for name in symbols(term):
        if name not in proof.fixed:
            raise node.reject(Code.TAIL_DEPENDS_ON_OUTPUT(name=name))


def _never_met(
    proof: Proof, node: Node, statement: ir.Draw, state: State, before: State, left: Term
) -> tuple[State, list[Term]]:
    """``apart``: reals that run 1's draw is unequal to, which are known before it, whatever the output is.

    Noise on reals has a density, so it is one of finitely many numbers with chance 0, given all that was
    drawn before.  A run has finitely many draws; so those on which one is equal to such a number have chance
    0 together, and may be left out of D.
    """
    apart = node.terms("apart")
    if apart and statement.sort is not ir.Sort.REAL:
        raise node.reject(Code.TIES_OF_INTEGERS())
    never: list[Term] = []
    for term in apart:
        _only_of_run_1(proof, node, term)
        other, facts = proof.instance(node, term, before, REAL, statement.target)
        state, other = proof.constant(state.knowing(facts), "apart", other)
        never.append(negation(("=", left, other)))
    return state, never


def _tail_mass(t: Term, scale: Term, statement: ir.Draw) -> tuple[Term, list[Term]]:
    """The probability that noise is t or more, or more than that; and what must hold for that.

    exp(-t/scale)/2 on the reals.  For t < 0 that is more: with e = exp(t/scale) the probability is 1 - e/2,
    at most 1/(2*e) as (1 - e)**2 >= 0.  On the integers, for t >= 0, exp(-n/scale)/(1 + exp(-1/scale)) for
    the first integer n from t on.  One-sided noise is t or more with chance exp(-t/scale) on the reals, and
    exp(-n/scale) on the integers, for t >= 0; for t < 0 exp(-t/scale) is more than 1.
    """
    first, sort = value(t), statement.sort
    if sort is ir.Sort.INT and first is not None:
        t = number(ceil(first), REAL)
    decay, defined = power_of_e(("-", ("/", t, scale)))
    if statement.distribution == "exponential":
        return decay, defined
    if sort is not ir.Sort.INT:
        return ("/", decay, "2.0"), defined
    step, more = power_of_e(("-", ("/", "1.0", scale)))
    return ("/", decay, ("+", "1.0", step)), [at_most("0.0", t), *defined, *more]


def _drawn(
    proof: Proof,
    statement: ir.Draw,
    state: State,
    shifts: list[tuple[Term, Term]],
    left: Term,
    center: Term,
    inside: tuple[Callable[[Term], Term], ...],
) -> Outcomes:
    """Run 1's draw is any value in the support, run 2's is moved by the k of the case that applies."""
    if statement.distribution == "exponential":
        state = state.learning([("<=", center, left)])
    state = state.learning(fact(left) for fact in inside)
    shift = shifts[-1][1]
    for here, k in reversed(shifts[:-1]):
        shift = app("ite", here, k, shift)
    right: Term = left if value(shift) == 0 else ("+", left, shift)
    return {None: (bound(proof, state, statement.target, (left, right)),)}


LOST = frozenset({"tail", "tail_when", "apart"})
"""The fields of a draw that say which noise is given up."""

DISTANCE, SHARE = "distance", "share"
"""As amounts: what the noise is moved by, and the part of an l2 distance that one entry has."""

NULL = "null"
"""As k: e⟨2⟩ − e⟨1⟩, so that both runs draw the same noise."""

SHIFTS = {"laplace": "LapGen", "exponential": "OneLapGen", "gaussian": "Norm"}
"""The rule that moves run 2's draw by k, for each noise."""

_SHIFTED = frozenset({"k", "within", "cost", "amount", "of"})
_COUPLED = _SHIFTED | {"given"}
COUPLINGS = {
    "LapGen": ("laplace", shift, _COUPLED),
    "OneLapGen": ("exponential", shift, _COUPLED),
    "LapInt": ("laplace", lap_int, FIELDS),
    "Norm": ("gaussian", shift, _SHIFTED),
}
