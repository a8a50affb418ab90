"""Intervals that noise may be drawn from: between two thresholds that move towards each other.

Two noisy thresholds are moved apart from each other's side, so that what is below or above stays so for
free.  What is between them must then be mapped onto less (Bun, Steinke & Ullman 2017, *Make up your mind*).
How wide that is at the least is known where the tails of the thresholds' noise are given up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain, permutations

from synth.couplings.scales import NotConstant, Scales, rational
from synth.couplings.strategy import Interval, Tail
from synth.language import build
from synth.language.analysis import Analysis, expressions, names
from synth.language.syntax import (
    Assign,
    Choose,
    Constant,
    Draw,
    Expression,
    Mechanism,
    Operation,
    Operator,
    Sort,
    Variable,
    statements,
    subexpressions,
)
from synth.search.interpreter import Aborted
from synth.search.profiles import Profile, public_value
from synth.search.recording import Places

MOST_THRESHOLDS = 6
_ORDERS = (Operator.LESS, Operator.LESS_EQUAL)
_ONE = Constant(Fraction(1), Sort.REAL)


@dataclass(frozen=True)
class Sum:
    """A number as a sum of multiples of expressions; of 1 for its constant."""

    terms: Mapping[Expression, Fraction]

    def plus(self, other: Sum, factor: Fraction | int = 1) -> Sum:
        """The sum with a multiple of another one."""
        total = dict(self.terms)
        for part, times in other.terms.items():
            total[part] = total.get(part, Fraction(0)) + factor * times
        return Sum({part: times for part, times in total.items() if times})

    def expression(self, sort: Sort) -> Expression:
        """As an expression of that sort; positive parts first."""
        total: Expression = build.zero(sort)
        for part, times in sorted(self.terms.items(), key=lambda item: item[1] < 0):
            number = Constant(Fraction(1), Sort.REAL) if part == _ONE else build.convert(part, sort)
            size = abs(times)
            if part == _ONE:
                number = Constant(int(size) if sort is Sort.INT else size, sort)
            elif size != 1:
                exact = Constant(int(size) if sort is Sort.INT else size, sort)
                number = build.arithmetic(Operator.MULTIPLY, exact, number)
            total = build.add(total, number) if times > 0 else build.subtract(total, number)
        return total


@dataclass(frozen=True)
class Between:
    """The interval between two thresholds of a site.

    Its width is ``fixed``, over public parameters, and multiples of the draws in ``noise``, by their sites.
    """

    site: int
    low: Expression
    high: Expression
    fixed: Sum
    noise: tuple[tuple[int, Fraction], ...]

    def interval(self, tails: Mapping[int, Tail]) -> Interval | None:
        """With the width that tails leave; None where they say nothing of some noise."""
        least = self.fixed
        for site, times in self.noise:
            tail = tails.get(site)
            if tail is None or (times > 0 and not tail.both):
                return None
            least = least.plus(Sum({tail.limit: abs(times)}), -1)
        return Interval(self.low, self.high, least.expression(Sort.REAL))


@dataclass(frozen=True)
class Intervals:
    """The intervals of one mechanism whose widths depend on noise."""

    mechanism: Mechanism
    analysis: Analysis
    profiles: Sequence[Profile]

    def places(self) -> Places:
        """Where noise is worth drawing: at the ends of intervals, and thresholds' near their centres."""
        found: dict[int, dict[Expression, None]] = {}
        for item in self._all:
            found.setdefault(item.site, {}).update(dict.fromkeys((item.low, item.high)))
        marks = {site: list(ends) for site, ends in found.items()}
        return Places.of(marks, frozenset(site for item in self._all for site, _ in item.noise))

    def offered(self, tails: Mapping[int, Tail]) -> dict[int, list[Interval]]:
        """By sampling site, those whose width is known where these tails are given up."""
        found: dict[int, list[Interval]] = {}
        for item in self._all:
            interval = item.interval(tails)
            if interval is not None and self._is_wide(interval):
                found.setdefault(item.site, []).append(interval)
        return found

    def tails(self) -> Iterator[dict[int, Tail]]:
        """Tails that make widths known: the narrowest ones that the claimed delta pays for."""
        delta = self.mechanism.delta
        if delta is None:
            return
        found: list[dict[int, Tail]] = []
        for spare in (1, 2):
            for item in self._all:
                tails = {
                    site: Tail(self._limit(site, times > 0, delta, len(item.noise), spare), times > 0)
                    for site, times in item.noise
                }
                interval = item.interval(tails)
                if interval is not None and self._is_wide(interval) and tails not in found:
                    found.append(tails)
        yield from found

    def _is_wide(self, interval: Interval) -> bool:
        """Whether it has a width at all parameters of the tests."""
        try:
            return all(public_value(self.mechanism, interval.gap, item) > 0 for item in self.profiles)
        except Aborted:
            return False

    def _limit(self, site: int, both: bool, delta: Expression, uses: int, spare: int) -> Expression:
        """What the noise exceeds with the probability delta/uses, or that divided by ``spare``."""
        draw = self.analysis.sites[site]
        assert isinstance(draw, Draw)
        scale = Scales(self.mechanism).resolve(draw.arguments[1], draw.span)
        mass = Fraction(uses * spare, 1 if both or draw.sort is Sort.INT else 2)
        if both and draw.sort is Sort.INT:
            mass *= 2
        chance = build.divide(Constant(mass, Sort.REAL), build.convert(delta, Sort.REAL))
        logarithm = Operation(Operator.LOGARITHM, (chance,), Sort.REAL)
        return build.arithmetic(Operator.MULTIPLY, build.convert(scale, Sort.REAL), logarithm)

    @cached_property
    def _all(self) -> list[Between]:
        return list(self._pairs())

    def _pairs(self) -> Iterator[Between]:
        """All pairs of thresholds that a draw is compared with and whose distance depends on noise."""
        delta = self.mechanism.delta
        if delta is None or rational(delta).is_zero():
            return
        for draw in self.analysis.sites.values():
            if isinstance(draw, Draw) and draw.distribution == "laplace":
                ends = list(self._thresholds(draw))[:MOST_THRESHOLDS]
                for (low, _), (_, high) in permutations(ends, 2):
                    found = self._between(draw, low, high)
                    if found is not None:
                        yield found

    def _between(self, draw: Draw, low: Expression, high: Expression) -> Between | None:
        width = self._sum(high, self._definitions).plus(self._sum(low, self._definitions), -1)
        if draw.sort is Sort.INT:
            width = width.plus(Sum({_ONE: Fraction(1)}))
        noise: dict[int, Fraction] = {}
        fixed = Sum({})
        for part, times in width.terms.items():
            source = self._drawn_once(part)
            if source is None:
                fixed = fixed.plus(Sum({part: times}))
                continue
            center = self._sum(source.arguments[0], self._definitions)
            fixed = fixed.plus(center, times)
            noise[source.site] = times
        if not noise or not all(self._is_public(part) for part in fixed.terms):
            return None
        return Between(draw.site, low, high, fixed, tuple(sorted(noise.items())))

    def _is_public(self, part: Expression) -> bool:
        try:
            return Scales(self.mechanism).resolve(part, self.mechanism.span) == part
        except NotConstant:
            return False

    @cached_property
    def _definitions(self) -> Mapping[str, Expression]:
        return Scales(self.mechanism).definitions

    def _drawn_once(self, part: Expression) -> Draw | None:
        """The draw outside of loops that a variable holds."""
        match part:
            case Variable(name=name) | Operation(operator=Operator.TO_REAL, operands=(Variable(name=name),)):
                pass
            case _:
                return None
        sources = [
            item
            for item in statements(self.mechanism.body)
            if isinstance(item, Assign | Draw | Choose) and item.target == name
        ]
        match sources:
            case [Draw(distribution="laplace", site=site) as draw] if not self.analysis.site_loops[site]:
                return draw
            case _:
                return None

    # --- thresholds -------------------------------------------------------------------------

    def _thresholds(self, draw: Draw) -> Iterator[tuple[Expression, Expression]]:
        """What the draw is compared with: the lower end of what is above, the upper end of what is below."""
        derived = self._derived(draw)
        known = self._known(draw)
        seen = set()
        for statement in statements(self.mechanism.body):
            for whole in expressions(statement):
                for part in chain.from_iterable(map(_compared, subexpressions(whole))):
                    found = self._threshold(part, draw, derived)
                    if found is not None and names(found[0]) <= known and found not in seen:
                        seen.add(found)
                        yield found

    def _threshold(
        self, part: Operation, draw: Draw, derived: Mapping[str, Expression]
    ) -> tuple[Expression, Expression] | None:
        if not names(part) & {draw.target, *derived}:
            return None
        left, right = (self._sum(item, derived) for item in part.operands)
        difference = left.plus(right, -1)
        drawn: Expression = Variable(draw.target, draw.sort)
        drawn = drawn if drawn in difference.terms else build.convert(drawn, Sort.REAL)
        times = difference.terms.get(drawn)
        if times is None or (draw.sort is Sort.INT and abs(times) != 1):
            return None
        rest = difference.plus(Sum({drawn: times}), -1)
        if draw.target in {name for item in rest.terms for name in names(item)}:
            return None
        place = Sum({}).plus(rest, -1 / times)
        if draw.sort is Sort.REAL:
            return (place.expression(Sort.REAL),) * 2
        if any(item.sort is Sort.REAL and item != _ONE for item in place.terms) or any(
            factor.denominator != 1 for factor in place.terms.values()
        ):
            return None
        # y < t and not (y <= t) part the integers at t - 1 and t, y <= t and not (y < t) at t and t + 1.
        below = (part.operator is Operator.LESS) == (times > 0)
        step = Sum({_ONE: Fraction(1)})
        low, high = (place, place.plus(step, -1)) if below else (place.plus(step), place)
        return low.expression(Sort.INT), high.expression(Sort.INT)

    def _derived(self, draw: Draw) -> dict[str, Expression]:
        """Variables that are assigned once, and from the draw."""
        found: dict[str, Expression] = {}
        while True:
            more = {
                name: value
                for name, value in self._definitions.items()
                if name not in found and names(value) & {draw.target, *found}
            }
            if not more:
                return found
            found |= more

    def _known(self, draw: Draw) -> set[str]:
        """What has a value before the draw."""
        known = {item.name for item in self.mechanism.parameters}
        for statement in statements(self.mechanism.body):
            if statement is draw:
                break
            if isinstance(statement, Assign | Draw | Choose):
                known.add(statement.target)
        return known

    def _sum(self, expression: Expression, meant: Mapping[str, Expression]) -> Sum:
        """An expression as a sum, with what variables mean in their place."""
        match expression:
            case Constant(value=value) if not isinstance(value, bool):
                return Sum({_ONE: Fraction(value)} if value else {})
            case Variable(name=name) if name in meant:
                rest = {other: value for other, value in meant.items() if other != name}
                return self._sum(meant[name], rest)
            case Operation(operator=Operator.TO_REAL, operands=(inner,)):
                terms = self._sum(inner, meant).terms
                return Sum(
                    {part if part == _ONE else build.convert(part, Sort.REAL): x for part, x in terms.items()}
                )
            case Operation(operator=Operator.NEGATE, operands=(inner,)):
                return Sum({}).plus(self._sum(inner, meant), -1)
            case Operation(operator=Operator.ADD, operands=operands):
                total = Sum({})
                for item in operands:
                    total = total.plus(self._sum(item, meant))
                return total
            case Operation(operator=Operator.SUBTRACT, operands=(left, right)):
                return self._sum(left, meant).plus(self._sum(right, meant), -1)
            case (
                Operation(operator=Operator.MULTIPLY, operands=(Constant(value=value), inner))
                | Operation(operator=Operator.MULTIPLY, operands=(inner, Constant(value=value)))
            ):
                return Sum({}).plus(self._sum(inner, meant), Fraction(value))
            case Operation(operator=Operator.DIVIDE, operands=(inner, Constant(value=value))) if value:
                return Sum({}).plus(self._sum(inner, meant), 1 / Fraction(value))
            case _:
                return Sum({expression: Fraction(1)})


def _compared(part: Expression) -> Iterator[Operation]:
    """A comparison, for both signs of what stands in an absolute value."""
    if not isinstance(part, Operation) or part.operator not in _ORDERS:
        return
    for place, side in enumerate(part.operands):
        if isinstance(side, Operation) and side.operator is Operator.ABSOLUTE:
            for signed in (side.operands[0], build.opposite(side.operands[0])):
                operands = (*part.operands[:place], signed, *part.operands[place + 1 :])
                yield from _compared(replace(part, operands=operands))
            return
    yield part
