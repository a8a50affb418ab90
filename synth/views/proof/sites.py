"""The strategy of a proof as a table: per sampling site, when which coupling is used at what cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from synth.bounds.rational import Rational
from synth.bounds.rational_text import text as rational_text
from synth.bounds.scales import NotConstant, Scales, rational
from synth.prover.costs.cases import CaseKey, Share
from synth.prover.costs.weights import OWN, TOTAL
from synth.prover.product.strategy import Case, Feature, Interval, Strategy
from synth.trusted.program import syntax as ir
from synth.trusted.program.symbols import Event, Upward
from synth.trusted.program.weights import weighed
from synth.views.proof.names import Names
from synth.views.proof.offsets import Offsets
from synth.views.results import Site, SiteCase

Values = frozenset[bool | int]
_Coupling = tuple[str, str, str]

_COMPARISON = {
    frozenset({-1}): "<",
    frozenset({0}): "=",
    frozenset({1}): ">",
    frozenset({-1, 0}): "<=",
    frozenset({0, 1}): ">=",
    frozenset({-1, 1}): "!=",
}
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


SQUARES = "mu**2"
"""What the squares of distance/sigma sum up to, for real Gaussian noise."""


@dataclass(frozen=True)
class _Row:
    """Some cases of a site that are coupled alike: per feature, the values that it may have."""

    values: tuple[Values, ...]
    coupling: _Coupling

    def merged(self, other: _Row) -> _Row | None:
        """Both rows in one, if they differ in one feature only."""
        different = [place for place, value in enumerate(self.values) if value != other.values[place]]
        if self.coupling != other.coupling or len(different) != 1:
            return None
        place = different[0]
        union = self.values[place] | other.values[place]
        return _Row((*self.values[:place], union, *self.values[place + 1 :]), self.coupling)


@dataclass(frozen=True)
class Sites:
    """Writes the table of one proof."""

    names: Names
    strategy: Strategy
    weights: Mapping[CaseKey, Rational]
    masses: Mapping[CaseKey, Rational] = field(default_factory=dict)
    output: str = "the output of run 1"
    squares: frozenset[CaseKey] = frozenset()

    def table(self) -> tuple[Site, ...]:
        """All sampling sites in the order of the program."""
        draws = sorted(self.names.analysis.sites.values(), key=lambda draw: (draw.span, draw.site))
        return tuple(self._site(draw) if isinstance(draw, ir.Draw) else self._choice(draw) for draw in draws)

    def notes(self) -> Iterator[str]:
        """What the names for run 1's coming outputs mean, as far as conditions use them."""
        asked = {
            _kind_and_source(item.feature.event)
            for cases in self.strategy.cases.values()
            for case in cases
            for item in case.conditions
        }
        kinds = {kind for kind, _ in asked}
        if "branch" in kinds:
            yield '"condition true next": so it will be when run 1 comes to that line next'
        if "return" in kinds:
            name = self.names.output
            parts = f"; {name}.0, {name}.1, … are its parts" if self.names.returns_several else ""
            yield f"{name} is {self.output}{parts}"
        for source in sorted(source for kind, source in asked if kind == "append"):
            name = self.names.variable(source)
            yield f"next({name}) is what run 1 appends to {name} next"

    def _site(self, draw: ir.Draw) -> Site:
        cases = self.strategy.cases.get(draw.site, ())
        features = tuple(dict.fromkeys(item.feature for case in cases for item in case.conditions))
        rows = _merged([self._row(draw, number, case, features) for number, case in enumerate(cases)])
        rest = _rest(rows)
        shown = [SiteCase(self._when(features, row), *row.coupling) for row in rows if row.coupling != rest]
        if rest is not None:
            shown.append(SiteCase("otherwise", *rest))
        tail = self.strategy.tails.get(draw.site)
        if tail is not None:
            limit = rational_text(rational(tail.limit), self.names.budgets())
            away = "away from its centre" if tail.both else "above its centre"
            cost = f"(0, {rational_text(self.masses[draw.site, Share.TAIL], self.names.budgets())})"
            shown.append(SiteCase(f"by {limit} or more {away}", "given up", "0", cost))
        return Site(draw.span.line, draw.distribution, self._draw(draw), tuple(shown))

    def _choice(self, draw: ir.Choose) -> Site:
        """Both runs draw the same value; the cases are those in which that costs something."""
        cases = [
            SiteCase(self._pair(draw, case), "equal", "0", rational_text(weight, self.names.budgets()))
            for (site, case), weight in sorted(self.weights.items(), key=lambda item: item[0])
            if site == draw.site and isinstance(case, int)
        ]
        if not cases or isinstance(draw.law, ir.Chances) or weighed(draw.law) is not None:
            when = "otherwise" if cases else "always"
            cases.append(SiteCase(when, "equal", "0", "0"))
        shown = draw.distribution
        if "%" not in draw.target:
            shown = f"{self.names.variable(draw.target)} = {shown}"
        return Site(draw.span.line, draw.distribution, shown, tuple(dict.fromkeys(cases)))

    def _pair(self, draw: ir.Choose, number: int) -> str:
        if isinstance(draw.law, ir.Weights):
            return "always" if weighed(draw.law) is None else _PARTS[number]
        outcomes = draw.law.outcomes
        places = divmod(number, len(outcomes) + 1)
        left, right = (self._chance(outcomes[place][1], draw) for place in places)
        return f"its chance is {left} in run 1 and {right} in run 2"

    def _chance(self, probability: ir.Expression, draw: ir.Choose) -> str:
        try:
            shortened = Scales(self.names.analysis.mechanism).rational(probability, draw.span)
            return rational_text(shortened, self.names.budgets())
        except NotConstant:
            return self.names.expression(probability)

    def _draw(self, draw: ir.Draw) -> str:
        arguments = ", ".join(self.names.expression(item) for item in draw.arguments)
        call = f"{draw.distribution}({arguments})"
        return (
            call if "%" in draw.target.rpartition(".")[2] else f"{self.names.variable(draw.target)} = {call}"
        )

    # --- rows -------------------------------------------------------------------------------

    def _row(self, draw: ir.Draw, number: int, case: Case, features: tuple[Feature, ...]) -> _Row:
        given = {item.feature: item.value for item in case.conditions}
        values = tuple(
            frozenset({given[feature]}) if feature in given else _domain(feature) for feature in features
        )
        return _Row(values, self._coupling(draw, number, case))

    def _coupling(self, draw: ir.Draw, number: int, case: Case) -> _Coupling:
        private = self.names.analysis.tainted(self.strategy.published)
        offsets = Offsets(self.names, private)
        center = draw.arguments[0]
        if isinstance(case.offset, Interval):
            return "interval", self._interval(case.offset), self._interval_cost(draw, number)
        kind = "null" if case.offset.is_null else "shift"
        return kind, offsets.shift(case.offset, center), self._cost(draw, number, case, offsets)

    def _interval(self, interval: Interval) -> str:
        low, high = (self.names.expression(end) for end in (interval.low, interval.high))
        return f"from {low} to {high} in run 1, to the same in run 2"

    def _interval_cost(self, draw: ir.Draw, number: int) -> str:
        """What is paid for moving and for squeezing."""
        keys = (draw.site, number), (draw.site, Share.NARROWED)
        parts = [
            rational_text(self.weights[key], self.names.budgets()) for key in keys if key in self.weights
        ]
        return " + ".join(parts) or "0"

    def _cost(self, draw: ir.Draw, number: int, case: Case, offsets: Offsets) -> str:
        weight = self.weights.get((draw.site, number))
        if weight is None or isinstance(case.offset, Interval) or case.offset.is_null:
            return "0"
        written = rational_text(weight, self.names.budgets())
        if (draw.site, number) in self.squares:
            return f"{written} in {SQUARES}"
        if (draw.site, number) in self.masses:
            return f"({written}, {rational_text(self.masses[draw.site, number], self.names.budgets())})"
        if case.bound is not None:
            return written
        distance = offsets.distance(case.offset, draw.arguments[0])
        return distance if written == "1" else f"{_factor(written)}*{distance}"

    # --- conditions -------------------------------------------------------------------------

    def _when(self, features: tuple[Feature, ...], row: _Row) -> str:
        parts = [
            self._condition(feature, values)
            for feature, values in zip(features, row.values, strict=True)
            if values != _domain(feature)
        ]
        return " and ".join(parts) or "always"

    def _condition(self, feature: Feature, values: Values) -> str:
        event = feature.event
        if feature.expression is None:
            (value,) = values
            return self.names.truth(*_kind_and_source(event), getattr(event, "component", 0), bool(value))
        left = self.names.expression(feature.expression)
        right = self.names.component(*_kind_and_source(event), getattr(event, "component", 0))
        order = _COMPARISON[values]
        if isinstance(feature.expression, ir.Constant):
            return f"{right} {_MIRRORED.get(order, order)} {left}"
        return f"{left} {order} {right}"


_PARTS = {OWN: "its weight is larger in run 1", TOTAL: "weights are larger in run 2"}


def _domain(feature: Feature) -> Values:
    return frozenset({True, False}) if feature.expression is None else frozenset({-1, 0, 1})


def _merged(rows: list[_Row]) -> list[_Row]:
    """As few rows as joining in pairs gives, in the order of the first case of each."""
    while True:
        for first, second in combinations(rows, 2):
            joint = first.merged(second)
            if joint is not None:
                rows = [joint if row is first else row for row in rows if row is not second]
                break
        else:
            return rows


def _rest(rows: list[_Row]) -> _Coupling | None:
    """The coupling that most rows share, if there are several such rows and others beside them."""
    counts = Counter(row.coupling for row in rows)
    if not counts:
        return None
    coupling, most = counts.most_common(1)[0]
    return coupling if 1 < most < len(rows) else None


def _factor(written: str) -> str:
    return f"({written})" if " " in written and not written.startswith("(") else written


def _kind_and_source(event: Event | Upward) -> tuple[str, str]:
    return ("upward", event.sequence) if isinstance(event, Upward) else (event.kind.value, event.source)
