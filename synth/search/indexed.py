"""Noise whose scale depends on what a loop counts: where it is dearest, and what it costs in sum.

What the numbers at some parameters suggest is only proposed; the kernel shows it for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from synth.couplings.potentials import Indexed, Rise, indexed_prices, rises
from synth.couplings.product import Account
from synth.couplings.scales import Scales, rational
from synth.language import build
from synth.language.analysis import Analysis
from synth.language.syntax import Constant, Expression, Mechanism, Operator, Sort
from synth.logic.rational import Rational
from synth.search.accounts import Plan, counting_plans
from synth.search.costs import CaseKey, CostClass, Costs, Unit
from synth.search.instances import Profile, lengths_of, public_run, public_value
from synth.search.interpreter import Aborted, compile_expression

MOST_INDICES = 24
NEARLY = 1.001
"""Roots are rounded in the tests."""


@dataclass(frozen=True)
class Counted:
    """A price that depends on a counter: the most that it is, and the potential with the lowest sum."""

    indexed: Indexed
    dearest: Expression
    rise: Rise | None


def counted_prices(
    mechanism: Mechanism, analysis: Analysis, profiles: Sequence[Profile]
) -> dict[int, Counted]:
    """The sites whose price depends on a counter and is highest at one end of the loop."""
    found = {}
    for site, indexed in indexed_prices(analysis.site_loops, Scales(mechanism)).items():
        numbers = _Numbers(mechanism, indexed, tuple(profiles))
        dearest = next((end for end in indexed.ends() if numbers.pays(end)), None)
        if dearest is not None:
            found[site] = Counted(indexed, dearest, numbers.lowest(rises(indexed)))
    return found


@dataclass(frozen=True)
class _Numbers:
    """One price at some parameters."""

    mechanism: Mechanism
    indexed: Indexed
    profiles: tuple[Profile, ...]

    def pays(self, amount: Expression) -> bool:
        """Whether the amount, which may depend on the counter, is at least the price at all indices."""
        pairs = [pair for profile in self.profiles for pair in self._pairs(profile, amount)]
        return bool(pairs) and all(price <= paid * NEARLY for price, paid in pairs)

    def lowest(self, candidates: Iterator[Rise]) -> Rise | None:
        """Of the potentials that pay, the one with the lowest sum where the loop is long."""
        found: dict[float, Rise] = {}
        for rise in candidates:
            step = build.arithmetic(Operator.MULTIPLY, rise.weight, rise.potential.step())
            total = build.arithmetic(Operator.MULTIPLY, rise.weight, rise.potential.bound())
            if self.pays(step):
                found.setdefault(float(public_value(self.mechanism, total, self.profiles[0])), rise)
        return found[min(found)] if found else None

    def _pairs(self, profile: Profile, amount: Expression) -> Iterator[tuple[float, float]]:
        run = public_run(profile, lengths_of(self.mechanism, profile.length))
        try:
            count = int(compile_expression(self.indexed.count)(run))
            for index in range(min(count, MOST_INDICES)):
                run.values[self.indexed.counter.name] = index
                price, paid = (compile_expression(item)(run) for item in (self.indexed.price, amount))
                yield float(price), float(paid)
        except Aborted:
            return


def indexed_plans(
    costs: Costs,
    classes: Sequence[CostClass],
    units: Mapping[CaseKey, Unit],
    counted: Mapping[int, Counted],
) -> Iterator[Plan]:
    """As counting, each use at the highest price; or by potentials, if that is lower in the tests."""
    plans = list(counting_plans(costs, classes))
    rising = list(_rising(costs, classes, units, counted))
    if rising:
        lowest = _value(costs, aware(rising[0], counted))
        dearer = (_value(costs, aware(plan, counted)) > lowest for plan in plans)
        place = next((number for number, more in enumerate(dearer) if more), len(plans))
        plans[place:place] = rising
    yield from plans


def aware(plan: Plan, counted: Mapping[int, Counted]) -> Plan:
    """The plan, with the sites at which the price depends on a counter."""
    indexed = {site: item.indexed for site, item in counted.items()}
    return replace(plan, accounting=replace(plan.accounting, indexed=indexed))


def _value(costs: Costs, plan: Plan) -> float:
    """What a plan comes to at the parameters with the longest inputs, in nats."""
    reference = max((test.profile for test in costs.tests), key=lambda profile: profile.length)
    values: dict[str, Fraction | int] = {f"len({name})": reference.length for name in costs.sequences()}
    values |= {name: Fraction(value) for name, value in reference.scalars.items()}
    for name, expression in plan.accounting.meant().items():
        values[name] = Fraction(public_value(costs.mechanism, expression, reference))
    try:
        return float(plan.total.value(values))
    except (KeyError, ZeroDivisionError):
        return float("inf")


def _without(item: CostClass, cases: Mapping[CaseKey, Rise]) -> CostClass:
    return replace(item, multiples={case: n for case, n in item.multiples.items() if case not in cases})


def _shown(rise: Rise, unit: Unit) -> Rational:
    """What one use costs, in the words of the program."""
    return rational(rise.indexed.shown) * Rational.number(unit[0]) * rational(unit[1])


def _rising(
    costs: Costs, classes: Sequence[CostClass], units: Mapping[CaseKey, Unit], counted: Mapping[int, Counted]
) -> Iterator[Plan]:
    """Each case at a site with a potential is paid for by that, the others are counted."""
    by_case: dict[CaseKey, Rise] = {}
    for case, (factor, unit) in units.items():
        rise = counted[case[0]].rise if case[0] in counted else None
        if rise is not None:
            distance = build.arithmetic(Operator.MULTIPLY, Constant(factor, Sort.REAL), unit)
            weight = build.arithmetic(Operator.MULTIPLY, rise.weight, distance)
            by_case[case] = replace(rise, weight=weight)
    if not by_case:
        return
    rest = [_without(item, by_case) for item in classes]
    named = {case: f"cost#{len(classes) + place}" for place, case in enumerate(sorted(by_case))}
    for plan in counting_plans(costs, [item for item in rest if item.multiples]):
        accounts = {case: Account(named[case], rise) for case, rise in by_case.items()}
        total, weights = plan.total, dict(plan.weights)
        for case, rise in by_case.items():
            total = total + rational(rise.weight) * rational(rise.potential.bound())
            weights[case] = _shown(rise, units[case])
        accounting = replace(
            plan.accounting,
            accounts={**plan.accounting.accounts, **accounts},
            rises={named[case]: rise for case, rise in by_case.items()},
        )
        yield replace(plan, accounting=accounting, total=total, weights=weights)
