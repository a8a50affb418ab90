"""Intervals that noise may be drawn from: between two thresholds that move towards each other.

Two noisy thresholds are moved apart from each other's side, so that what is below or above stays so for
free.  What is between them must then be mapped onto less (Bun, Steinke & Ullman 2017, *Make up your mind*).
How wide that is at the least is known where the tails of the thresholds' noise are given up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations

from synth.bounds.scales import NotConstant, Scales, rational
from synth.prover.product.strategy import Interval, Tail
from synth.prover.search.sums import ONE, Sum, sum_of
from synth.prover.search.thresholds import thresholds
from synth.prover.testing.interpreter import Aborted
from synth.prover.testing.recording import Places
from synth.prover.testing.valuations import Valuation, public_value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis

MAX_THRESHOLDS = 6


@dataclass(frozen=True)
class Between:
    """The interval between two thresholds of a site.

    Its width is ``fixed``, over public parameters, and multiples of the draws in ``noise``, by their sites.
    """

    site: int
    low: ir.Expression
    high: ir.Expression
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
        return Interval(self.low, self.high, least.expression(ir.Sort.REAL))


@dataclass(frozen=True)
class Intervals:
    """The intervals of one mechanism whose widths depend on noise."""

    mechanism: ir.Mechanism
    analysis: Analysis
    valuations: Sequence[Valuation]

    def places(self) -> Places:
        """Where noise is worth drawing: at the ends of intervals, and thresholds' near their centres."""
        found: dict[int, dict[ir.Expression, None]] = {}
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
        for divisor in (1, 2):
            for item in self._all:
                tails = {
                    site: Tail(self._limit(site, times > 0, delta, len(item.noise), divisor), times > 0)
                    for site, times in item.noise
                }
                interval = item.interval(tails)
                if interval is not None and self._is_wide(interval) and tails not in found:
                    found.append(tails)
        yield from found

    def _is_wide(self, interval: Interval) -> bool:
        """Whether it has a width at all parameters of the tests."""
        try:
            return all(public_value(self.mechanism, interval.gap, item) > 0 for item in self.valuations)
        except Aborted:
            return False

    def _limit(self, site: int, both: bool, delta: ir.Expression, uses: int, divisor: int) -> ir.Expression:
        """What the noise exceeds with the probability delta/uses, or that divided by ``divisor``."""
        draw = self.analysis.sites[site]
        assert isinstance(draw, ir.Draw)
        scale = self._scale(draw)
        assert scale is not None
        mass = Fraction(uses * divisor, 1 if both or draw.sort is ir.Sort.INT else 2)
        if both and draw.sort is ir.Sort.INT:
            mass *= 2
        chance = builders.divide(ir.Constant(mass, ir.Sort.REAL), builders.convert(delta, ir.Sort.REAL))
        logarithm = ir.Operation(ir.Operator.LOGARITHM, (chance,), ir.Sort.REAL)
        return builders.arithmetic(ir.Operator.MULTIPLY, scale, logarithm)

    @cached_property
    def _all(self) -> list[Between]:
        return list(self._pairs())

    def _pairs(self) -> Iterator[Between]:
        """All pairs of thresholds that a draw is compared with and whose distance depends on noise."""
        delta = self.mechanism.delta
        if delta is None or rational(delta).is_zero():
            return
        for draw in self.analysis.sites.values():
            if isinstance(draw, ir.Draw) and draw.distribution == "laplace":
                ends = list(thresholds(self.mechanism, draw))[:MAX_THRESHOLDS]
                for (low, _), (_, high) in permutations(ends, 2):
                    found = self._between(draw, low, high)
                    if found is not None:
                        yield found

    def _between(self, draw: ir.Draw, low: ir.Expression, high: ir.Expression) -> Between | None:
        width = sum_of(high, self._definitions).plus(sum_of(low, self._definitions), -1)
        if draw.sort is ir.Sort.INT:
            width = width.plus(Sum({ONE: Fraction(1)}))
        noise: dict[int, Fraction] = {}
        fixed = Sum({})
        for part, times in width.terms.items():
            source = self._drawn_once(part)
            if source is None:
                fixed = fixed.plus(Sum({part: times}))
                continue
            center = sum_of(source.arguments[0], self._definitions)
            fixed = fixed.plus(center, times)
            noise[source.site] = noise.get(source.site, Fraction(0)) + times
        if not noise or not all(self._is_public(part) for part in fixed.terms):
            return None
        return Between(draw.site, low, high, fixed, tuple(sorted(noise.items())))

    def _is_public(self, part: ir.Expression) -> bool:
        try:
            return Scales(self.mechanism).resolve(part, self.mechanism.span) == part
        except NotConstant:
            return False

    @cached_property
    def _definitions(self) -> Mapping[str, ir.Expression]:
        return Scales(self.mechanism).definitions

    def _drawn_once(self, part: ir.Expression) -> ir.Draw | None:
        """The draw outside of loops that a variable holds."""
        match part:
            case (
                ir.Variable(name=name)
                | ir.Operation(operator=ir.Operator.TO_REAL, operands=(ir.Variable(name=name),))
            ):
                pass
            case _:
                return None
        sources = [
            item
            for item in ir.statements(self.mechanism.body)
            if isinstance(item, ir.Assign | ir.Draw | ir.Choose) and item.target == name
        ]
        match sources:
            case [ir.Draw(distribution="laplace", site=site) as draw] if not self.analysis.site_loops[site]:
                return draw if self._scale(draw) is not None else None
            case _:
                return None

    def _scale(self, draw: ir.Draw) -> ir.Expression | None:
        """The scale over public parameters, as a real; None if it is none."""
        try:
            return builders.convert(
                Scales(self.mechanism).resolve(draw.arguments[1], draw.span), ir.Sort.REAL
            )
        except NotConstant:
            return None
