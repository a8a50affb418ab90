"""The rules about draws of noise: which case applies, how the draws are coupled, what that costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import ceil

from synth.trusted.kernel.arithmetic.exponentials import power_of_e
from synth.trusted.kernel.arithmetic.gaussian_divergence import enough_of_integers, square_at_most
from synth.trusted.kernel.arithmetic.polynomials import at_most
from synth.trusted.kernel.certificate import Node
from synth.trusted.kernel.codes import Code
from synth.trusted.kernel.inputs import SORTS, real
from synth.trusted.kernel.proof_state import NOWHERE, Proof, is_indexed
from synth.trusted.kernel.rules.laplace_interval import FIELDS, Noise, gap_known, lap_int
from synth.trusted.kernel.rules.shared import Outcomes, bound, counter, in_nats, paid_into, room, shown
from synth.trusted.kernel.symbolic_state import State
from synth.trusted.kernel.terms import (
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
    read,
    sort_of,
    value,
)
from synth.trusted.program import syntax as ir


def case(proof: Proof, node: Node, statement: ir.Draw, state: State) -> Outcomes:
    """[Case]: the first case whose ``when`` holds says how the draws are coupled; the last has none.

    Every choice depends only on what is known before the draw, and on b.
    """
    if node.rule == "Case" and statement.distribution == "gaussian":
        raise node.reject(Code.GAUSSIAN_WITH_CASES())
    alone = replace(node, fields={key: item for key, item in node.fields.items() if key != "tail"})
    leaves = node.premises if node.rule == "Case" else (alone,)
    whens = node.terms("when") if node.rule == "Case" else ()
    if len(leaves) != len(whens) + 1:
        raise node.reject(Code.NEEDS_COUPLINGS())
    scale = proof.indexed(state, statement.arguments[1])
    if scale is None or (
        is_indexed(scale) and (statement.distribution == "gaussian" or "tail" in node.fields)
    ):
        raise node.reject(Code.SCALE_NOT_PUBLIC())
    positive = ir.Operation(
        ir.Operator.LESS, (ir.Constant(0, ir.Sort.REAL), statement.arguments[1]), ir.Sort.BOOL
    )
    state = shown(proof, node, state, Code.SCALE_NOT_POSITIVE(line=statement.span.line), positive)
    before, (centers,) = proof.both(state, statement.arguments[0])
    state, centers = proof.constants(before, "center", centers)
    state, inside = _truncate_tail(proof, node, statement, state, centers[0], scale)
    left = proof.fresh(f"{statement.target}<1>", SORTS[statement.sort])
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
    return _drawn(proof, statement, state, shifts, left, centers[0], inside)


def _coupled(
    proof: Proof, leaf: Node, noise: Noise, state: State, here: Term
) -> tuple[State, Term, Mapping[str, Term]]:
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


def lap_null(proof: Proof, leaf: Node, noise: Noise, state: State) -> tuple[State, Term, Mapping[str, Term]]:
    """[LapNull], [OneLapNull]: the same noise, y⟨2⟩ − y⟨1⟩ = e⟨2⟩ − e⟨1⟩, free (Props. 9 and 11)."""
    one, two = noise.centers
    return state, number(0, SORTS[noise.statement.sort]) if one == two else ("-", two, one), {}


def lap_gen(proof: Proof, leaf: Node, noise: Noise, state: State) -> tuple[State, Term, Mapping[str, Term]]:
    """[LapGen]: y⟨1⟩ + k = y⟨2⟩ at |k + e⟨1⟩ − e⟨2⟩| / scale, for any k known before the draw (Prop. 8)."""
    state, k, moved = _shifted(proof, leaf, noise, state)
    return _with(k, _price(proof, leaf, state, moved, noise.scale))


def one_lap_gen(
    proof: Proof, leaf: Node, noise: Noise, state: State
) -> tuple[State, Term, Mapping[str, Term]]:
    """[OneLapGen]: as [LapGen], where run 2's draw stays in its support (Prop. 10)."""
    state, k, moved = _shifted(proof, leaf, noise, state)
    zero = number(0, SORTS[noise.statement.sort])
    state = proof.require(leaf, state, Code.OUTSIDE_SUPPORT(), ("<=", zero, moved))
    return _with(k, _price(proof, leaf, state, moved, noise.scale))


def norm(proof: Proof, leaf: Node, noise: Noise, state: State) -> tuple[State, Term, Mapping[str, Term]]:
    """[Norm] (CertiPriv): couples as [LapGen] does, but something is lost."""
    state, k, moved = _shifted(proof, leaf, noise, state)
    return _with(k, _norm_price(proof, leaf, noise.statement, state, moved, noise.scale))


