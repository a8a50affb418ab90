"""Ghost counters are raised by what a coupling costs."""

from __future__ import annotations

from pysmt.fnode import FNode
from pysmt.typing import INT

from synth.prover.codes import Code
from synth.prover.costs.accounting import Amount, Shared
from synth.prover.horn.encoding import LEFT, public_term
from synth.prover.horn.horn import Purpose
from synth.prover.horn.terms import add, choose, constant, less_equal, scaled, to_real
from synth.prover.product.both_runs import both
from synth.prover.product.clause_builder import ClauseBuilder, Unsupported
from synth.prover.product.run_states import State
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import names
from synth.trusted.program.symbols import Cost


def paid(builder: ClauseBuilder, state: State, amount: Amount | Shared) -> FNode:
    """What one use adds to its counter."""
    assert not isinstance(amount, Shared)
    if isinstance(amount, int):
        return constant(amount, INT)
    factor, expression = amount
    span = builder.problem.mechanism.span
    if not names(expression) <= state.values[LEFT].keys():
        raise Unsupported(Code.BUDGET_TOO_LATE(), span)
    left, right = both(builder, state, expression)
    if left is not right:
        raise Unsupported(Code.BUDGET_DIFFERS(), span)
    return scaled(factor, to_real(left))


def raise_ghost(state: State, ghost: Cost, step: FNode, where: FNode) -> FNode:
    """The new value of the counter: more by ``step`` wherever that is due."""
    before = state.value(ghost)
    raised = choose(where, add(before, step), before)
    state.set_both(ghost, raised)
    return raised


def bound_here(builder: ClauseBuilder, state: State, ghost: Cost, raised: FNode, span: ir.Span) -> None:
    """The counter is within its bound on all runs, also on those that never end."""
    bounds = builder.problem.accounting.bounds
    if ghost in bounds:
        most = public_term(state.fragment, bounds[ghost])
        purpose = Purpose("cost", span, f"{ghost} wherever it grows")
        builder.conclude(state, less_equal(raised, most), purpose)
