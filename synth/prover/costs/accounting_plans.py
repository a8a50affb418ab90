"""Ways to account for the payments of a strategy, each with the bound that it would prove.

Counting: one integer counter per class of commensurable payments.  Summing distances: for
adjacencies that bound only their sum.  Summing nats: for mechanisms that keep their own budget in
a real variable; one counter adds up what each use costs, as an expression of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product

from pysmt.typing import INT, REAL

from synth.bounds.rational import Rational
from synth.bounds.scales import NotConstant, Scales, rational
from synth.prover.costs.accounting import Account, Accounting, Shared
from synth.prover.costs.cases import CaseKey
from synth.prover.costs.costs import CostClass, Costs, Linear, Unit
from synth.prover.costs.least_parameters import Least, least_parameters
from synth.prover.testing.valuations import Valuation, public_value
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis, names
from synth.trusted.program.symbols import Cost

MAX_TRIES = 12
_NOTHING = Rational.number(0)
_STEPS = (Fraction(1, 2), Fraction(1), Fraction(2))


@dataclass(frozen=True)
class Noise:
    """All real Gaussian noise: Σ (distance/sigma)² is at most ``square``, which costs the ε and δ ``paid``.

    What a part of a program has is paid by the whole; for a claim of another ``notion`` nothing is paid.
    """

    square: Rational
    paid: tuple[Rational, Rational] | None
    notion: ir.Notion | None = None


@dataclass(frozen=True)
class Plan:
    """An accounting, the bound on ε that it proves, and what one use of a case costs.

    ``delta`` goes with the bound; ``masses`` gives, per counter, the part of it that one unit costs.
    Counters of ``squared`` count (distance/sigma)² of real Gaussian noise; together they cost ``noise``.
    """

    accounting: Accounting
    total: Rational
    weights: Mapping[CaseKey, Rational]
    delta: Rational = field(default_factory=lambda: Rational.number(0))
    masses: Mapping[Cost, Rational] = field(default_factory=dict)
    squared: frozenset[Cost] = frozenset()
    noise: Noise | None = None


def counting_plans(costs: Costs, classes: Sequence[CostClass]) -> Iterator[Plan]:
    """Integer counters (or sums of distances), with combinations of candidate bounds."""
    weights = {
        case: item.weight * Rational.number(multiple)
        for item in classes
        for case, multiple in item.multiples.items()
    }
    options = [costs.candidates(item) for item in classes]
    ranked = sorted(
        product(*(range(len(item)) for item in options)), key=lambda places: (sum(places), places)
    )
    for places in ranked[:MAX_TRIES]:
        bounds = [option[place] for option, place in zip(options, places, strict=True)]
        total = Rational.number(0)
        for item, linear in zip(classes, bounds, strict=True):
            total = total + item.weight * linear.rational()
        yield Plan(_counting(classes, bounds), total, weights)


@dataclass(frozen=True)
class GaussianUses:
    """Uses of Gaussian noise that move it: ``squares`` count those of reals, ``integral`` are on integers.

    For a claim of another ``notion`` than (ε, δ), squares may count others as well.
    """

    squares: Sequence[CostClass]
    integral: Sequence[CaseKey]
    notion: ir.Notion | None = None

    def under(self, least: Least) -> GaussianUses:
        """With squares as large as they are for the least parameters."""
        squares = [replace(item, weight=least.enlarged(item.weight)) for item in self.squares]
        return replace(self, squares=squares)


def gaussian_plans(
    costs: Costs,
    classes: Sequence[CostClass],
    uses: GaussianUses,
    claim: tuple[Rational, Rational] | None,
    part: bool,
) -> Iterator[Plan]:
    """As counting, with counters for Gaussian noise, which gets what is left of the claim.

    Each use on integers gets one share, and all uses on reals together get one; in a ``part`` none, as the
    whole program pays for them.  Where ``requires`` gives lower bounds of what sigma is made of, these take
    its place in further plans.
    """
    yield from _gaussian_plans(costs, classes, uses, claim, part)
    for least in least_parameters(costs.mechanism):
        noisier = uses.under(least)
        if noisier != uses:
            for plan in _gaussian_plans(costs, classes, noisier, claim, part):
                yield replace(plan, accounting=replace(plan.accounting, prices=least.opaque_definitions))


def _gaussian_plans(
    costs: Costs,
    classes: Sequence[CostClass],
    uses: GaussianUses,
    claim: tuple[Rational, Rational] | None,
    part: bool,
) -> Iterator[Plan]:
    counted = frozenset(item.ghost for item in uses.squares)
    ghost = Cost(len(classes) + len(counted))
    single = [CostClass(ghost, _NOTHING, dict.fromkeys(uses.integral, 1))] if uses.integral else []
    for plan in counting_plans(costs, [*classes, *uses.squares, *single]):
        bounds = {name: rational(bound) for name, bound in plan.accounting.bounds.items()}
        total = _sum(bounds[item.ghost] * item.weight for item in classes)
        square = _sum(bounds[item.ghost] * item.weight for item in uses.squares)
        count = bounds[ghost] if single else _NOTHING
        shares = count if part or not uses.squares else count + Rational.number(1)
        if (single and count.is_zero()) or (uses.squares and square.is_zero()):
            continue
        found = replace(plan, total=total, squared=counted)
        if claim is None or shares.is_zero():
            yield replace(found, noise=Noise(square, None, uses.notion))
            continue
        epsilon, delta = (claim[0] - total) / shares, claim[1] / shares
        if single:
            spent = total + epsilon * count, delta * count
            weights = {**plan.weights, **dict.fromkeys(uses.integral, epsilon)}
            found = replace(found, total=spent[0], delta=spent[1], weights=weights, masses={ghost: delta})
        if not uses.squares:
            yield found
        elif part:
            yield replace(found, noise=Noise(square, None))
        else:
            for most in _squares(uses.squares, bounds, square):
                noise = Noise(most, (epsilon, delta))
                yield replace(found, total=claim[0], delta=claim[1], noise=noise)


def _squares(
    classes: Sequence[CostClass], bounds: Mapping[Cost, Rational], exact: Rational
) -> Iterator[Rational]:
    """The sum of squares; and, if that is no number, the square of the sum: larger, and may be simpler."""
    yield exact
    if len(classes) == 1 and exact.constant_value() is None:
        count = bounds[classes[0].ghost]
        if count.constant_value() != 1:
            yield exact * count


def _sum(items: Iterable[Rational]) -> Rational:
    return sum(items, _NOTHING)


def tail_plans(
    costs: Costs, classes: Sequence[CostClass], tails: Sequence[CaseKey], delta: Rational
) -> Iterator[Plan]:
    """As counting, with a counter for draws whose tails are given up; they share the claimed delta."""
    ghost = Cost(len(classes))
    uses = CostClass(ghost, Rational.number(0), dict.fromkeys(tails, 1))
    for plan in counting_plans(costs, [*classes, uses]):
        count = rational(plan.accounting.bounds[ghost])
        if not count.is_zero():
            yield replace(plan, delta=delta, masses={ghost: delta / count})


def _counting(classes: Sequence[CostClass], bounds: Sequence[Linear]) -> Accounting:
    accounts = {
        case: Account(item.ghost, _amount(item, multiple))
        for item in classes
        for case, multiple in item.multiples.items()
    }
    limits = {
        item.ghost: linear.expression(ir.Sort.REAL if item.dynamic else ir.Sort.INT)
        for item, linear in zip(classes, bounds, strict=True)
    }
    sorts = {item.ghost: REAL if item.dynamic else INT for item in classes}
    return Accounting(accounts, limits, sorts)


def _amount(item: CostClass, multiple: int) -> int | Shared | None:
    if item.shared is not None:
        return Shared(item.shared)
    return None if item.dynamic else multiple


def budget_plans(
    costs: Costs, analysis: Analysis, units: Mapping[CaseKey, Unit], rates: Mapping[CaseKey, Rational]
) -> Iterator[Plan]:
    """One counter in nats, if the program keeps a budget in a real variable; else nothing."""
    kept = _budget_variable(analysis)
    if kept is None:
        return
    weights = {
        case: Rational.number(factor) * rational(unit) * rates[case] for case, (factor, unit) in units.items()
    }
    amounts: dict[CaseKey, tuple[Fraction, ir.Expression]] = {}
    for case, weight in weights.items():
        amount = _as_written(costs, weight)
        if amount is None:
            return
        amounts[case] = amount
    accounts = {case: Account(Cost(None), amount) for case, amount in amounts.items()}
    against = {Cost(None): kept}
    for bound in _budgets(costs, weights):
        accounting = Accounting(accounts, {Cost(None): bound}, {Cost(None): REAL}, against)
        yield Plan(accounting, rational(bound), weights)


def budget_comparisons(analysis: Analysis, scales: Scales) -> Iterator[ir.Expression]:
    """Comparisons worth knowing where a budget is kept: 0 < x, and x <= p for real parameters p."""
    if _budget_variable(analysis) is None:
        return
    budgets = _compared_with_budget(analysis)
    for name in scales.definitions:
        if analysis.mechanism.variables.get(name) is not ir.Sort.REAL:
            continue
        local = ir.Variable(name, ir.Sort.REAL)
        try:
            scales.resolve(local, analysis.mechanism.span)
        except NotConstant:
            continue
        yield ir.Operation(ir.Operator.LESS, (ir.Constant(Fraction(0), ir.Sort.REAL), local), ir.Sort.BOOL)
        for budget in budgets:
            yield ir.Operation(ir.Operator.LESS_EQUAL, (local, budget), ir.Sort.BOOL)


def _compared_with_budget(analysis: Analysis) -> list[ir.Variable]:
    """Real parameters that the program compares something with, in a branch."""
    compared: set[str] = set()
    for branch in analysis.branches.values():
        compared |= names(branch.condition)
    return [
        ir.Variable(item.name, ir.Sort.REAL)
        for item in analysis.mechanism.parameters
        if item.metric is None and item.sort is ir.Sort.REAL and item.name in compared and item.arity == 0
    ]


def _budget_variable(analysis: Analysis) -> str | None:
    """A real variable that a loop updates and that is no noise and no private value."""
    tainted = analysis.tainted(frozenset(analysis.branches))
    for loop in ir.statements(analysis.mechanism.body):
        if isinstance(loop, ir.Loop):
            for item in ir.statements(loop.body):
                if (
                    isinstance(item, ir.Assign)
                    and item.value.sort is ir.Sort.REAL
                    and item.target in names(item.value)
                    and item.target not in tainted
                ):
                    return item.target
    return None


def _as_written(costs: Costs, weight: Rational) -> tuple[Fraction, ir.Expression] | None:
    """The weight as a multiple of a public expression that the program itself uses, best the very same."""
    multiples: list[tuple[Fraction, ir.Expression]] = []
    for expression in _public_expressions(costs):
        try:
            value = costs.scales.rational(expression, costs.mechanism.span)
            ratio = (weight / value).constant_value()
        except (NotConstant, ZeroDivisionError):
            continue
        if ratio is not None:
            multiples.append((ratio, expression))
    return min(multiples, key=lambda item: item[0] != 1, default=None)


def _public_expressions(costs: Costs) -> Iterator[ir.Expression]:
    for parameter in costs.mechanism.parameters:
        if parameter.metric is None and parameter.arity == 0 and parameter.sort is ir.Sort.REAL:
            yield ir.Variable(parameter.name, ir.Sort.REAL)
    for item in ir.statements(costs.mechanism.body):
        if isinstance(item, ir.Assign) and item.value.sort is ir.Sort.REAL:
            if item.target in costs.scales.definitions:
                yield ir.Variable(item.target, ir.Sort.REAL)
            for part in ir.subexpressions(item.value):
                if isinstance(part, ir.Operation):
                    yield part


def _budgets(costs: Costs, weights: Mapping[CaseKey, Rational]) -> Iterator[ir.Expression]:
    """Multiples of the claim and of real parameters that no test exceeds, the tightest first."""
    highest: dict[int, tuple[Valuation, Fraction]] = {}
    for test in costs.tests:
        values = dict(test.valuation.scalars)
        values.update({f"len({name})": test.valuation.length for name in costs.sequences()})
        total = sum((weights[paid.case].value(values) for paid in test.payments), Fraction(0))
        known = highest.get(id(test.valuation))
        if total > (known[1] if known else 0):
            highest[id(test.valuation)] = (test.valuation, total)
    found = []
    for atom in _public_expressions(costs):
        if isinstance(atom, ir.Variable) and atom.name not in costs.scales.definitions:
            values_ = [Fraction(public_value(costs.mechanism, atom, item)) for item, _ in highest.values()]
            if all(value > 0 for value in values_):
                totals = [total for _, total in highest.values()]
                ratios = [total / value for total, value in zip(totals, values_, strict=True)]
                if ratios:
                    found.append((max(ratios) - min(ratios), max(ratios), atom))
    for _, factor, atom in sorted(found, key=lambda item: item[:2]):
        for rounded in (factor, *(step for step in _STEPS if step > factor)):
            yield ir.Operation(ir.Operator.MULTIPLY, (ir.Constant(rounded, ir.Sort.REAL), atom), ir.Sort.REAL)