def _shifted(proof: Proof, leaf: Node, noise: Noise, state: State) -> tuple[State, Term, Term]:
    """k, and by how much it moves run 2's noise."""
    sort = SORTS[noise.statement.sort]
    k, facts = proof.instance(leaf, leaf.term("k"), state, sort, noise.statement.target)
    one, two = noise.centers
    state, (k, moved) = proof.constants(state.knowing(facts), "k", (k, ("-", ("+", k, one), two)))
    return state, k, moved


def _with(k: Term, priced: tuple[State, Mapping[str, Term]]) -> tuple[State, Term, Mapping[str, Term]]:
    return priced[0], k, priced[1]


def _price(
    proof: Proof, leaf: Node, state: State, moved: Term, scale: Term
) -> tuple[State, Mapping[str, Term]]:
    """What a shifted coupling adds to its cost; in nats it is at least distance / scale."""
    sort = sort_of(moved, proof.known)
    zero = number(0, sort)
    if "cost" not in leaf.fields:
        return proof.require(leaf, state, Code.FREE_COUPLING_MOVES(), ("=", moved, zero)), {}
    name, amount = str(leaf.fields["cost"]), leaf.fields.get("amount")
    if name not in proof.certificate.costs:
        raise leaf.reject(Code.NO_SUCH_COST(name=name))
    cost = in_nats(proof, leaf, name)
    state, given = proof.given(leaf, state)
    state, length = proof.constant(state, "distance", real(absolute(moved, sort), sort))
    premises: list[Term] = [("<", "0.0", scale), *state.public_path, *given]
    if amount == "distance":
        if cost.sort != REAL:
            raise leaf.reject(Code.COST_OF_DISTANCES())
        says = Code.UNIT_NOT_PAID()
        goal = at_most(("/", "1.0", scale), proof.public_number(leaf, cost.weight))
        proof.require_public(leaf.rule, leaf.place, says, goal, *premises)
        return state, {name: length}
    within, _ = proof.instance(leaf, leaf.term("within"), state, REAL)
    added, _ = proof.instance(leaf, leaf.term("amount"), state, cost.sort)
    state = proof.require(leaf, state, Code.DISTANCE_TOO_LARGE(), ("<=", length, within))
    price = ("/", proof.as_public(leaf, leaf.term("within"), state), scale)
    pays = ("*", proof.as_indexed(leaf, leaf.term("amount"), state), proof.public_number(leaf, cost.weight))
    proof.require_public(leaf.rule, leaf.place, Code.DISTANCE_NOT_PAID(), at_most(price, pays), *premises)
    return state, {name: ("ite", ("=", length, "0.0"), number(0, cost.sort), added)}


def _norm_price(
    proof: Proof, leaf: Node, statement: ir.Draw, state: State, moved: Term, sigma: Term
) -> tuple[State, Mapping[str, Term]]:
    """[Norm]: what a use that moves the noise adds to its cost."""
    sort = sort_of(moved, proof.known)
    if "cost" not in leaf.fields:
        return proof.require(leaf, state, Code.FREE_COUPLING_MOVES(), ("=", moved, number(0, sort))), {}
    if proof.certificate.events:
        raise leaf.reject(Code.GAUSSIAN_WITH_EVENTS())
    state, length = proof.constant(state, "distance", real(absolute(moved, sort), sort))
    within, _ = proof.instance(leaf, leaf.term("within"), state, REAL)
    state = proof.require(leaf, state, Code.DISTANCE_TOO_LARGE(), ("<=", length, within))
    if statement.sort is ir.Sort.INT:
        return _mass_lost(proof, leaf, state, length, sigma)
    return state, _square_counted(proof, leaf, state, length, sigma)


def _square_counted(proof: Proof, leaf: Node, state: State, length: Term, sigma: Term) -> Mapping[str, Term]:
    """Of real noise the squares of distance/sigma are summed up; what they cost is asked once, at the end.

    Dong, Roth & Su 2022, Cor. 3.3, with distances that may depend on what was drawn before.
    """
    name = str(leaf.fields["cost"])
    cost = proof.certificate.costs.get(name)
    if cost is None or cost.square is None:
        raise leaf.reject(Code.COST_OF_REAL_GAUSSIAN())
    added, _ = proof.instance(leaf, leaf.term("amount"), state, INT)
    within = proof.as_public(leaf, leaf.term("within"), state)
    amount = proof.as_public(leaf, leaf.term("amount"), state)
    pays = ("*", amount, proof.public_number(leaf, cost.square))
    says = Code.SQUARE_NOT_PAID()
    goal = square_at_most(sigma, within, pays)
    proof.require_public(leaf.rule, leaf.place, says, goal, ("<", "0.0", sigma), *state.public_path)
    return {name: ("ite", ("=", length, "0.0"), "0", added)}


