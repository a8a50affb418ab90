"""Noise whose scale depends on what a loop counts: where it is max_cost, and what it costs in sum.

What the numbers at some parameters suggest is only proposed; the kernel shows it for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from synth.bounds.rational import Rational
from synth.bounds.scales import NotConstant, Scales, opaque_parts, rational
from synth.prover.costs.accounting import Account
from synth.prover.costs.accounting_plans import Plan, counting_plans
from synth.prover.costs.cases import CaseKey
from synth.prover.costs.costs import CostClass, Costs, Unit
from synth.prover.costs.potentials import (
    Indexed,
    PotentialCost,
    indexed_price,
    potential_costs,
    rate_of_noise,
    simplified,
)
from synth.prover.costs.progressions import Counting
from synth.prover.costs.weights import OWN, TOTAL, Weighing, weighings
from synth.prover.testing.interpreter import Aborted, Number, Run, compile_expression
from synth.prover.testing.valuations import Valuation, lengths_of, public_run, public_value
from synth.support.floats import estimate
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis
from synth.trusted.program.symbols import Cost

MAX_INDICES = 24
MAX_CHOICES = 3
NEARLY = 1.001
"""Roots are rounded in the tests."""


@dataclass(frozen=True)
class Counted:
    """A price: the most that it is and, if it depends on a counter, the potential with the lowest sum."""

    indexed: Indexed | None
    max_cost: ir.Expression
    potential_cost: PotentialCost | None


@dataclass(frozen=True)
class Prices:
    """Prices of sites that are more than a public scale.

    ``noise`` gives them per site where the scale depends on a counter, ``parts`` per part of the price of a
    draw by weights, which ``weighings`` describe.
    """

    noise: Mapping[int, Counted]
    parts: Mapping[CaseKey, Counted]
    weighings: Mapping[int, Weighing]

    def of(self, case: CaseKey) -> Counted | None:
        """The price of a case; None if it is one public scale, as usual."""
        return self.parts.get(case) or self.noise.get(case[0])

    def opaque_definitions(self) -> dict[str, ir.Expression]:
        """What the variables of prices mean that are no parameters."""
        found: dict[str, ir.Expression] = {}
        for item in (*self.noise.values(), *self.parts.values()):
            found |= opaque_parts(item.max_cost)
        return found

    def indexed(self) -> dict[int, Indexed]:
        """The counters that sites depend on."""
        found = {site: item.indexed for site, item in self.noise.items()}
        found |= {case[0]: item.indexed for case, item in self.parts.items() if item.indexed is not None}
        return {site: item for site, item in found.items() if item is not None}


def prices(
    mechanism: ir.Mechanism,
    analysis: Analysis,
    valuations: Sequence[Valuation],
    holds: Callable[[ir.Expression], bool],
) -> Prices:
    """The prices that can be told at all parameters of the tests; ``holds`` says what is known of those."""
    teller = _Teller(mechanism, analysis, tuple(valuations), holds)
    sites = analysis.sites
    noise = {}
    for site, draw in sites.items():
        if isinstance(draw, ir.Draw) and draw.distribution != "gaussian":
            found = teller.price(draw, rate_of_noise(draw))
            if found is not None and found.indexed is not None:
                noise[site] = found
    described = dict(weighings(mechanism, [item for item in sites.values() if isinstance(item, ir.Choose)]))
    parts: dict[CaseKey, Counted] = {}
    for site, weighing in described.items():
        for number, price in ((OWN, weighing.price()), (TOTAL, weighing.price_of_all())):
            found = teller.price(sites[site], price)
            if found is not None:
                parts[site, number] = found
    whole = {site: item for site, item in described.items() if {(site, OWN), (site, TOTAL)} <= parts.keys()}
    return Prices(noise, {case: item for case, item in parts.items() if case[0] in whole}, whole)


@dataclass(frozen=True)
class _Teller:
    """Tells prices of one mechanism."""

    mechanism: ir.Mechanism
    analysis: Analysis
    valuations: tuple[Valuation, ...]
    holds: Callable[[ir.Expression], bool]

    def price(self, site: ir.Draw | ir.Choose, price: ir.Expression) -> Counted | None:
        """None where it is no function of the public parameters and a counter, or highest inside the loop."""
        scales = Scales(self.mechanism)
        try:
            return Counted(None, simplified(scales.resolve(price, site.span)), None)
        except NotConstant:
            indexed = indexed_price(scales, price, site, self.analysis.site_loops)
        if indexed is None:
            return None
        numbers = _Numbers(self.mechanism, indexed, self.valuations)
        max_cost = next((end for end in indexed.ends() if numbers.pays(end)), None)
        if max_cost is None:
            return None
        return Counted(indexed, max_cost, numbers.lowest(potential_costs(indexed, self.holds)))


@dataclass(frozen=True)
class _Numbers:
    """One price at some parameters."""

    mechanism: ir.Mechanism
    indexed: Indexed
    valuations: tuple[Valuation, ...]

    def pays(self, amount: ir.Expression) -> bool:
        """Whether the amount, which may depend on the counter, is at least the price at all indices."""
        pairs = [pair for valuation in self.valuations for pair in self._pairs(valuation, amount)]
        return bool(pairs) and all(price <= paid * NEARLY for price, paid in pairs)

    def lowest(self, candidates: Iterator[PotentialCost]) -> PotentialCost | None:
        """Of the potentials that pay, the one with the lowest sum where the loop is long."""
        found: dict[float, PotentialCost] = {}
        for potential_cost in candidates:
            step = builders.arithmetic(
                ir.Operator.MULTIPLY, potential_cost.weight, potential_cost.potential.step()
            )
            total = builders.arithmetic(
                ir.Operator.MULTIPLY, potential_cost.weight, potential_cost.potential.bound()
            )
            if self.pays(step) and (value := self._longest(total)) is not None:
                found.setdefault(value, potential_cost)
        return found[min(found)] if found else None

    def _longest(self, total: ir.Expression) -> float | None:
        """A sum where the loop is long; None if it has no value there."""
        try:
            return estimate(public_value(self.mechanism, total, self.valuations[0]))
        except Aborted:
            return None

    def _pairs(self, valuation: Valuation, amount: ir.Expression) -> Iterator[tuple[float, float]]:
        run = public_run(valuation, lengths_of(self.mechanism, valuation.length))
        try:
            for value in self._values(run):
                run.values[self.indexed.variable.name] = value
                price, paid = (compile_expression(item)(run) for item in (self.indexed.price, amount))
                yield estimate(price), estimate(paid)
        except Aborted:
            return

    def _values(self, run: Run) -> Iterator[Number]:
        """The values with which noise is drawn, the first ones."""
        progression = self.indexed.progression
        if isinstance(progression, Counting):
            yield from range(min(int(compile_expression(progression.count)(run)), MAX_INDICES))
        else:
            value = compile_expression(progression.ends()[0])(run)
            yield from (value * progression.factor**place for place in range(MAX_INDICES))


def plans_with(
    costs: Costs, classes: Sequence[CostClass], units: Mapping[CaseKey, Unit], known: Prices
) -> Iterator[Plan]:
    """As counting, each use at its highest price; or some cases by potentials; the lowest sum first."""
    potential_costs = {
        case: potential_cost
        for case, unit in units.items()
        if (potential_cost := _potential_cost_of(case, unit, known)) is not None
    }
    found = []
    for chosen in _subsets(sorted(potential_costs)):
        by_case = {case: potential_costs[case] for case in chosen}
        found += [_dearer(aware(plan, known), costs) for plan in _rising(costs, classes, units, by_case)]
    yield from sorted(found, key=lambda plan: _value(costs, plan)) if potential_costs else found


def _subsets(cases: Sequence[CaseKey]) -> Iterator[tuple[CaseKey, ...]]:
    """Which cases to pay by potentials: any, if there are few; else none or all."""
    sizes = range(len(cases) + 1) if len(cases) <= MAX_CHOICES else (0, len(cases))
    for size in sizes:
        yield from combinations(cases, size)


def _potential_cost_of(case: CaseKey, unit: Unit, known: Prices) -> PotentialCost | None:
    """The potential of a case that pays for what one use moves at the most."""
    price = known.of(case)
    if price is None or price.potential_cost is None:
        return None
    distance = builders.arithmetic(ir.Operator.MULTIPLY, ir.Constant(unit[0], ir.Sort.REAL), unit[1])
    weight = builders.arithmetic(ir.Operator.MULTIPLY, price.potential_cost.weight, distance)
    return replace(price.potential_cost, weight=weight)


def aware(plan: Plan, known: Prices) -> Plan:
    """The plan, with what is known of sites and prices."""
    orders = dict(_orders(plan, known))
    accounting = replace(
        plan.accounting,
        indexed=known.indexed(),
        weighings=known.weighings,
        orders=orders,
        prices={**plan.accounting.prices, **known.opaque_definitions()},
    )
    return replace(plan, accounting=accounting)


def _dearer(plan: Plan, costs: Costs) -> Plan:
    """The plan with the bound of the order of the inputs that costs more in the tests."""
    if len({source for source, _ in plan.accounting.orders.values()}) != 1:
        return plan
    return max((_ordered(plan, upward) for upward in (True, False)), key=lambda way: _value(costs, way))


def _orders(plan: Plan, known: Prices) -> Iterator[tuple[Cost, tuple[str, bool]]]:
    """The counters of weights that are larger in one run only, with the order in which they count."""
    ghosts: dict[Cost, set[tuple[str, bool] | None]] = {}
    for (site, number), account in plan.accounting.accounts.items():
        weighing = known.weighings.get(site)
        order = weighing.order(number) if weighing and isinstance(number, int) else None
        ghosts.setdefault(account.ghost, set()).add(order)
    for ghost, found in ghosts.items():
        order = found.pop() if len(found) == 1 else None
        if order is not None:
            yield ghost, order


def _ordered(plan: Plan, upward: bool) -> Plan:
    """The plan, with the bound for one order of the inputs."""
    total = plan.total
    for ghost, (_, way) in plan.accounting.orders.items():
        if way is not upward:
            total = total - _sum(plan, ghost)
    return replace(plan, total=total)


def _sum(plan: Plan, ghost: Cost) -> Rational:
    """What a counter comes to at the most, in nats."""
    potential_cost = plan.accounting.potential_costs.get(ghost)
    if potential_cost is not None:
        return rational(potential_cost.weight) * rational(potential_cost.potential.bound())
    case, account = next(item for item in plan.accounting.accounts.items() if item[1].ghost == ghost)
    assert isinstance(account.amount, int)
    unit = plan.weights[case] / Rational.number(account.amount)
    return unit * rational(plan.accounting.bounds[ghost])


def _value(costs: Costs, plan: Plan) -> float:
    """What a plan comes to at the parameters with the longest inputs, in nats."""
    reference = max((test.valuation for test in costs.tests), key=lambda valuation: valuation.length)
    values: dict[str, Fraction | int] = {f"len({name})": reference.length for name in costs.sequences()}
    values |= {name: Fraction(value) for name, value in reference.scalars.items()}
    for name, expression in plan.accounting.opaque_definitions().items():
        values[name] = Fraction(public_value(costs.mechanism, expression, reference))
    try:
        return estimate(plan.total.value(values))
    except (KeyError, ZeroDivisionError):
        return float("inf")


def _without(item: CostClass, cases: Mapping[CaseKey, PotentialCost]) -> CostClass:
    return replace(item, multiples={case: n for case, n in item.multiples.items() if case not in cases})


def _shown(potential_cost: PotentialCost, unit: Unit) -> Rational:
    """What one use costs, in the words of the program."""
    return rational(potential_cost.indexed.shown) * Rational.number(unit[0]) * rational(unit[1])


def _rising(
    costs: Costs,
    classes: Sequence[CostClass],
    units: Mapping[CaseKey, Unit],
    by_case: Mapping[CaseKey, PotentialCost],
) -> Iterator[Plan]:
    """These cases are paid by potentials, the others are counted."""
    rest = [_without(item, by_case) for item in classes]
    named = {case: Cost(len(classes) + place) for place, case in enumerate(sorted(by_case))}
    for plan in counting_plans(costs, [item for item in rest if item.multiples]):
        accounts = {case: Account(named[case], potential_cost) for case, potential_cost in by_case.items()}
        total, weights = plan.total, dict(plan.weights)
        for case, potential_cost in by_case.items():
            total = total + rational(potential_cost.weight) * rational(potential_cost.potential.bound())
            weights[case] = _shown(potential_cost, units[case])
        accounting = replace(
            plan.accounting,
            accounts={**plan.accounting.accounts, **accounts},
            potential_costs={named[case]: potential_cost for case, potential_cost in by_case.items()},
        )
        yield replace(plan, accounting=accounting, total=total, weights=weights)
