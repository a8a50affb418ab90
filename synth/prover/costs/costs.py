"""From what the tests paid to a bound: classes of payments, counts per class, candidate bounds.

One use of a case costs weight = factor·unit·rate nats, where the rate of noise is 1 / scale.  Weights
that are rational multiples of each other form a class and share one ghost counter, in units of their
common measure; so a limit that several sites have in common is seen.  How far a counter can go is
guessed from the tests, as a linear expression in the integer parameters and lengths, and proved
afterwards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import ceil, gcd

from synth.bounds.rational import Rational
from synth.bounds.scales import Scales, rational, square
from synth.prover.costs.cases import CaseKey
from synth.prover.testing.interpreter import Aborted, Number
from synth.prover.testing.valuations import Valuation, public_value
from synth.support.floats import estimate
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions
from synth.trusted.program.symbols import Cost

Unit = tuple[Fraction, ir.Expression]


@dataclass(frozen=True)
class CasePayment:
    """What one test paid by one case of a site: the distance that the noise was moved, and what that cost.

    The distance counts as one that was moved before if it has faded since; ``moved`` is its own, and
    ``nats`` the price of that.
    """

    case: CaseKey
    distance: Fraction
    moved: Fraction
    nats: float


@dataclass(frozen=True)
class TrialCost:
    """All payments of one test."""

    valuation: Valuation
    payments: tuple[CasePayment, ...]


@dataclass(frozen=True)
class CostClass:
    """A ghost counter: per case its multiple, and what one unit of the counter costs, in nats.

    ``dynamic`` counters add up distances instead of counting, or the parts of the square of an l2 distance
    that entries of the sequence ``shared`` have.
    """

    ghost: Cost
    weight: Rational
    multiples: Mapping[CaseKey, int]
    dynamic: bool = False
    shared: str | None = None


@dataclass(frozen=True)
class Linear:
    """A linear expression with integer coefficients over parameters, a candidate bound."""

    constant: int
    terms: tuple[tuple[int, ir.Expression], ...]

    def rational(self) -> Rational:
        total = Rational.number(self.constant)
        for factor, expression in self.terms:
            total = total + Rational.number(factor) * rational(expression)
        return total

    def expression(self, sort: ir.Sort) -> ir.Expression:
        """As an expression of the program, of that sort."""
        parts: list[ir.Expression] = []
        for factor, term in self.terms:
            widened = _widened(term, sort)
            scaled = ir.Operation(ir.Operator.MULTIPLY, (ir.Constant(factor, sort), widened), sort)
            parts.append(widened if factor == 1 else scaled)
        if self.constant or not parts:
            parts.append(ir.Constant(self.constant, sort))
        return parts[0] if len(parts) == 1 else ir.Operation(ir.Operator.ADD, tuple(parts), sort)


def _factors(expression: ir.Expression) -> Iterator[ir.Constant]:
    """The numbers that the parts of a product or quotient are multiplied with."""
    match expression:
        case ir.Operation(ir.Operator.DIVIDE, (_, ir.Constant(value=value, sort=sort))) if value:
            yield ir.Constant(1 / Fraction(value), sort)
        case ir.Operation(ir.Operator.MULTIPLY, operands):
            yield from (item for item in operands if isinstance(item, ir.Constant))
        case _:
            pass


def _widened(term: ir.Expression, sort: ir.Sort) -> ir.Expression:
    return ir.Operation(ir.Operator.TO_REAL, (term,), sort) if term.sort is not sort else term


@dataclass(frozen=True)
class Costs:
    """Turns the payments of a strategy's tests into classes and candidate bounds."""

    mechanism: ir.Mechanism
    scales: Scales
    units: tuple[ir.Expression, ...]
    tests: Sequence[TrialCost]

    def unit(self, case: CaseKey) -> Unit | None:
        """The smallest factor·unit that no observed distance of the case exceeds; None if all are 0."""
        fits = self._fits(case)
        return min(fits, key=lambda fit: fit[0])[1] if fits else None

    def wider_unit(self, case: CaseKey) -> Unit | None:
        """The next larger one, where tests didn't meet the largest distance; if there is none, the same.

        Of scores it is twice as much at the most: two of them may change by that much in opposite ways.
        """
        fits = self._fits(case)
        fits += [
            (total * ceil(factor) / factor, (Fraction(ceil(factor)), unit))
            for total, (factor, unit) in fits
            if factor
        ]
        least = min((total for total, _ in fits), default=Fraction(0))
        wider = [fit for fit in fits if fit[0] > least]
        if not wider and case[0] in self._scored:
            wider = [(2 * total, (2 * factor, unit)) for total, (factor, unit) in fits if factor]
        return min(wider, key=lambda fit: fit[0])[1] if wider else self.unit(case)

    def calibrated_unit(self, case: CaseKey) -> Unit | None:
        """The smallest one of what the program's scales are made of and clips to; if there is none, any."""
        own = {*self.scales.calibrations(), *self.scales.widths()}
        fits = [fit for fit in self._fits(case) if fit[1][1] in own]
        return min(fits, key=lambda fit: fit[0])[1] if fits else self.unit(case)

    def _fits(self, case: CaseKey) -> list[tuple[Fraction, Unit]]:
        """What each unit has to be multiplied by, and what that comes to in all tests."""
        seen = [
            (test.valuation, paid.distance)
            for test in self.tests
            for paid in test.payments
            if paid.case == case
        ]
        fits = [self._fit(unit, seen) for unit in self._unit_sums()] if seen else []
        return [fit for fit in fits if fit is not None]

    def _value(self, expression: ir.Expression, valuation: Valuation) -> Number:
        return public_value(self.mechanism, expression, valuation)

    def _unit_sums(self) -> Iterator[ir.Expression]:
        """Units, the number 1 (counts change by 1, whatever the entries do), and sums of two units."""
        yield from dict.fromkeys((*self.units, ir.Constant(Fraction(1), ir.Sort.REAL)))
        for place, first in enumerate(self.units):
            for second in self.units[place + 1 :]:
                yield ir.Operation(ir.Operator.ADD, (first, second), ir.Sort.REAL)

    def _fit(
        self, unit: ir.Expression, seen: list[tuple[Valuation, Fraction]]
    ) -> tuple[Fraction, Unit] | None:
        factor = Fraction(0)
        values: dict[int, Fraction] = {}
        for valuation, distance in seen:
            if id(valuation) not in values:
                try:
                    values[id(valuation)] = Fraction(self._value(unit, valuation))
                except Aborted:
                    return None
            value = values[id(valuation)]
            if value < 0 or value == 0 < distance:
                return None
            if distance:
                factor = max(factor, distance / value)
        if factor.denominator not in self._denominators:
            factor = Fraction(ceil(factor * 2), 2)
        total = sum((factor * value for value in values.values()), Fraction(0))
        return total, (factor, unit)

    @cached_property
    def _scored(self) -> frozenset[int]:
        """The draws by weights."""
        return frozenset(
            item.site
            for item in ir.statements(self.mechanism.body)
            if isinstance(item, ir.Choose) and isinstance(item.law, ir.Weights)
        )

    @cached_property
    def _denominators(self) -> frozenset[int]:
        """What the program divides by: distances may be such parts of a unit."""
        return frozenset(
            Fraction(item.value).denominator
            for statement in ir.statements(self.mechanism.body)
            for whole in expressions(statement)
            for part in ir.subexpressions(whole)
            for item in _factors(part)
        )

    def classes(
        self, units: Mapping[CaseKey, Unit], rates: Mapping[CaseKey, Rational], first: int = 0
    ) -> list[CostClass]:
        """Cases grouped by commensurable weights; the first counter has that number."""
        return _grouped(_most(units, rates), first)

    def square_classes(
        self,
        units: Mapping[CaseKey, Unit],
        rates: Mapping[CaseKey, Rational],
        opaque_definitions: Mapping[str, ir.Expression],
        first: int,
    ) -> list[CostClass]:
        """Group cases by commensurable squares of weights; ``opaque_definitions`` are their opaque parts."""
        return _grouped(self.squares(units, rates, opaque_definitions), first)

    def squares(
        self,
        units: Mapping[CaseKey, Unit],
        rates: Mapping[CaseKey, Rational],
        opaque_definitions: Mapping[str, ir.Expression],
    ) -> dict[CaseKey, Rational]:
        """Give the squares of weights, (distance/sigma)² of Gaussian noise."""
        return {case: square(weight, opaque_definitions) for case, weight in _most(units, rates).items()}

    def dynamic_classes(self, cases: Sequence[CaseKey], rates: Mapping[CaseKey, Rational]) -> list[CostClass]:
        """Cases grouped by rate, for costs that are summed up as they come."""
        groups: dict[Rational, dict[CaseKey, int]] = defaultdict(dict)
        for case in cases:
            groups[rates[case]][case] = 1
        return [
            CostClass(Cost(place), rate, members, dynamic=True)
            for place, (rate, members) in enumerate(groups.items())
        ]

    def observed(self, item: CostClass) -> dict[int, tuple[Valuation, Fraction]]:
        """Per valuation, the highest count that a test reached."""
        highest: dict[int, tuple[Valuation, Fraction]] = {}
        for test in self.tests:
            total = sum(
                (
                    paid.moved if item.dynamic else Fraction(item.multiples[paid.case])
                    for paid in test.payments
                    if paid.case in item.multiples
                ),
                Fraction(0),
            )
            known = highest.get(id(test.valuation))
            if known is None or total > known[1]:
                highest[id(test.valuation)] = (test.valuation, total)
        return highest

    def sequences(self) -> list[str]:
        """The sequences among the parameters."""
        return [item.name for item in self.mechanism.parameters if item.kind is ir.ParameterKind.SEQUENCE]

    def candidates(self, item: CostClass) -> list[Linear]:
        """Bounds that no test exceeds, those that tests with long inputs reach first, then the lowest."""
        if item.shared is not None:
            return [Linear(1, ())]
        highest = list(self.observed(item).values())
        atoms = [*self.scales.integers(), *(self.units if item.dynamic else ())]
        atoms = [atom for atom in atoms if not isinstance(atom, ir.Constant)]
        free = {id(valuation) for valuation, _ in highest if self._costs_nothing(item, valuation)}
        paying = [entry for entry in highest if id(entry[0]) not in free]
        found = {linear: self._rank(linear, paying) for linear in self._fitting(highest, atoms)}
        first, *others = sorted(found, key=lambda linear: found[linear])[:12]
        flagged = sorted(self._of_flags(highest, atoms), key=lambda linear: self._rank(linear, highest))
        return list(dict.fromkeys((first, *flagged, *others)))

    def _of_flags(
        self, highest: list[tuple[Valuation, Fraction]], atoms: list[ir.Expression]
    ) -> Iterator[Linear]:
        """What all flags that may differ would cost, if fewer did in the tests."""
        top = max((value for _, value in highest), default=Fraction(0))
        numbers, expressions = self._flagged()
        for bound in expressions:
            limits = [Fraction(self._value(bound, valuation)) for valuation, _ in highest]
            if all(value <= limit for (_, value), limit in zip(highest, limits, strict=True)):
                yield Linear(0, ((1, bound),))
        for most in numbers:
            yield from (Linear(ceil(top * most / seen), ()) for seen in range(min(most, 6) - 1, 0, -1))
            for atom in atoms:
                reached = [most * Fraction(self._value(atom, valuation)) for valuation, _ in highest]
                if all(value <= limit for (_, value), limit in zip(highest, reached, strict=True)):
                    yield Linear(0, ((most, atom),))

    def _flagged(self) -> tuple[list[int], list[ir.Expression]]:
        """How many flags of a sequence may differ: numbers, and integers that parameters make."""
        numbers: set[int] = set()
        expressions: dict[ir.Expression, None] = {}
        for item in self.mechanism.parameters:
            if item.sort is ir.Sort.BOOL and item.metric is not None and item.metric.kind is ir.MetricKind.L1:
                match item.metric.bound:
                    case ir.Constant(value=value):
                        numbers.add(int(value))
                    case ir.Operation(ir.Operator.TO_REAL, (bound,)):
                        expressions[bound] = None
        return sorted(numbers), list(expressions)

    def _costs_nothing(self, item: CostClass, valuation: Valuation) -> bool:
        """Whether a payment is free at a valuation, as where the inputs' distance is 0: then none is seen."""
        values = {name: Fraction(value) for name, value in valuation.scalars.items()}
        try:
            return item.weight.value(values) == 0
        except (KeyError, ZeroDivisionError):
            return False

    def _rank(self, linear: Linear, highest: list[tuple[Valuation, Fraction]]) -> tuple[float, int, int]:
        longest = [(valuation, value) for valuation, value in highest if valuation.length >= 10]
        gap = sum(
            (Fraction(self._value(linear.expression(ir.Sort.REAL), valuation)) - value)
            for valuation, value in longest
        )
        return estimate(gap), self._size(linear), len(linear.terms)

    def _size(self, linear: Linear) -> int:
        return linear.constant + sum(
            factor * (1000 if type(term).__name__ == "Length" else 20) for factor, term in linear.terms
        )

    def _fitting(
        self, highest: list[tuple[Valuation, Fraction]], atoms: list[ir.Expression]
    ) -> Iterator[Linear]:
        top = ceil(max((value for _, value in highest), default=Fraction(0)))
        yield Linear(top, ())
        values = [[Fraction(self._value(atom, valuation)) for valuation, _ in highest] for atom in atoms]
        for place, atom in enumerate(atoms):
            for constant in range(-2, min(top, 12) + 1):
                rest = [value - constant for _, value in highest]
                factor = _least_factor(values[place], rest)
                if factor is not None and factor > 0:
                    yield Linear(constant, ((factor, atom),))
        for (first, one), (second, two) in product(enumerate(atoms), repeat=2):
            if first == second:
                continue
            for factor in (1, 2, 3):
                for constant in (0, 1):
                    rest = [
                        value - constant - factor * values[first][number]
                        for number, (_, value) in enumerate(highest)
                    ]
                    other = _least_factor(values[second], rest)
                    if other is not None and other > 0:
                        pair = sorted(((factor, one), (other, two)), key=lambda item: repr(item[1]))
                        yield Linear(constant, tuple(pair))


