"""[Weigh]: a draw by weights whose sum may differ between the runs."""

from __future__ import annotations

from itertools import combinations

from synth.trusted.kernel.certificate import Node
from synth.trusted.kernel.proof_state import Proof
from synth.trusted.kernel.rules.finite_draws import about, as_many, candidate
from synth.trusted.kernel.rules.payments import paid_into, pay, price, size
from synth.trusted.kernel.rules.shared import Outcomes, bound
from synth.trusted.kernel.symbolic_state import Pair, State
from synth.trusted.logic.arithmetic.polynomials import at_most
from synth.trusted.logic.codes import Code
from synth.trusted.logic.terms import BOOL, REAL, TRUE, Term, conjunction, negation, number
from synth.trusted.program import syntax as ir
from synth.trusted.program.weights import weighed

FIELDS = frozenset({"floor", "given", "gain", "own", "few", "step", "grows", "total"})
MAX_GROWING = 8
"""Weights that may grow, at the most."""


def weigh(proof: Proof, node: Node, statement: ir.Choose, state: State) -> Outcomes:
    """[Weigh]: run 2 draws the same index v, of chance w(v) / Σ w; the program gives log(w).

    The logarithm of the ratio of the chances is ln(w1(v)/w2(v)) + ln(Σ w2/Σ w1), and ln(1 + x) ≤ x.  All
    weights are at least ``floor``.  So where w1(v) exceeds w2(v), by at most ``gain``, the first part is at
    most gain/floor, else it is at most 0.  If only ``few`` of the ``count`` weights are larger in run 2, each
    by at most ``step``, the second part is at most few·step/(count·floor), and at most 0 if none is (Barthe,
    Köpf, Olmedo, Zanella Béguelin 2012, § 2 and § 6.4).
    """
    law = statement.law
    weight = weighed(law) if isinstance(law, ir.Weights) else None
    if weight is None or not isinstance(law, ir.Weights):
        raise node.reject(Code.CHOOSES_OTHERWISE())
    count = proof.indexed(state, law.count)
    if count is None:
        raise node.reject(Code.COUNT_NOT_PUBLIC())
    state, many = as_many(proof, node, state, law)
    state, drawn = candidate(proof, state, statement.target, many)
    state, other = candidate(proof, state, statement.index, many)
    state, (own,) = about(proof, statement, state, drawn, weight)
    state, (any_,) = about(proof, statement, state, other, weight)
    state, given = proof.given(node, state)
    floor, facts = proof.instance(node, node.term("floor"), state, REAL)
    above: Term = ("and", ("<=", floor, any_[0]), ("<=", floor, any_[1]))
    state = proof.require(node, state.knowing(facts), Code.WEIGHT_BELOW_FLOOR(), above)
    least = proof.as_indexed(node, node.term("floor"), state)
    known = (*state.public_path, *given)
    for code, number_ in ((Code.FLOOR_NOT_POSITIVE, least), (Code.NO_CANDIDATE, count)):
        proof.require_public(node, code(), ("<", "0.0", number_), *known)
    known = (*known, ("<", "0.0", least), ("<", "0.0", count))
    state = _own(proof, node, state, own, least, known)
    if "total" not in node.fields:
        state = proof.require(node, state, Code.WEIGHT_LARGER(), ("<=", any_[1], any_[0]))
    else:
        state = _total(proof, node, state, any_, ("*", count, least), known)
        picked = []
        for _ in range(_few(node) + 1):
            state, index = candidate(proof, state, statement.index, many)
            state, (pair,) = about(proof, statement, state, index, weight)
            picked.append((index, pair))
        state = _only_few(proof, node, state, picked)
    return {None: (bound(proof, state, statement.target, (drawn, drawn)),)}


def _own(proof: Proof, node: Node, state: State, own: Pair, floor: Term, known: tuple[Term, ...]) -> State:
    """What the weight of the drawn index costs."""
    if "own" not in node.fields:
        return proof.require(node, state, Code.DRAWN_WEIGHT_LARGER(), ("<=", *own))
    gain, most = size(proof, node, "gain", state)
    state = proof.require(node, state, Code.GAIN_TOO_LARGE(), ("<=", ("-", *own), gain))
    return _paid(proof, node, state, "own", ("/", most, floor), known, ("<", own[1], own[0]))


def _total(
    proof: Proof, node: Node, state: State, any_: Pair, least_sum: Term, known: tuple[Term, ...]
) -> State:
    """What the sum of all weights costs; ``grows`` says where they may be larger in run 2, or everywhere."""
    here = proof.instance(node, node.term("grows"), state, BOOL)[0] if "grows" in node.fields else TRUE
    step, most = size(proof, node, "step", state)
    small: Term = ("<=", ("-", any_[1], any_[0]), step)
    goal = ("ite", here, small, ("<=", any_[1], any_[0]))
    state = proof.require(node, state, Code.STEP_TOO_LARGE(), goal)
    proof.require_public(node, Code.STEP_NEGATIVE(), at_most("0.0", most), *known)
    due: Term = ("/", ("*", number(_few(node), REAL), most), least_sum)
    return _paid(proof, node, state, "total", due, known, here)


def _paid(
    proof: Proof, node: Node, state: State, field: str, due: Term, known: tuple[Term, ...], here: Term
) -> State:
    """A field's payment for what is due where ``here`` holds."""
    says = Code.AMOUNT_NOT_PAID(field=field)
    state, paid = pay(proof, node, state, node.payment(field), says, price(due), known)
    return paid_into(proof, state, here, paid)


def _only_few(proof: Proof, node: Node, state: State, picked: list[tuple[Term, Pair]]) -> State:
    """Of any so many different indices, one has a weight that is not larger in run 2."""
    apart = [negation(("=", first, second)) for (first, _), (second, _) in combinations(picked, 2)]
    same: Term = ("or", *(("<=", pair[1], pair[0]) for _, pair in picked), "false")
    goal: Term = ("=>", conjunction(apart), same)
    return proof.require(node, state, Code.TOO_MANY_LARGER(), goal)


def _few(node: Node) -> int:
    few: int = node.value(int, "few")
    if few > MAX_GROWING:
        raise node.reject(Code.MALFORMED_FEW(most=MAX_GROWING))
    return few
