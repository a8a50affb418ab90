"""A proof by the chances of the output as a table: which pairs of outcomes cost what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from synth.bounds.logarithms import loss
from synth.bounds.rational_text import text as rational_text
from synth.bounds.scales import rational
from synth.trusted.kernel.proof_state import Proof, begin
from synth.trusted.kernel.rules.lifting import Outcome, outcomes_in, paid, pairs_of
from synth.trusted.kernel.solvers import GaveUp, holds, script
from synth.trusted.logic.codes import Code
from synth.trusted.logic.rejection import Rejected
from synth.trusted.logic.terms import BadTerm
from synth.trusted.normal_form.output_distribution import OutputLaw
from synth.trusted.program import syntax as ir
from synth.views.certificate.plain import Plain
from synth.views.certificate.plain_names import PlainNames
from synth.views.certificate.steps import Reading
from synth.views.results import Site, SiteCase

Pair = tuple[int, int]

_MILLISECONDS = 1000


@dataclass(frozen=True)
class Outcomes:
    """Writes the table of one derivation by [Lift].  Raises Rejected where it doesn't say what that needs."""

    reading: Reading
    law: OutputLaw

    @property
    def names(self) -> PlainNames:
        """What symbols are called."""
        return PlainNames(self.reading.mechanism, self.reading.certificate)

    def sites(self) -> tuple[Site, ...]:
        """One row for all draws together: when the chances of an output differ, by how much."""
        free, lost = (sorted(self._pairs(field)) for field in ("free", "lost"))
        told = {self._pair(pair): pair for pair in reversed(free) if pair[0] != pair[1]}
        costly = {said: self._cost(pair) for said, pair in told.items() if self._costs_something(pair)}
        rows = [
            SiteCase(said, "equal", "0", costly[said]) for said in map(self._pair, free) if said in costly
        ]
        delta = Plain(self.names, self.reading.known).written(self.reading.certificate.proved.delta)
        rows += [SiteCase(self._pair(pair), "given up", "0", f"(0, {delta})") for pair in lost]
        rows.append(SiteCase("otherwise" if rows else "always", "equal", "0", "0"))
        draws = [
            item
            for item in ir.statements(self.reading.mechanism.body)
            if isinstance(item, ir.Draw | ir.Choose)
        ]
        line = min((draw.span.line for draw in draws), default=self.reading.mechanism.span.line)
        called = dict.fromkeys(draw.distribution for draw in draws)
        return (Site(line, ", ".join(called), "the output", tuple(dict.fromkeys(rows))),)

    def notes(self) -> Iterator[str]:
        """How to read the table."""
        yield "no draw is coupled: each output's chances in the two runs are compared (lifting of equality)"

    def _pairs(self, field: str) -> set[Pair]:
        return pairs_of(self.reading.certificate.derivation, field, len(self._chances))

    @cached_property
    def _chances(self) -> list[ir.Expression]:
        return [chance for _, chance in self.law.outcomes]

    def _costs_something(self, pair: Pair) -> bool:
        """Whether run 1's chance is not shown to be at most run 2's; the certificate bounds both alike."""
        left, right = (rational(self._chances[place]) for place in pair)
        if left == right:
            return False
        try:
            proof, outcomes = self._proof
            node = proof.certificate.derivation
            first, second = (outcomes[place] for place in pair)
            goal, known = paid(first, second, proof.public_number(node, "0.0"))
            reason = Code.OUTPUT_TOO_LIKELY(first=pair[0], second=pair[1])
            proof.require_public(node, reason, goal, *known)
            return not holds(script(proof.conditions.pop()[1]), "z3", _MILLISECONDS)
        except (Rejected, GaveUp, BadTerm):
            return True

    @cached_property
    def _proof(self) -> tuple[Proof, list[Outcome]]:
        """The outcomes as the kernel sees them."""
        proof = begin(self.reading.mechanism, self.reading.certificate)
        return proof, outcomes_in(proof, self.reading.certificate.derivation, self.law)[1]

    def _cost(self, pair: Pair) -> str:
        first, second = (self._chances[place] for place in pair)
        return self._text(loss(first, second))

    def _pair(self, pair: Pair) -> str:
        left, right = (
            self._text(self._chances[place]) if place < len(self._chances) else "0" for place in pair
        )
        return f"its chance is {left} in run 1 and {right} in run 2"

    def _text(self, expression: ir.Expression) -> str:
        return rational_text(rational(expression), self.names.budgets())
