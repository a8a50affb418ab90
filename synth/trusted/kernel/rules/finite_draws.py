"""The rules about draws of finitely many values: by their chances, or by weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from synth.trusted.kernel.certificate import Node
from synth.trusted.kernel.decoding import Formula
from synth.trusted.kernel.proof_state import Proof
from synth.trusted.kernel.rules.payments import (
    in_nats,
    in_squares,
    paid_into,
    pay,
    price,
    size,
    sums_squares,
)
from synth.trusted.kernel.rules.shared import Outcomes, bound
from synth.trusted.kernel.symbolic_state import Pair, State
from synth.trusted.logic.arithmetic.exponentials import power_of_e
from synth.trusted.logic.arithmetic.polynomials import at_most
from synth.trusted.logic.codes import Code
from synth.trusted.logic.inputs import SORTS
from synth.trusted.logic.terms import (
    INT,
    REAL,
    TRUE,
    Term,
    conjunction,
    disjunction,
    negation,
    number,
    value,
)
from synth.trusted.program import syntax as ir


def chance(proof: Proof, node: Node, statement: ir.Choose, state: State) -> Outcomes:
    """[Chance]: run 2 draws the same value; what that costs depends on its chances in the two runs.

    ``free`` lists pairs of outcomes, run 1's and run 2's, that cost nothing, ``pays`` pairs with a cost and
    an amount of it; ``times`` has for those whose chances are private a number of at most exp(cost), or
    ``given`` says of what, over the reals, the cost follows.  All
    others must not occur together.  Whatever the value is, run 1's probability of it is at most exp(cost)
    times run 2's.  That a value has one outcome only is asked of single runs.
    """
    if not isinstance(statement.law, ir.Chances):
        raise node.reject(Code.CHOOSES_BY_WEIGHTS())
    free = node.listed(tuple[int, int], "free")
    paid = node.listed(tuple[int, int, str, Formula], "pays")
    pays = {(i, j): (cost, amount) for i, j, cost, amount in paid}
    if len(pays) != len(paid):
        raise node.reject(Code.MALFORMED_ENTRY(field="pays"))
    times = {(i, j): most for i, j, most in node.listed(tuple[int, int, Formula], "times")}
    given: Sequence[Term] = ()
    if not proof.single:
        state, given = proof.given_reals(node, node.terms("given"), state)
    drawn = proof.fresh(statement.target, SORTS[statement.sort])
    conditions = [condition for condition, _ in statement.law.outcomes]
    state, found = about(proof, statement, state, drawn, *conditions)
    if proof.single:
        known, terms = proof.both(state.binding(statement.index, (drawn, drawn)), *conditions)
        exclude_each_other(proof, node, known, [left for left, _ in terms])
    state = state.learning([("or", *(left for left, _ in found), "false")])
    if proof.single:
        return {None: (bound(proof, state, statement.target, (drawn, drawn)),)}
    nothing = conjunction([negation(right) for _, right in found])
    rights = [*(right for _, right in found), nothing]
    for i, (left, _) in enumerate(found):
        for j, right in enumerate(rights):
            here = conjunction([left, right])
            if (i, j) in free:
                state = _as_likely(proof, node, statement, state, (i, j), here, drawn)
            elif (i, j) in pays and j < len(found):
                if (i, j) in times:
                    most = times[i, j]
                    state = _private(proof, node, statement, state, (i, j), here, (pays[i, j], most), drawn)
                elif "given" in node.fields:
                    state = _over_reals(
                        proof, node, statement, state, (i, j), here, (pays[i, j], given), drawn
                    )
                else:
                    state = _less_likely(proof, node, statement, state, (i, j), here, pays[i, j])
            else:
                says = Code.PAIR_OCCURS(first=i, second=j)
                state = proof.require(node, state, says, negation(here))
    return {None: (bound(proof, state, statement.target, (drawn, drawn)),)}


def exclude_each_other(proof: Proof, node: Node, state: State, conditions: Sequence[Term]) -> None:
    """Ask that no two of the conditions hold at once; nothing is asked where one says "not" of what the
    other says.
    """
    for place, first in enumerate(conditions):
        parts = set(_conjuncts(first))
        others = [
            other
            for other in conditions[place + 1 :]
            if not any(negation(part) in parts for part in _conjuncts(other))
        ]
        if others:
            goal = negation(conjunction([first, disjunction(others)]))
            proof.require(node, state, Code.OUTCOMES_OVERLAP(place=place), goal)


def _conjuncts(term: Term) -> Iterator[Term]:
    if isinstance(term, tuple) and term[0] == "and":
        for part in term[1:]:
            yield from _conjuncts(part)
    else:
        yield term


def about(
    proof: Proof, statement: ir.Choose, state: State, index: Term, *expressions: ir.Expression
) -> tuple[State, list[Pair]]:
    """Expressions about the outcome, for one value of it, in both runs; and constants for them."""
    state, found = _drawing(proof, statement, state, index, *expressions)
    named = []
    for pair in found:
        state, pair = proof.constants(state, statement.target, pair)
        named.append(pair)
    return state, named


def _drawing(
    proof: Proof, statement: ir.Choose, state: State, index: Term, *expressions: ir.Expression
) -> tuple[State, list[Pair]]:
    """Expressions about the outcome, for one value of it, in both runs."""
    known, found = proof.both(state.binding(statement.index, (index, index)), *expressions)
    return replace(known, values=state.values, public=state.public), found


def _as_likely(
    proof: Proof,
    node: Node,
    statement: ir.Choose,
    state: State,
    pair: tuple[int, int],
    here: Term,
    drawn: Term,
) -> State:
    """Run 1's outcome is at most as likely as run 2's; ``drawn`` is the value that both have."""
    assert isinstance(statement.law, ir.Chances)
    if pair[1] >= len(statement.law.outcomes):
        raise node.reject(Code.IMPOSSIBLE_FOR_FREE())
    left, right = (statement.law.outcomes[place][1] for place in pair)
    chances = proof.public(state, left), proof.public(state, right)
    if chances[0] is not None and chances[1] is not None:
        if chances[0] != chances[1]:
            goal = at_most(chances[0], chances[1])
            says = Code.OUTCOME_LIKELIER(first=pair[0], second=pair[1])
            proof.require_public(node, says, goal, *state.public_path)
        return state
    if pair[0] != pair[1]:
        raise node.reject(Code.CHANCES_NOT_PUBLIC())
    state, (values,) = about(proof, statement, state, drawn, left)
    goal = ("=>", here, ("=", *values))
    return proof.require(node, state, Code.CHANCE_DIFFERS(place=pair[0]), goal)


def _less_likely(
    proof: Proof,
    node: Node,
    statement: ir.Choose,
    state: State,
    pair: tuple[int, int],
    here: Term,
    payment: tuple[str, Term],
) -> State:
    """Run 1's outcome is at most exp(amount * weight) times as likely as run 2's; that is paid."""
    assert isinstance(statement.law, ir.Chances)
    chance, other = (proof.public(state, statement.law.outcomes[place][1]) for place in pair)
    if chance is None or other is None:
        raise node.reject(Code.CHANCES_NOT_PUBLIC())

    says = Code.OUTCOME_NOT_PAID(first=pair[0], second=pair[1])
    state, paid = pay(
        proof, node, state, payment, says, partial(within_factor, chance, other), state.public_path
    )
    return paid_into(proof, state, here, paid)


def _private(
    proof: Proof,
    node: Node,
    statement: ir.Choose,
    state: State,
    pair: tuple[int, int],
    here: Term,
    price: tuple[tuple[str, Term], Term],
    drawn: Term,
) -> State:
    """Run 1's outcome is at most m times as likely as run 2's, for a number m <= exp(amount * weight).

    That is asked of the values of both runs, so the chances may depend on private data.  Where run 1's is at
    most as large as run 2's, m = 1 is enough, and nothing is paid.
    """
    assert isinstance(statement.law, ir.Chances)
    payment, most = price
    factor = value(most)
    if factor is None:
        raise node.reject(Code.CHANCES_NOT_PUBLIC())
    says = Code.OUTCOME_NOT_PAID(first=pair[0], second=pair[1])
    covers = partial(within_factor, number(factor, REAL), "1.0")
    state, paid = pay(proof, node, state, payment, says, covers, state.public_path)
    chances = (statement.law.outcomes[place][1] for place in pair)
    state, ((left, _), (_, right)) = about(proof, statement, state, drawn, *chances)
    goal: Term = ("=>", here, ("<=", left, ("*", number(factor, REAL), right)))
    state = proof.require(node, state, says, goal)
    return paid_into(proof, state, conjunction([here, ("<", right, left)]), paid)


def _over_reals(
    proof: Proof,
    node: Node,
    statement: ir.Choose,
    state: State,
    pair: tuple[int, int],
    here: Term,
    price: tuple[tuple[str, Term], Sequence[Term]],
    drawn: Term,
) -> State:
    """Run 1's outcome is at most exp(amount * weight) times as likely as run 2's, for all reals of which that
    is so which is given; so it is for the values of the two runs, of which that is shown.

    Nothing is paid where run 1's chance is at most run 2's.
    """
    assert isinstance(statement.law, ir.Chances)
    payment, given = price
    chances = [statement.law.outcomes[place][1] for place in pair]
    says = Code.OUTCOME_NOT_PAID(first=pair[0], second=pair[1])
    state, ((left, _), (_, right)) = _drawing(proof, statement, state, drawn, *chances)
    covers = partial(within_factor, proof.reals(left), proof.reals(right))
    state, paid = pay(proof, node, state, payment, says, covers, (*state.public_path, *given))
    return paid_into(proof, state, conjunction([here, ("<", right, left)]), paid)


def _range_covered(width: Term, square: Term) -> Term:
    """(η/2)² ≤ ``square``, for logarithms of ratios in an interval as wide as η."""
    return at_most(("*", width, width), ("*", "4.0", square))


def within_factor(chance: Term, other: Term, nats: Term) -> Term:
    """That a chance is at most e to the power of ``nats`` times another one."""
    times, defined = power_of_e(nats)
    return conjunction([*defined, at_most(chance, ("*", times, other))])


def as_many(proof: Proof, node: Node, state: State, law: ir.Weights) -> tuple[State, Term]:
    """Ask that both runs choose from as many; how many that are."""
    state, (counts,) = proof.both(state, law.count)
    return proof.require(node, state, Code.COUNTS_DIFFER(), ("=", *counts)), counts[0]


def candidate(proof: Proof, state: State, name: str, many: Term) -> tuple[State, Term]:
    """Any index that can be drawn."""
    index = proof.fresh(name, INT)
    inside: Term = ("and", ("<=", "0", index), ("<", index, many))
    return state.learning([inside]), index


def choice(proof: Proof, node: Node, statement: ir.Choose, state: State) -> Outcomes:
    """[Choice]: run 2 draws the same index.

    Where the change of the drawn index's score is within d of every other's, the logarithm of the ratio of
    the index's probabilities is at most d times the size of the rate: its own weights differ by
    exp(change * rate), and the sums of all weights by no more than the largest factor of them all (McSherry
    & Talwar 2007, Thm. 6).  Both directions are shown, as a negative rate turns them round.

    So the logarithms of all ratios lie in an interval as wide as η = d * rate.  For zCDP (η/2)² is counted:
    let L be the logarithm at an index that run 2 draws.  Then E exp(L) = 1, and the function f(t) =
    ln E exp(t*L) - t(t - 1)*η²/8 has f(0) = f(1) = 0 and f'' ≤ 0, as what lies in such an interval has a
    variance of at most η²/4.  So f(t) ≤ 0 for t > 1 (Dong, Durfee & Rogers 2020; Cesar & Rogers 2021).
    """
    law = statement.law
    if not isinstance(law, ir.Weights):
        raise node.reject(Code.CHOOSES_BY_CHANCES())
    state, many = as_many(proof, node, state, law)
    state, drawn = candidate(proof, state, statement.target, many)
    state, other = candidate(proof, state, statement.index, many)
    if proof.single:
        for demand in law.demands:
            state, ((holds, _),) = about(proof, statement, state, other, demand.condition)
            says = Code.OBLIGATION_NOT_SHOWN(line=demand.span.line, reason=demand.reason)
            state = proof.require(node, state, says, holds)
        return {None: (bound(proof, state, statement.target, (drawn, drawn)),)}
    rate = proof.public(state, law.rate)
    if rate is None:
        state, (rates,) = proof.both(state, law.rate)
        state = proof.require(node, state, Code.RATES_DIFFER(), ("=", *rates))
    state, (own,) = about(proof, statement, state, drawn, law.score)
    state, (any_,) = about(proof, statement, state, other, law.score)
    distance: Term = ("-", ("-", *own), ("-", *any_))
    if "cost" not in node.fields:
        state = proof.require(node, state, Code.SCORES_DIFFER(), ("=", distance, "0.0"))
        return {None: (bound(proof, state, statement.target, (drawn, drawn)),)}
    if rate is None:
        raise node.reject(Code.RATE_NOT_PUBLIC())
    within, most = size(proof, node, "within", state)
    close: Term = ("and", ("<=", distance, within), ("<=", ("-", distance), within))
    state = proof.require(node, state, Code.SCORES_TOO_FAR(), close)
    payment, either = (str(node.fields["cost"]), node.term("amount")), ("*", most, rate)
    covers, unit = price(either, ("-", either)), in_nats
    if sums_squares(proof, payment[0]):
        if proof.certificate.events:
            raise node.reject(Code.GAUSSIAN_WITH_EVENTS())
        covers, unit = partial(_range_covered, either), in_squares
    state, paid = pay(proof, node, state, payment, Code.SCORES_NOT_PAID(), covers, state.public_path, unit)
    state = paid_into(proof, state, TRUE, paid)
    return {None: (bound(proof, state, statement.target, (drawn, drawn)),)}
