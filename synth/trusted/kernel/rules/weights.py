"""[Weigh]: a draw by weights whose sum may differ between the runs."""

from __future__ import annotations

from itertools import combinations

from synth.trusted.kernel.arithmetic.polynomials import at_most
from synth.trusted.kernel.certificate import Node
from synth.trusted.kernel.codes import Code
from synth.trusted.kernel.proof_state import Proof
from synth.trusted.kernel.rules.finite_draws import about
from synth.trusted.kernel.rules.payments import Prices
from synth.trusted.kernel.rules.shared import Outcomes, bound
from synth.trusted.kernel.symbolic_state import Pair, State
from synth.trusted.kernel.terms import BOOL, INT, REAL, TRUE, Term, conjunction, negation, number
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
    state, (counts,) = proof.both(state, law.count)
    state = proof.require(node, state, Code.COUNTS_DIFFER(), ("=", *counts))
    state, drawn = _candidate(proof, state, statement.target, counts[0])
    state, other = _candidate(proof, state, statement.index, counts[0])
    state, own = _weight(proof, statement, state, drawn, weight)
    state, any_ = _weight(proof, statement, state, other, weight)
    state, given = proof.given(node, state)
    floor, facts = proof.instance(node, node.term("floor"), state, REAL)
    above: Term = ("and", ("<=", floor, any_[0]), ("<=", floor, any_[1]))
    state = proof.require(node, state.knowing(facts), Code.WEIGHT_BELOW_FLOOR(), above)
    least = proof.as_indexed(node, node.term("floor"), state)
    known = (*state.public_path, *given)
    for code, size in ((Code.FLOOR_NOT_POSITIVE, least), (Code.NO_CANDIDATE, count)):
        proof.require_public(node.rule, node.place, code(), ("<", "0.0", size), *known)
    prices = Prices(proof, node, (*known, ("<", "0.0", least), ("<", "0.0", count)))
    state = _own(prices, state, own, least)
    if "total" not in node.fields:
        state = proof.require(node, state, Code.WEIGHT_LARGER(), ("<=", any_[1], any_[0]))
    else:
        state = _total(prices, state, any_, ("*", count, least))
        picked = []
        for _ in range(_few(node) + 1):
            state, index = _candidate(proof, state, statement.index, counts[0])
            state, pair = _weight(proof, statement, state, index, weight)
            picked.append((index, pair))
        state = _only_few(prices, state, picked)
    return {None: (bound(proof, state, statement.target, (drawn, drawn)),)}


def _candidate(proof: Proof, state: State, name: str, count: Term) -> tuple[State, Term]:
    """Any index that can be drawn."""
    index = proof.fresh(name, INT)
    inside = ("and", ("<=", "0", index), ("<", index, count))
    return state.learning([inside]), index


def _weight(
    proof: Proof, statement: ir.Choose, state: State, index: Term, weight: ir.Expression
) -> tuple[State, Pair]:
    state, (pair,) = about(proof, statement, state, index, weight)
    return state, pair


def _grows(prices: Prices, state: State) -> Term:
    """Where weights may be larger in run 2; everywhere, if nothing is said."""
    proof, node = prices.proof, prices.node
    return proof.instance(node, node.term("grows"), state, BOOL)[0] if "grows" in node.fields else TRUE


def _own(prices: Prices, state: State, own: Pair, floor: Term) -> State:
    """What the weight of the drawn index costs."""
    proof, node = prices.proof, prices.node
    if "own" not in node.fields:
        return proof.require(node, state, Code.DRAWN_WEIGHT_LARGER(), ("<=", *own))
    gain, most = prices.size("gain", state)
    says = Code.GAIN_TOO_LARGE()
    state = proof.require(node, state, says, ("<=", ("-", *own), gain))
    return prices.paid("own", ("/", most, floor), state, ("<", own[1], own[0]))


def _total(prices: Prices, state: State, any_: Pair, least_sum: Term) -> State:
    """What the sum of all weights costs."""
    proof, node = prices.proof, prices.node
    here, (step, most) = _grows(prices, state), prices.size("step", state)
    small: Term = ("<=", ("-", any_[1], any_[0]), step)
    says = Code.STEP_TOO_LARGE()
    state = proof.require(node, state, says, ("ite", here, small, ("<=", any_[1], any_[0])))
    prices.public(Code.STEP_NEGATIVE(), at_most("0.0", most))
    price: Term = ("/", ("*", number(_few(node), REAL), most), least_sum)
    return prices.paid("total", price, state, here)


def _only_few(prices: Prices, state: State, picked: list[tuple[Term, Pair]]) -> State:
    """Of any so many different indices, one has a weight that is not larger in run 2."""
    apart = [negation(("=", first, second)) for (first, _), (second, _) in combinations(picked, 2)]
    same: Term = ("or", *(("<=", pair[1], pair[0]) for _, pair in picked), "false")
    goal: Term = ("=>", conjunction(apart), same)
    return prices.proof.require(prices.node, state, Code.TOO_MANY_LARGER(), goal)


def _few(node: Node) -> int:
    few = node.fields.get("few")
    if not isinstance(few, int) or isinstance(few, bool) or not 0 <= few <= MAX_GROWING:
        raise node.reject(Code.MALFORMED_FEW(most=MAX_GROWING))
    return few
