"""[Compose]: the proof of a program by proofs of its parts, which run one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from synth.bounds.rational import Rational
from synth.bounds.rational_text import text as rational_text
from synth.bounds.scales import opaque_parts, rational
from synth.prover.acceptance import Unknown, check_squares, check_within_claim, gaussian_place
from synth.prover.attempt import Attempt, is_zero
from synth.prover.certificate.formulas import ProgramTerms
from synth.prover.certificate.writing import PartDocument, composed_text
from synth.prover.codes import Code
from synth.prover.invariant_proof import Derived
from synth.prover.obligations.single_run import Discharge, discharge
from synth.prover.problem import CHECK_MILLISECONDS, Problem
from synth.prover.proved import Part, Proved, grows
from synth.prover.search.cuts import Cuts
from synth.prover.search.interface_facts import candidate_interface_facts
from synth.prover.search.retries import decides_again
from synth.prover.search.shard import Shard
from synth.prover.templates.evaluation import concrete_support
from synth.prover.uncut_proof import prove_uncut
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.claim import Claim, read_bound
from synth.trusted.kernel.check import Verdict, check_part
from synth.trusted.logic.terms import Term
from synth.trusted.normal_form.retries import one_round
from synth.trusted.normal_form.sequential_parts import parts, rename_to_interface
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

NOTHING_STATED: Mapping[int, ir.Expression] = {}


@dataclass(frozen=True)
class _Part:
    """A part of a program, and what is ``given``: facts over the variables of the whole."""

    mechanism: ir.Mechanism
    given: tuple[ir.Expression, ...] = ()

    def with_assumptions(self) -> ir.Mechanism:
        """The mechanism that is run only where the facts hold."""
        return replace(self.mechanism, requires=builders.both(self.mechanism.requires, *self._facts()))

    def terms(self) -> tuple[Term, ...]:
        """The facts in the words of a certificate."""
        return tuple(ProgramTerms(self.mechanism).public(fact) for fact in self._facts())

    def _facts(self) -> Iterator[ir.Expression]:
        return (rename_to_interface(fact, self.mechanism) for fact in self.given)


@dataclass(frozen=True)
class Composition:
    """A problem that is solved part by part."""

    problem: Problem

    def along(self, way: Cuts) -> Proved | Unknown:
        """[Compose]: the parts' bounds, added; if need be with facts about what is handed on."""
        plain = [_Part(item) for item in parts(self.problem.mechanism, way)]
        found = self._by_parts(way, plain, self.problem.safety)
        if isinstance(found, Proved) and found.checked.within_claim:
            return found
        with_assumptions, safety = self._with_assumptions(way, plain)
        return self._by_parts(way, with_assumptions, safety) if with_assumptions != plain else found

    def _with_assumptions(self, way: Cuts, plain: Sequence[_Part]) -> tuple[list[_Part], Discharge]:
        """The parts with what holds in every run of what they are handed, and the proof that it does."""
        supports = {name: concrete_support(item) for name, item in self.problem.templates.items()}
        body = list(self.problem.mechanism.body)
        wanted: list[list[ir.Obligation]] = [[]]
        for cut, part in zip(way, plain[1:], strict=True):
            facts = candidate_interface_facts(self.problem.mechanism, cut, part.mechanism, supports)
            wanted.append([ir.Obligation("given", fact, "", self.problem.mechanism.span) for fact in facts])
        for cut, asked in reversed(list(zip(way, wanted[1:], strict=True))):
            body[cut:cut] = asked
        safety = discharge(replace(self.problem.mechanism, body=tuple(body)))
        with_assumptions = [
            replace(part, given=tuple(item.condition for item in asked if item not in safety.missing))
            for part, asked in zip(plain, wanted, strict=True)
        ]
        return with_assumptions, replace(
            self.problem.safety, shown=(*self.problem.safety.shown, *safety.shown)
        )

    def _by_parts(self, way: Cuts, chosen: Sequence[_Part], safety: Discharge) -> Proved | Unknown:
        """Parts that need a delta get equal shares of the claimed one, and those that need an ε as well
        get equal shares of what the others leave of it.  All real Gaussian noise together gets one share.
        """
        found, failed = self._derived(dict(enumerate(chosen)), None, None)
        noisy = bool(_squares(found.values()))
        delta = self._share(self.problem.mechanism.delta, [], len(failed) + noisy)
        if failed and delta is not None:
            more, failed = self._derived({place: chosen[place] for place in failed}, None, delta)
            found |= more
            spent = [item.epsilon for item in found.values()]
            epsilon = self._share(self.problem.mechanism.epsilon, spent, len(failed) + noisy)
            if failed and epsilon is not None:
                more, failed = self._derived({place: chosen[place] for place in failed}, epsilon, delta)
                found |= more
        if failed:
            return next(iter(failed.values()))
        told = [place for place, item in found.items() if not self._is_public(item.epsilon)]
        if told:
            return self._within_shares(way, chosen, found, told, safety) or Unknown(
                Code.NO_BOUND(), chosen[told[0]].mechanism.span
            )
        whole = self._check_certificate(way, chosen, found, safety)
        growing = [place for place, item in found.items() if grows(item.epsilon)]
        if growing and isinstance(whole, Proved) and not whole.checked.within_claim:
            return self._within_shares(way, chosen, found, growing, safety) or whole
        return whole

    def _within_shares(
        self,
        way: Cuts,
        chosen: Sequence[_Part],
        found: Mapping[int, Part],
        costly: Sequence[int],
        safety: Discharge,
    ) -> Proved | Unknown | None:
        """The whole, with new proofs of the costly parts, each within an equal share of what the others leave
        of the claimed ε; None if one of them has none.

        Costly are those that cost more the longer an input is, and those whose cost depends on what was
        published before, which is no bound for the whole: there the share itself is what is proved.
        """
        spent = [item.epsilon for place, item in found.items() if place not in costly]
        share = self._share(self.problem.mechanism.epsilon, spent, len(costly))
        if share is None or self.problem.notion is not None or _squares(found.values()):
            return None
        if not self.problem.facts.nonnegative(share):
            return None
        again, failed = self._derived({place: chosen[place] for place in costly}, share, None)
        if failed:
            return None
        stated = {place: share for place, item in again.items() if not self._is_public(item.epsilon)}
        return self._check_certificate(way, chosen, {**found, **again}, safety, stated)

    def _derived(
        self, chosen: Mapping[int, _Part], epsilon: ir.Expression | None, delta: ir.Expression | None
    ) -> tuple[dict[int, Part], dict[int, Unknown]]:
        """Proofs of parts within a claim, and why others have none.

        As all are needed, only the search for one of them is shared.
        """
        found: dict[int, Part] = {}
        failed: dict[int, Unknown] = {}
        hardest = max(chosen, key=lambda place: _draws(chosen[place].mechanism))
        for place, part in chosen.items():
            shard = self.problem.shard if place == hardest else Shard()
            result = self._part(part, shard, epsilon, delta)
            if not isinstance(result, Unknown) and result.checked.within_claim:
                found[place] = result
                continue
            failed[place] = result if isinstance(result, Unknown) else self.problem.missed_by_part(result)
            if is_zero(self.problem.mechanism.delta):
                break
        return found, failed

    def _part(
        self, part: _Part, shard: Shard, epsilon: ir.Expression | None, delta: ir.Expression | None
    ) -> Part | Unknown:
        found = self._retried(part, shard, epsilon)
        if isinstance(found, Unknown):
            return self._once(part, shard, epsilon, delta)
        return found

    def _retried(self, part: _Part, shard: Shard, epsilon: ir.Expression | None) -> Part | Unknown:
        """[Until]: by the proof of one round, which costs half of it."""
        once = Unknown(Code.NO_BOUND(), part.mechanism.span)
        if self.problem.notion is not None or not decides_again(part.mechanism):
            return once
        half = None if epsilon is None else builders.divide(epsilon, ir.Constant(Fraction(2), ir.Sort.REAL))
        found = self._once(replace(part, mechanism=one_round(part.mechanism)), shard, half, None)
        if isinstance(found, Unknown) or not found.checked.within_claim or not found.delta.is_zero():
            return once
        return replace(found, epsilon=Rational.number(2) * found.epsilon, retried=True)

    def _once(
        self, part: _Part, shard: Shard, epsilon: ir.Expression | None, delta: ir.Expression | None
    ) -> Part | Unknown:
        mechanism = replace(part.with_assumptions(), epsilon=epsilon, delta=delta)

        def verdict_of(text: str) -> Verdict:
            return check_part(text, part.mechanism, part.terms(), CHECK_MILLISECONDS)

        attempt = Attempt(
            mechanism,
            self.problem.rewriting,
            self.problem.templates,
            self.problem.facts,
            Discharge((), ()),
            verdict_of,
            self.problem.progress,
            part=True,
            notion=self.problem.notion,
            shard=shard,
        )
        found = prove_uncut(attempt)
        claimed = self.problem.mechanism.divergence
        converts = claimed is None or claimed.notion is ir.Notion.ZCDP
        if self.problem.notion is not None and converts and isinstance(found, Unknown):
            found = prove_uncut(replace(attempt, notion=None))
        return found

    def _share(
        self, claim: ir.Expression | None, spent: Sequence[Rational], shares: int
    ) -> ir.Expression | None:
        """An equal share of what is left of a claim; None if there is nothing to share."""
        if claim is None or not shares or is_zero(claim):
            return None
        return builders.divide(self._left(claim, spent), ir.Constant(Fraction(shares), ir.Sort.REAL))

    def _is_public(self, bound: Rational) -> bool:
        """Whether a part's bound is one for the whole: what was published before the part is no parameter."""
        try:
            read_bound(self.problem.mechanism, rational_text(bound))
        except ProgramError:
            return False
        return True

    def _left(self, claim: ir.Expression, spent: Sequence[Rational]) -> ir.Expression:
        for bound in spent:
            claim = builders.subtract(claim, read_bound(self.problem.mechanism, rational_text(bound)))
        return claim

    def _check_certificate(
        self,
        way: Cuts,
        chosen: Sequence[_Part],
        found: Mapping[int, Part],
        safety: Discharge,
        stated: Mapping[int, ir.Expression] = NOTHING_STATED,
    ) -> Proved | Unknown:
        """The certificate of the whole; of some parts more is ``stated`` than they are proved to cost."""
        derived = tuple(found[place] for place in sorted(found))
        documents = [
            PartDocument(item.checked.certificate, part.terms(), item.retried, stated.get(place))
            for place, (part, item) in enumerate(zip(chosen, derived, strict=True))
        ]
        own = {place: item.epsilon for place, item in found.items()}
        costs = {**own, **{place: rational(item) for place, item in stated.items()}}
        epsilon = sum(costs.values(), Rational.number(0))
        delta = sum((item.delta for item in derived), Rational.number(0))
        paid: tuple[ir.Expression, ir.Expression] | None = None
        squares = _squares(derived)
        if squares and self.problem.notion is None:
            claims = self.problem.mechanism.epsilon, self.problem.mechanism.delta
            if claims[0] is None or claims[1] is None:
                return Unknown(Code.GAUSSIAN_WITHOUT_CLAIM(), gaussian_place(self.problem.mechanism))
            paid = self._left(claims[0], [epsilon]), self._left(claims[1], [delta])
            epsilon, delta = rational(claims[0]), rational(claims[1])

        def write_documents(claim: Claim) -> list[str]:
            mechanism, rewriting = self.problem.mechanism, self.problem.rewriting
            return [composed_text(mechanism, rewriting, claim, way, documents, safety=safety, paid=paid)]

        opaque_definitions = {
            name: item
            for parts_of_it in (
                *(part.opaque_definitions for part in derived),
                *map(opaque_parts, stated.values()),
            )
            for name, item in parts_of_it.items()
        }
        if self.problem.notion is None:
            checked = check_within_claim(
                self.problem.mechanism,
                (epsilon, opaque_definitions),
                self.problem.facts,
                write_documents,
                self.problem.verdict_of,
            )
        else:
            square = sum(squares, Rational.number(0))
            if self.problem.mechanism.divergence is not None:
                square = sum((item.epsilon * item.epsilon for item in derived), square)
            checked = check_squares(
                self.problem.mechanism, self.problem.notion, square, write_documents, self.problem.verdict_of
            )
        if isinstance(checked, Unknown):
            return checked
        return Proved(epsilon, delta, derived, checked)


def _squares(parts: Iterable[Part]) -> list[Rational]:
    """What real Gaussian noise comes to in the parts that have some."""
    return [part.noise.square for part in parts if isinstance(part, Derived) and part.noise is not None]


def _draws(mechanism: ir.Mechanism) -> int:
    return sum(isinstance(item, ir.Draw | ir.Choose) for item in ir.statements(mechanism.body))
