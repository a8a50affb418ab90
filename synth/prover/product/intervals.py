"""Draws from an interval, coupled with draws from a narrower one ([LapInt])."""

from __future__ import annotations

from fractions import Fraction

from pysmt.fnode import FNode
from pysmt.typing import INT, REAL

from synth.prover.codes import Code
from synth.prover.costs.cases import Share
from synth.prover.horn.encoding import public_term
from synth.prover.horn.horn import Purpose
from synth.prover.horn.terms import (
    add,
    all_of,
    constant,
    equal,
    implies,
    less,
    less_equal,
    scaled,
    sort_of,
    subtract,
    to_real,
    within,
)
from synth.prover.product.both_runs import both
from synth.prover.product.clause_builder import ClauseBuilder, Unsupported
from synth.prover.product.constants import constant_term
from synth.prover.product.payments import paid, raise_ghost
from synth.prover.product.run_states import State
from synth.prover.product.strategy import Case, Interval
from synth.trusted.program import syntax as ir

Pair = tuple[FNode, FNode]


def contract_interval(
    builder: ClauseBuilder,
    state: State,
    statement: ir.Draw,
    case: tuple[int, Case],
    *,
    guard: FNode,
    drawn: Pair,
    center: Pair,
) -> None:
    """What a case with an interval asks for and pays, and where run 2's draw lies, given run 1's.

    The case comes with its number; ``drawn`` are run 1's draw, and by how much run 2's is larger.
    """
    number, chosen = case
    interval = chosen.coupling
    assert isinstance(interval, Interval)
    here = state.fork(guard)
    ends = both(builder, state, interval.low), both(builder, state, interval.high)
    _require(builder, here, statement, ends, center, chosen)
    accounts = builder.problem.accounting.accounts
    for key in ((statement.site, number), (statement.site, Share.CONTRACTION)):
        account = accounts.get(key)
        if account is None or account.amount is None or not isinstance(account.amount, int | tuple):
            raise Unsupported(Code.INTERVAL_NOT_COUNTED(), statement.span)
        raise_ghost(state, account.ghost, paid(builder, state, account.amount), guard)
    state.fragment.assume(implies(here.path, _mapped(drawn, *ends)))


def _require(
    builder: ClauseBuilder, here: State, statement: ir.Draw, ends: tuple[Pair, Pair], center: Pair, case: Case
) -> None:
    strategy = builder.problem.strategy
    gap = strategy.gap(statement.site)
    if gap is None or case.bound is None:
        raise Unsupported(Code.INTERVALS_UNBOUNDED(), statement.span)
    low, high = ends
    purpose = Purpose("cost", statement.span, "the interval is mapped as it is paid for")

    def ask(goal: FNode) -> None:
        builder.require(here, goal, purpose)

    def number(unit: tuple[Fraction, ir.Expression]) -> FNode:
        factor, expression = unit
        return scaled(factor, to_real(public_term(here.fragment, expression)))

    room = to_real(constant_term(here.fragment, gap))
    # The kernel shows that of public inputs alone, so it is known in all cases.
    here.fragment.assume(less(constant(0, REAL), room))
    ask(less_equal(low[0], high[0]))
    apart = subtract(center[1], center[0])
    for end in ends:
        ask(within(to_real(subtract(subtract(end[1], end[0]), apart)), number(case.bound)))
    width = subtract(high[1], low[1])
    many = add(width, constant(1, INT)) if sort_of(width) == INT else width
    ask(less_equal(room, to_real(many)))
    lost = to_real(subtract(subtract(high[0], low[0]), width))
    ask(less_equal(lost, number(strategy.contraction[statement.site])))


def _mapped(drawn: Pair, low: Pair, high: Pair) -> FNode:
    left, moved = drawn
    right = add(left, moved)
    order = less_equal if sort_of(left) == INT else less
    ends = [implies(equal(left, end[0]), equal(right, end[1])) for end in (low, high)]
    return all_of(
        (
            implies(less(left, low[0]), equal(moved, subtract(low[1], low[0]))),
            implies(less(high[0], left), equal(moved, subtract(high[1], high[0]))),
            implies(
                all_of((order(low[0], left), order(left, high[0]))),
                all_of((order(low[1], right), order(right, high[1]))),
            ),
            *(() if sort_of(left) == INT else ends),
        )
    )
