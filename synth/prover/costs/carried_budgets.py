"""Noise whose scale is made of a budget that the program carries along: ``e = e / 2``, then 1 / e.

Each use pays the budget that it takes, an expression of the program, so the invariant is linear: what was
paid and what is left come to no more than there was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from pysmt.typing import REAL

from synth.bounds.rational import Rational
from synth.bounds.scales import NotConstant, Scales, rational
from synth.prover.costs.accounting import Account
from synth.prover.costs.accounting_plans import Plan, counting_plans
from synth.prover.costs.cases import CaseKey
from synth.prover.costs.costs import CostClass, Costs, Unit
from synth.prover.testing.interpreter import Aborted
from synth.prover.testing.valuations import Valuation, public_value
from synth.support.floats import estimate
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis
from synth.trusted.program.symbols import Cost

_NEARLY = 1e-6
_ONE = ir.Constant(Fraction(1), ir.Sort.REAL)


@dataclass(frozen=True)
class Budget:
    """What a use takes: a multiple of a real variable of the program."""

    factor: Fraction
    variable: ir.Variable

    def amount(self) -> tuple[Fraction, ir.Expression]:
        return self.factor, self.variable

    def rational(self) -> Rational:
        return Rational.number(self.factor) * Rational.variable(self.variable.name)


def carried_budget(analysis: Analysis, draw: ir.Draw, unit: Unit) -> Budget | None:
    """What noise takes that is moved by no more than a unit; None if that is no multiple of a variable."""
    mechanism, scales = analysis.mechanism, Scales(analysis.mechanism)
    tainted = analysis.tainted(frozenset(analysis.branches))
    locals_ = [
        ir.Variable(name, sort)
        for name, sort in mechanism.variables.items()
        if sort is ir.Sort.REAL and name not in tainted and not scales.is_constant(name)
    ]
    try:
        price = scales.resolve_with(
            builders.divide(_ONE, draw.arguments[1]), draw.span, {item.name for item in locals_}
        )
        weight = rational(price) * Rational.number(unit[0]) * rational(unit[1])
        for variable in locals_:
            factor = (weight / Rational.variable(variable.name)).constant_value()
            if factor is not None and factor > 0:
                return Budget(factor, variable)
    except (NotConstant, ZeroDivisionError):
        return None
    return None


def carried_plans(
    costs: Costs, classes: Sequence[CostClass], budgets: Mapping[CaseKey, Budget]
) -> Iterator[Plan]:
    """As counting, with one counter in nats for what is taken from budgets."""
    ghost = Cost(len(classes))
    accounts = {case: Account(ghost, budget.amount()) for case, budget in budgets.items()}
    weights = {case: budget.rational() for case, budget in budgets.items()}
    for bound in _bounds(costs, classes, budgets):
        for plan in counting_plans(costs, classes):
            accounting = replace(
                plan.accounting,
                accounts={**plan.accounting.accounts, **accounts},
                bounds={**plan.accounting.bounds, ghost: bound},
                sorts={**plan.accounting.sorts, ghost: REAL},
            )
            total = plan.total + rational(bound)
            yield replace(plan, accounting=accounting, total=total, weights={**plan.weights, **weights})


def _bounds(
    costs: Costs, classes: Sequence[CostClass], budgets: Mapping[CaseKey, Budget]
) -> Iterator[ir.Expression]:
    """The claim, if nothing else costs, and multiples of real parameters that no test exceeds."""
    claim = costs.mechanism.epsilon
    if claim is not None and not classes:
        yield builders.convert(claim, ir.Sort.REAL)
    highest = _highest(costs, budgets)
    parameters = [
        ir.Variable(item.name, item.sort)
        for item in costs.mechanism.visible
        if item.kind is ir.ParameterKind.SCALAR and item.metric is None and item.sort is ir.Sort.REAL
    ]
    found: list[tuple[float, Fraction, ir.Expression]] = []
    for parameter in parameters:
        try:
            ratios = [
                total / estimate(public_value(costs.mechanism, parameter, valuation))
                for valuation, total in highest
            ]
        except (Aborted, ZeroDivisionError):
            continue
        if ratios and min(ratios) > 0:
            factor = Fraction(ceil(2 * (max(ratios) - _NEARLY)), 2)
            found.append((max(ratios) - min(ratios), factor, parameter))
    for _, factor, atom in sorted(found, key=lambda item: item[:2]):
        yield builders.arithmetic(ir.Operator.MULTIPLY, ir.Constant(factor, ir.Sort.REAL), atom)


def _highest(costs: Costs, budgets: Mapping[CaseKey, Budget]) -> list[tuple[Valuation, float]]:
    """Per valuation, the most nats that a test took from budgets."""
    found: dict[int, tuple[Valuation, float]] = {}
    for test in costs.tests:
        total = sum(paid.nats for paid in test.payments if paid.case in budgets)
        known = found.get(id(test.valuation))
        if total > (known[1] if known else 0):
            found[id(test.valuation)] = test.valuation, total
    return list(found.values())
