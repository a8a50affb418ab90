"""The best proof of a mechanism that can be found: as a whole, or by parts that run one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synth.bounds.rational import Rational
from synth.prover.acceptance import Unknown
from synth.prover.composed_proof import Composition
from synth.prover.invariant_proof import Derived
from synth.prover.lifting_proof import Lifted
from synth.prover.obligations.public_facts import PublicFacts
from synth.prover.problem import Problem
from synth.prover.product.folds import folds
from synth.prover.proved import Part, Proved
from synth.prover.search.cuts import Cuts, cuts, steers
from synth.prover.search.retries import ways_with_rounds
from synth.prover.uncut_proof import prove_by_chances, prove_by_couplings
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis

FEW_DRAWS = 3
"""With no more sampling sites than that, what has no claim is also proved as a whole: that may need less."""

MAX_STRAIGHT = 8
"""The same where there are no loops and branches."""


@dataclass(frozen=True)
class _Search:
    """The ways to prove a mechanism, of which the best is taken."""

    problem: Problem

    def best(self) -> Proved | Unknown:
        """The first proof that meets the claim; without one, the lower of what parts and the whole give.

        By the chances of the output there is none with less, so these come first.
        """
        found = prove_by_chances(self.problem.attempt())
        if isinstance(found, Lifted) and found.checked.within_claim:
            return self._of_one(found)
        again = self._with_rounds()
        if again is not None and again.checked.within_claim:
            return again
        if again is not None:
            self.problem.progress("strategies", again.epsilon)
        careful, *others = cuts(self.problem.mechanism)
        steered = self._steered(others) if not careful else None
        if steered is not None:
            return steered
        in_turn = bool(careful) and self._is_straight()
        first = self._whole() if self._is_soon_coupled() and not in_turn else None
        if isinstance(first, Proved) and first.checked.within_claim and _is_cheapest(first):
            return first
        by_parts = Composition(self.problem).along(careful) if careful else None
        best = by_parts if isinstance(by_parts, Proved) and by_parts.checked.within_claim else None
        choosy = self.problem.mechanism.epsilon is None and (
            self._has_few_draws() or self._adds_up_much() or self._is_straight()
        )
        if best is not None and not choosy:
            return best
        whole = first or self._whole() if best is None else self._whole(best.epsilon)
        results = [item for item in (whole, by_parts, again) if item is not None]
        if isinstance(found, Lifted):
            results.append(self._of_one(found))
        best = None
        for item in results:
            best = lower(self.problem.facts, best, item)
        for way in others:
            if best is None or choosy:
                results.append(Composition(self.problem).along(way))
                best = lower(self.problem.facts, best, results[-1])
        return self._missing(results) if best is None else best

    def _steered(self, ways: Sequence[Cuts]) -> Proved | None:
        """By parts of which one publishes what chooses the noise of another, if that is within the claim."""
        if self.problem.mechanism.epsilon is None:
            return None
        results = (
            Composition(self.problem).along(way) for way in ways if steers(self.problem.mechanism, way)
        )
        return next(
            (item for item in results if isinstance(item, Proved) and item.checked.within_claim), None
        )

    def _with_rounds(self) -> Proved | None:
        """By parts of which some are loops that draw anew until they are left: else each round pays.

        A proof within the claim, or else the first one.
        """
        results = (Composition(self.problem).along(way) for way in ways_with_rounds(self.problem.mechanism))
        found = [item for item in results if isinstance(item, Proved)]
        return next((item for item in found if item.checked.within_claim), found[0] if found else None)

    def _has_few_draws(self) -> bool:
        draws = [
            item
            for item in ir.statements(self.problem.mechanism.body)
            if isinstance(item, ir.Draw | ir.Choose)
        ]
        return len(draws) <= FEW_DRAWS

    def _is_soon_coupled(self) -> bool:
        """Whether nothing is claimed, and there are few draws, all of noise, which the whole can couple."""
        noise = not any(isinstance(item, ir.Choose) for item in ir.statements(self.problem.mechanism.body))
        return self.problem.mechanism.epsilon is None and noise and self._has_few_draws()

    def _is_straight(self) -> bool:
        """Whether there are no branches and loops, and draws that the search can couple all at once."""
        items = list(ir.statements(self.problem.mechanism.body))
        draws = [item for item in items if isinstance(item, ir.Draw | ir.Choose)]
        return len(draws) <= MAX_STRAIGHT and not any(isinstance(item, ir.Loop | ir.If) for item in items)

    def _adds_up_much(self) -> bool:
        """Whether some loop adds up several sums, of which a record may reach few."""
        found = folds(Analysis(self.problem.mechanism)).values()
        return any(len(item.increments) > 1 for item in found)

    def _missing(self, results: Sequence[Proved | Unknown]) -> Unknown:
        """A bound that misses the claim; without one, what is wrong with the whole."""
        failed = [item if isinstance(item, Unknown) else self.problem.missed(item) for item in results]
        return next((item for item in failed if item.epsilon is not None), failed[0])

    def _whole(self, ceiling: Rational | None = None) -> Proved | Unknown:
        found = prove_by_couplings(self.problem.attempt(), ceiling)
        return found if isinstance(found, Unknown) else self._of_one(found)

    def _of_one(self, found: Part) -> Proved:
        return Proved(found.epsilon, found.delta, (found,), found.checked)


def best_proof(problem: Problem) -> Proved | Unknown:
    """Return the first proof that meets the claim; without one, that of the least bound that was found."""
    return _Search(problem).best()


def lower(facts: PublicFacts, one: Proved | None, other: Proved | Unknown) -> Proved | None:
    """Return a proof within the claim; of two the first, if the other is not shown to cost less."""
    if isinstance(other, Unknown) or not other.checked.within_claim:
        return one
    if one is None:
        return other
    opaque_definitions = {
        name: item for part in (*one.parts, *other.parts) for name, item in part.opaque_definitions.items()
    }
    costs_less = facts.at_most(other.epsilon, one.epsilon, opaque_definitions)
    return other if costs_less and other.epsilon != one.epsilon else one


def _is_cheapest(found: Proved) -> bool:
    """Whether parts can't cost less: their strategies together are one of the whole."""
    return all(isinstance(part, Derived) and part.cheapest for part in found.parts)
