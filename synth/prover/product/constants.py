"""Public numbers that are not linear in the parameters, as constants that loop invariants may speak of.

Elsewhere a product or a logarithm is one opaque value in each stretch between loop heads, and another one in
the next.
"""

from __future__ import annotations

from collections.abc import Iterator

from pysmt.fnode import FNode
from pysmt.typing import REAL

from synth.prover.horn.encoding import LEFT, Evaluator, Globals, PathFragment, no_element, public_term
from synth.prover.horn.terms import equal, symbol
from synth.prover.product.strategy import Interval, Strategy
from synth.trusted.program import syntax as ir
from synth.trusted.program.printing import text
from synth.trusted.program.substitution import mapped

_LINEAR = (ir.Operator.ADD, ir.Operator.SUBTRACT, ir.Operator.NEGATE, ir.Operator.TO_REAL)


def constants(mechanism: ir.Mechanism, strategy: Strategy) -> dict[str, ir.Expression]:
    """The parts of sensitivities, distances, tails and gaps that are not linear, by their symbols' names."""
    metrics = [item.metric for item in mechanism.parameters if item.metric is not None]
    numbers = [metric.bound for metric in metrics if metric.bound is not None]
    numbers += [tail.limit for tail in strategy.tails.values()]
    for cases in strategy.cases.values():
        numbers += [case.coupling.gap for case in cases if isinstance(case.coupling, Interval)]
        numbers += [case.bound[1] for case in cases if case.bound is not None]
    return {_name(part): part for number in numbers for part in _nonlinear(number)}


def define(fragment: PathFragment, strategy: Strategy) -> None:
    """Assume what the constants mean."""
    for name, part in constants(fragment.mechanism, strategy).items():
        fragment.assume(equal(symbol(name, REAL), public_term(fragment, part)))


def constant_term(fragment: PathFragment, number: ir.Expression) -> FNode:
    """A public number with constants for what is not linear in it."""
    parts = set(_nonlinear(number))
    named = mapped(number, lambda part: ir.Variable(_name(part), ir.Sort.REAL) if part in parts else None)
    values = Globals(fragment.mechanism).names()
    values |= {_name(part): symbol(_name(part), REAL) for part in parts}
    return Evaluator(fragment, LEFT, values, lambda *_: None, no_element).term(named)


def _name(part: ir.Expression) -> str:
    return text(part)


def _nonlinear(number: ir.Expression) -> Iterator[ir.Expression]:
    """The largest real parts that are not linear."""
    if not isinstance(number, ir.Operation):
        return
    factors = [item for item in number.operands if not isinstance(item, ir.Constant)]
    scaled = number.operator is ir.Operator.MULTIPLY or (
        number.operator is ir.Operator.DIVIDE and isinstance(number.operands[1], ir.Constant)
    )
    if number.operator in _LINEAR or (scaled and len(factors) <= 1):
        for item in number.operands:
            yield from _nonlinear(item)
    elif number.sort is ir.Sort.REAL:
        yield number
