"""One mechanism that is to be proved as a whole: what is given, and what its text tells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Protocol

from synth.bounds.rational import Rational
from synth.bounds.scales import Scales, rational
from synth.prover.costs.cases import CaseKey, Share
from synth.prover.costs.indexed_prices import Prices, prices
from synth.prover.costs.likelihood_ratios import Pricing, RatioTable
from synth.prover.costs.private_reals import PrivateReals
from synth.prover.costs.ranges import ranges
from synth.prover.normal_form.recording import Rewriting
from synth.prover.obligations.public_facts import PublicFacts
from synth.prover.obligations.single_run import Discharge
from synth.prover.search.shard import Shard
from synth.prover.templates.template import Template
from synth.prover.testing.interpreter import Aborted
from synth.prover.testing.valuations import (
    Valuation,
    lengths_of,
    public_value,
    valuations,
    with_large_budgets,
)
from synth.support.floats import estimate
from synth.trusted.kernel.check import Verdict
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis

MAX_SOLVER_TIMEOUTS = 4
ONCE = (Fraction(1), ir.Constant(Fraction(1), ir.Sort.REAL))
CLOSE = 1e-6
"""Bounds that differ by no more are the same."""

_ONE = ir.Constant(Fraction(1), ir.Sort.REAL)


class Progress(Protocol):
    """Is told of each stage as it begins, and of a ``bound`` that is proved although it misses the claim."""

    def __call__(self, stage: str, bound: Rational | None = None, /) -> None: ...


@dataclass(frozen=True)
class Attempt:
    """A mechanism, and what every search for its proof needs.

    It is the program behind the ``rewriting``, or a part of it.  ``verdict_of`` is what the kernel says of a
    certificate.  A ``part`` of a program doesn't pay for real Gaussian noise, the whole does.  With a
    ``notion`` nobody does: its squares are what is to be bounded, for zCDP those of all noise with two sides.
    ``timeouts`` names the problems on which solvers gave up.  Strategies of its ``shard`` are tried only.
    Tests have ``lasting`` budgets where they don't reach all draws with small ones.
    """

    mechanism: ir.Mechanism
    rewriting: Rewriting
    templates: Mapping[str, Template]
    facts: PublicFacts
    safety: Discharge
    verdict_of: Callable[[str], Verdict]
    progress: Progress
    part: bool = False
    notion: ir.Notion | None = None
    timeouts: list[str] = field(default_factory=list)
    shard: Shard = field(default_factory=Shard)
    lasting: bool = False

    @cached_property
    def analysis(self) -> Analysis:
        """What the program's text tells."""
        return Analysis(self.mechanism)

    @cached_property
    def ratios(self) -> Mapping[int, RatioTable]:
        """Per draw with known chances, what its pairs of outcomes cost."""
        draws = [item for item in ir.statements(self.mechanism.body) if isinstance(item, ir.Choose)]
        likely = [] if self.mechanism.epsilon is None else [self.mechanism.epsilon]
        reals = PrivateReals(self.mechanism, self.facts.holds)
        known = ranges(self.mechanism)
        pricing = Pricing(Scales(self.mechanism), self.facts.at_most, known, tuple(likely), reals)
        return {
            item.site: pricing.ratios(item, item.law) for item in draws if isinstance(item.law, ir.Chances)
        }

    @cached_property
    def prices(self) -> Prices:
        """What draws cost where that depends on what a loop counts, or on sums of weights."""
        return prices(self.mechanism, self.analysis, self.admissible, self.facts.holds)

    @cached_property
    def admissible(self) -> list[Valuation]:
        usual = valuations(self.mechanism)
        return with_large_budgets(self.mechanism, usual) if self.lasting else usual

    @property
    def weary(self) -> bool:
        """Whether solvers gave up so often that no other strategy is tried."""
        return len(self.timeouts) >= MAX_SOLVER_TIMEOUTS

    def price(self, case: CaseKey) -> ir.Expression:
        """What a unit of distance costs at a case, in nats, over public parameters.  Raises NotConstant."""
        site, scales = self.analysis.sites[case[0]], Scales(self.mechanism)
        number = case[1]
        if number is Share.TAIL:
            return builders.zero(ir.Sort.REAL)
        known = self.prices.of(case)
        if known is not None:
            return known.max_cost
        match site:
            case ir.Choose(law=ir.Weights(rate=rate)):
                return scales.resolve(rate, site.span)
            case ir.Choose():
                assert isinstance(number, int)
                return self.ratios[case[0]].cost(number)
            case ir.Draw(arguments=arguments):
                return builders.divide(_ONE, scales.resolve(arguments[1], site.span))

    def cost_at(
        self, bound: Rational, opaque_definitions: Mapping[str, ir.Expression], reference: Valuation
    ) -> float:
        """A little less than a bound at a valuation."""
        values = {name: Fraction(value) for name, value in reference.scalars.items()}
        lengths = lengths_of(self.mechanism, reference.length)
        values |= {f"len({name})": Fraction(length) for name, length in lengths.items()}
        try:
            for name, part in opaque_definitions.items():
                values[name] = Fraction(public_value(self.mechanism, part, reference))
            return estimate(bound.value(values)) * (1 - CLOSE)
        except (KeyError, ZeroDivisionError, Aborted):
            return float("inf")

    def first_draw(self, sites: Iterable[int]) -> ir.Span:
        """The place of the first of these draws."""
        return min((self.analysis.sites[site].span for site in sites), default=self.mechanism.span)

    def loop_around(self, draw: ir.Span) -> ir.Span:
        """The place of the outermost loop around a draw, or of the draw."""
        around = {
            number
            for site, loops in self.analysis.site_loops.items()
            if self.analysis.sites[site].span == draw
            for number in loops[:1]
        }
        loops = (item for item in ir.statements(self.mechanism.body) if isinstance(item, ir.Loop))
        return next((item.span for item in loops if item.loop in around), draw)


def is_zero(delta: ir.Expression | None) -> bool:
    return delta is None or rational(delta).is_zero()
