"""Draws of finitely many values: both runs draw the same, and pay by how much its chances differ."""

from __future__ import annotations

from pysmt.fnode import FNode
from pysmt.typing import BOOL, INT, REAL

from synth.bounds.logarithms import ZERO_COST
from synth.prover.costs.potentials import PotentialCost
from synth.prover.costs.weights import OWN, TOTAL, Weighing, only_few
from synth.prover.horn.encoding import LEFT, RIGHT, public_term
from synth.prover.horn.horn import Purpose
from synth.prover.horn.terms import (
    SORTS,
    TRUE,
    all_of,
    any_of,
    constant,
    equal,
    implies,
    less,
    less_equal,
    negate,
    scaled,
    subtract,
    to_real,
    within,
)
from synth.prover.product.both_runs import both, one
from synth.prover.product.clause_builder import ClauseBuilder
from synth.prover.product.payments import paid, raise_ghost
from synth.prover.product.run_states import State
from synth.trusted.program import syntax as ir


def choose_value(builder: ClauseBuilder, state: State, statement: ir.Choose) -> None:
    """Both runs draw one value, by their chances or their weights."""
    weighing = builder.problem.accounting.weighings.get(statement.site)
    match statement.law:
        case ir.Chances() as law:
            value = _by_chances(builder, state, statement, law)
        case ir.Weights() as law if weighing is not None:
            value = _by_weights(builder, state, statement, law, weighing)
        case ir.Weights() as law:
            value = _by_scores(builder, state, statement, law)
    state.set_both(statement.target, value)


def _at(
    builder: ClauseBuilder, state: State, statement: ir.Choose, value: FNode, expression: ir.Expression
) -> tuple[FNode, FNode]:
    """An expression about the outcome in each run, for one value of it."""
    left, right = (
        one(builder, state, side, expression, {**state.values[side], statement.index: value})
        for side in (LEFT, RIGHT)
    )
    return left, right


def _cost(statement: ir.Choose, text: str) -> Purpose:
    return Purpose("cost", statement.span, text)


# --- by chances -----------------------------------------------------------------------------


def _by_chances(builder: ClauseBuilder, state: State, statement: ir.Choose, law: ir.Chances) -> FNode:
    """The ghost is raised by what the pair of outcomes costs."""
    ratios, accounts = builder.problem.ratios[statement.site], builder.problem.accounting.accounts
    value = builder.names.fresh(statement.target, SORTS[statement.sort])
    sides = [
        [
            one(builder, state, side, condition, {**state.values[side], statement.index: value})
            for condition, _ in law.outcomes
        ]
        for side in (LEFT, RIGHT)
    ]
    state.fragment.assume(implies(state.path, any_of(sides[LEFT])))
    for i, left in enumerate(sides[LEFT]):
        for j, right in enumerate([*sides[RIGHT], negate(any_of(sides[RIGHT]))]):
            pair = all_of((left, right))
            if (i, j) in ratios.grounds and (statement.site, ratios.number(i, j)) in accounts:
                _pay_apart(builder, state, statement, (i, j), pair)
            elif (i, j) in ratios.factors and (statement.site, ratios.number(i, j)) in accounts:
                _pay_larger(builder, state, statement, (i, j), value, pair)
            elif i == j and i in ratios.changing:
                here = state.fork(pair)
                chances = _at(builder, here, statement, value, law.outcomes[i][1])
                purpose = _cost(statement, "both runs give the value one probability")
                builder.require(here, equal(*chances), purpose)
            elif ratios.costs.get((i, j)) != ZERO_COST:
                _pay_pair(builder, state, statement, ratios.number(i, j), pair)
    return value


def _pay_larger(
    builder: ClauseBuilder,
    state: State,
    statement: ir.Choose,
    pair: tuple[int, int],
    value: FNode,
    here: FNode,
) -> None:
    """The ghost is raised where run 1's private chance is larger than run 2's; it is within what is paid."""
    ratios, law = builder.problem.ratios[statement.site], statement.law
    assert isinstance(law, ir.Chances)
    at = state.fork(here)
    left, _ = _at(builder, at, statement, value, law.outcomes[pair[0]][1])
    _, right = _at(builder, at, statement, value, law.outcomes[pair[1]][1])
    purpose = _cost(statement, "run 1's probability exceeds run 2's by no more than what is paid for")
    builder.require(at, less_equal(left, scaled(ratios.factors[pair], right)), purpose)
    _pay_pair(builder, state, statement, ratios.number(*pair), all_of((here, less(right, left))))


def _pay_apart(
    builder: ClauseBuilder, state: State, statement: ir.Choose, pair: tuple[int, int], here: FNode
) -> None:
    """What is known of the private numbers that the chances are made of holds, so the cost is enough.

    Where they are the same in both runs nothing is paid; elsewhere it is if run 1's chance is the larger one.
    """
    grounds = builder.problem.ratios[statement.site].grounds[pair]
    purpose = _cost(statement, "private chances are within what is known of them")
    for limit in grounds.limits:
        builder.require(state, all_of(both(builder, state, limit)), purpose)
    for leaf, distance in grounds.apart:
        most = public_term(state.fragment, distance)
        builder.require(state, within(to_real(subtract(*both(builder, state, leaf))), most), purpose)
    same = all_of(equal(*both(builder, state, leaf)) for leaf in grounds.leaves)
    larger = builder.names.fresh(statement.target, BOOL)
    number = builder.problem.ratios[statement.site].number(*pair)
    _pay_pair(builder, state, statement, number, all_of((here, larger, negate(same))))