def _least_factor(values: list[Fraction], needed: list[Fraction]) -> int | None:
    factor = 0
    for value, need in zip(values, needed, strict=True):
        if need <= 0 and value >= 0:
            continue
        if value <= 0:
            return None
        factor = max(factor, ceil(need / value))
    return factor


def _most(units: Mapping[CaseKey, Unit], rates: Mapping[CaseKey, Rational]) -> dict[CaseKey, Rational]:
    """What one use of a case costs at the most."""
    return {
        case: Rational.number(factor) * rational(unit) * rates[case]
        for case, (factor, unit) in sorted(units.items(), key=lambda item: item[0])
    }


def _grouped(weights: Mapping[CaseKey, Rational], first: int) -> list[CostClass]:
    """One counter for weights that are rational multiples of each other; the first has that number."""
    groups: list[list[tuple[CaseKey, Rational]]] = []
    for case, weight in weights.items():
        for group in groups:
            ratio = (weight / group[0][1]).constant_value()
            if ratio is not None:
                group.append((case, weight))
                break
        else:
            groups.append([(case, weight)])
    return [_commensurable(Cost(first + place), group) for place, group in enumerate(groups)]


def _commensurable(ghost: Cost, group: list[tuple[CaseKey, Rational]]) -> CostClass:
    """One counter for weights that are rational multiples of each other."""
    first = group[0][1]
    ratios = [(case, (weight / first).constant_value() or Fraction(0)) for case, weight in group]
    denominator = 1
    for _, ratio in ratios:
        denominator = denominator * ratio.denominator // gcd(denominator, ratio.denominator)
    measure = gcd(*(int(ratio * denominator) for _, ratio in ratios))
    multiples = {case: int(ratio * denominator) // measure for case, ratio in ratios}
    return CostClass(ghost, first * Rational.number(Fraction(measure, denominator)), multiples)