def _mass_lost(
    proof: Proof, leaf: Node, state: State, length: Term, sigma: Term
) -> tuple[State, Mapping[str, Term]]:
    """Of integers each use counts 1, at (weight, delta) of its cost.

    The count stays within its bound wherever it grows, so that the masses lost sum up on all runs, also on
    those that don't end.
    """
    name = str(leaf.fields["cost"])
    cost = counter(proof, name)
    if cost is None or leaf.term("amount") != "1":
        raise leaf.reject(Code.COST_OF_INTEGER_GAUSSIAN())
    goals = enough_of_integers(
        sigma,
        proof.as_public(leaf, leaf.term("within"), state),
        proof.public_number(leaf, cost.weight),
        proof.public_number(leaf, cost.delta),
    )
    says = Code.MASS_NOT_PAID()
    for goal in goals:
        proof.require_public(leaf.rule, leaf.place, says, goal, ("<", "0.0", sigma), *state.public_path)
    state = room(proof, leaf, state, name, ("<", "0.0", length))
    return state, {name: ("ite", ("=", length, "0.0"), "0", "1")}


def _truncate_tail(
    proof: Proof, node: Node, statement: ir.Draw, state: State, center: Term, scale: Term
) -> tuple[State, tuple[Callable[[Term], Term], ...]]:
    """``tail``: which noise of run 1 is lost, as a fact about what is left; each draw counts 1 in its cost.

    What is lost is an event of run 1's noise alone, so it is lost once, whatever the output is.
    """
    if "tail" not in node.fields:
        return state, ()
    match node.fields["tail"]:
        case ["above" | "both" as side, str(limit), str(name)] if statement.distribution == "laplace":
            pass
        case _:
            raise node.reject(Code.MALFORMED_TAIL())
    cost = counter(proof, name)
    if cost is None:
        raise node.reject(Code.COST_OF_TAIL())
    most = read(limit)
    t = proof.public_number(node, most)
    mass, defined = _tail_mass(t, scale, statement.sort)
    lost: Term = ("*", "2.0", mass) if side == "both" else mass
    enough = conjunction([*defined, at_most("0.0", t), at_most(lost, proof.public_number(node, cost.delta))])
    proof.require_public(
        node.rule, node.place, Code.TAIL_NOT_PAID(), enough, ("<", "0.0", scale), *state.public_path
    )
    state = room(proof, node, state, name, TRUE)
    state = paid_into(proof, state, TRUE, {name: "1"})
    limit_here, _ = proof.instance(node, most, NOWHERE, REAL)
    sort = SORTS[statement.sort]

    def above(left: Term) -> Term:
        return ("<", real(("-", left, center), sort), limit_here)

    def below(left: Term) -> Term:
        return ("<", real(("-", center, left), sort), limit_here)

    return state, (above, below) if side == "both" else (above,)


def _tail_mass(t: Term, scale: Term, sort: ir.Sort) -> tuple[Term, list[Term]]:
    """The probability that Laplace noise is t or more, for t >= 0, or more; and what must hold for that.

    exp(-t/scale)/2 on the reals; on the integers exp(-n/scale)/(1 + exp(-1/scale)) for the first integer n
    from t on.
    """
    first = value(t)
    if sort is ir.Sort.INT and first is not None:
        t = number(ceil(first), REAL)
    decay, defined = power_of_e(("-", ("/", t, scale)))
    if sort is not ir.Sort.INT:
        return ("/", decay, "2.0"), defined
    step, more = power_of_e(("-", ("/", "1.0", scale)))
    return ("/", decay, ("+", "1.0", step)), [*defined, *more]


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


_NORM = frozenset({"k", "within", "cost", "amount"})
_COUPLED = _NORM | {"given"}
COUPLINGS = {
    "LapGen": ("laplace", lap_gen, _COUPLED),
    "LapNull": ("laplace", lap_null, frozenset[str]()),
    "OneLapGen": ("exponential", one_lap_gen, _COUPLED),
    "OneLapNull": ("exponential", lap_null, frozenset[str]()),
    "LapInt": ("laplace", lap_int, FIELDS),
    "Norm": ("gaussian", norm, _NORM),
    "NormNull": ("gaussian", lap_null, frozenset[str]()),
}