def _pay_pair(builder: ClauseBuilder, state: State, statement: ir.Choose, number: int, pair: FNode) -> None:
    account = builder.problem.accounting.accounts.get((statement.site, number))
    if account is None:
        purpose = _cost(statement, "run 2 draws this as likely as run 1")
        builder.require(state.fork(pair), constant(False, BOOL), purpose)
        return
    assert not isinstance(account.amount, PotentialCost)
    step = constant(1, REAL) if account.amount is None else paid(builder, state, account.amount)
    raise_ghost(state, account.ghost, step, pair)


# --- by exponentials of scores --------------------------------------------------------------


def _by_scores(builder: ClauseBuilder, state: State, statement: ir.Choose, law: ir.Weights) -> FNode:
    """Run 2 draws the same index, at the most that the change of a score exceeds that of another."""
    counts = both(builder, state, law.count)
    alike = Purpose("publish", statement.span, "both runs choose from as many, by weights alike")
    builder.require(state, equal(*counts), alike)
    builder.require(state, equal(*both(builder, state, law.rate)), alike)
    value, other = (builder.names.fresh(name, INT) for name in (statement.target, statement.index))
    for item in (value, other):
        _assume_inside(state, item, counts[LEFT])
    gaps = [subtract(*_at(builder, state, statement, item, law.score)) for item in (value, other)]
    distance = subtract(gaps[0], gaps[1])
    bound = _paid_distance(builder, state, statement)
    purpose = _cost(statement, "the scores differ by no more than what is paid for")
    builder.require(state, within(distance, bound), purpose)
    return value


def _assume_inside(state: State, index: FNode, count: FNode) -> None:
    inside = all_of((less_equal(constant(0, INT), index), less(index, count)))
    state.fragment.assume(implies(state.path, inside))


def _paid_distance(builder: ClauseBuilder, state: State, statement: ir.Choose) -> FNode:
    """By how much the scores may differ for what the site's one case pays, if it pays."""
    account = builder.problem.accounting.accounts.get((statement.site, 0))
    (case,) = builder.problem.strategy.cases[statement.site]
    if account is None or case.bound is None:
        return constant(0, REAL)
    factor, unit = case.bound
    bound = scaled(factor, to_real(public_term(state.fragment, unit)))
    assert account.amount is not None and not isinstance(account.amount, PotentialCost)
    raise_ghost(state, account.ghost, paid(builder, state, account.amount), TRUE())
    return bound


# --- by weights that differ -----------------------------------------------------------------


def _by_weights(
    builder: ClauseBuilder, state: State, statement: ir.Choose, law: ir.Weights, weighing: Weighing
) -> FNode:
    """Run 2 draws the same index; its weight may be larger in run 1, and the sum of all in run 2."""
    counts = both(builder, state, law.count)
    builder.require(
        state, equal(*counts), Purpose("publish", statement.span, "both runs choose from as many")
    )
    floor = both(builder, state, weighing.floor)

    def candidate() -> tuple[FNode, tuple[FNode, FNode]]:
        index = builder.names.fresh(statement.index, INT)
        _assume_inside(state, index, counts[LEFT])
        return index, _at(builder, state, statement, index, weighing.weight)

    value, own = candidate()
    _, other = candidate()
    above = all_of((equal(*floor), *(less_equal(floor[LEFT], side) for side in other)))
    builder.require(state, above, _cost(statement, "no weight is below the floor"))
    gain = public_term(state.fragment, weighing.gain)
    falls = less(own[RIGHT], own[LEFT])
    grows = builder.globals.upward(weighing.source) if weighing.monotone else TRUE()
    purpose = _cost(statement, "weights differ by no more than what is paid for")
    builder.require(state, less_equal(subtract(*own), gain), purpose)
    small = less_equal(subtract(other[RIGHT], other[LEFT]), gain)
    none = less_equal(other[RIGHT], other[LEFT])
    builder.require(state, any_of((all_of((grows, small)), none)), purpose)
    picked = [candidate() for _ in range(weighing.few + 1)]
    builder.require(state, only_few(picked), _cost(statement, "only few weights grow"))
    for number, here in ((OWN, falls), (TOTAL, grows)):
        _count(builder, state, statement, number, here)
    return value


def _count(builder: ClauseBuilder, state: State, statement: ir.Choose, number: int, here: FNode) -> None:
    """The ghost of a part of the price is raised where it is due."""
    account = builder.problem.accounting.accounts.get((statement.site, number))
    if account is None:
        builder.require(state, negate(here), _cost(statement, "the draw is free"))
    elif not isinstance(account.amount, PotentialCost):
        assert account.amount is not None
        raise_ghost(state, account.ghost, paid(builder, state, account.amount), here)
