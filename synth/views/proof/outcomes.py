"""A proof by the chances of the output as a table: which pairs of outcomes cost what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from synth.bounds.rational_text import text as rational_text
from synth.bounds.scales import rational
from synth.prover.lifting_proof import Lifted, Pair
from synth.trusted.program import syntax as ir
from synth.views.proof.names import Names
from synth.views.results import Site, SiteCase


@dataclass(frozen=True)
class Outcomes:
    """Writes the table of one proof."""

    names: Names
    found: Lifted

    def table(self) -> tuple[Site, ...]:
        """One row for all draws together: when the chances of an output differ, by how much."""
        costs = {pair: self._text(cost) for pair, cost in self.found.costs.items()}
        rows = [
            SiteCase(self._pair(pair), "equal", "0", cost)
            for pair, cost in costs.items()
            if pair not in self.found.lost
        ]
        delta = rational_text(self.found.delta, self.names.budgets())
        rows += [
            SiteCase(self._pair(pair), "given up", "0", f"(0, {delta})") for pair in sorted(self.found.lost)
        ]
        rows.append(SiteCase("otherwise" if rows else "always", "equal", "0", "0"))
        draws = self.names.analysis.sites.values()
        line = min(draw.span.line for draw in draws)
        called = dict.fromkeys(draw.distribution for draw in draws)
        return (Site(line, ", ".join(called), "the output", tuple(dict.fromkeys(rows))),)

    def notes(self) -> Iterator[str]:
        """How to read the table."""
        yield "no draw is coupled: each output's chances in the two runs are compared (lifting of equality)"

    def _pair(self, pair: Pair) -> str:
        chances = [chance for _, chance in self.found.law.outcomes]
        left, right = (self._text(chances[place]) if place < len(chances) else "0" for place in pair)
        return f"its chance is {left} in run 1 and {right} in run 2"

    def _text(self, expression: ir.Expression) -> str:
        return rational_text(rational(expression), self.names.budgets())
