"""From a mechanism to a verdict: a proof of the whole, or of parts that run one after the other.

What the search proposes is believed only after the kernel has accepted its certificate.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from pysmt.environment import reset_env

from synth.attempt import Accepted, Attempt, Derived, Progress, Unknown, accepted, is_zero
from synth.certificate.writing import composed_text
from synth.couplings.distribution import Template
from synth.couplings.scales import opaque_parts, rational
from synth.errors import ProgramError
from synth.kernel.check import Verdict, check, check_part
from synth.language import build
from synth.language.canonical import canonical
from synth.language.claim import read_claim
from synth.language.parts import parts
from synth.language.syntax import (
    Choose,
    Constant,
    Draw,
    Expression,
    Mechanism,
    Obligation,
    Sort,
    statements,
)
from synth.logic.rational import Rational
from synth.logic.rational_text import text as rational_text
from synth.proof.obligations import Discharge, discharge
from synth.proof.public_facts import PublicFacts
from synth.search.cuts import Cuts, cuts

__all__ = ["Derived", "Proved", "Unknown", "prove"]

FEW_DRAWS = 4
"""With no more sampling sites than that, what has no claim is also proved as a whole: that may need less."""

CHECK_MILLISECONDS = 5000


@dataclass(frozen=True)
class Proved:
    """A proof, by ``parts`` that run one after the other; of a program that is not cut there is one.

    ``epsilon`` is in nats, and holds with ``delta``; ``spare`` says that it is below the claim.
    """

    mechanism: Mechanism
    epsilon: Rational
    delta: Rational
    parts: tuple[Derived, ...]
    accepted: Accepted
    spare: bool = False

    @property
    def certificate(self) -> str:
        """The text that the kernel has accepted."""
        return self.accepted.certificate


def prove(
    mechanism: Mechanism,
    templates: Mapping[str, Template],
    progress: Progress = lambda stage: None,
) -> Proved | Unknown:
    """Find a coupling proof of the least ε, and compare it with the claim if there is one.

    Barthe et al. 2016, Prop. 6 (pointwise), with the branches in ``strategy.published`` published
    as well.  Raises ProgramError when no parameters satisfy ``requires``.
    """
    reset_env()
    mechanism = canonical(mechanism)
    facts = PublicFacts(mechanism.requires)
    progress("obligations")
    if facts.satisfiable() is False:
        raise ProgramError(
            "no parameters satisfy 'requires'", mechanism.path, mechanism.span.line, mechanism.span.column
        )
    missing = _ill_stated(mechanism, facts)
    safety = discharge(mechanism)
    if missing is not None or safety.missing:
        return missing or _undischarged(safety.missing[0])
    return _Prover(mechanism, templates, facts, safety, progress).best()


def _ill_stated(mechanism: Mechanism, facts: PublicFacts) -> Unknown | None:
    for parameter in mechanism.parameters:
        if parameter.metric is not None and parameter.metric.bound is not None:
            if not facts.nonnegative(parameter.metric.bound):
                name = parameter.name
                return Unknown(f"the distance stated for '{name}' may be negative", parameter.span)
    if mechanism.delta is not None and not facts.nonnegative(mechanism.delta):
        return Unknown("the claimed delta may be negative", mechanism.span)
    return None


def _undischarged(obligation: Obligation) -> Unknown:
    said = "not shown" if obligation.kind == "scale" else "not ruled out"
    return Unknown(f"{said}: {obligation.reason}", obligation.span)


@dataclass(frozen=True)
class _Prover:
    """A canonical mechanism whose obligations are shown."""

    mechanism: Mechanism
    templates: Mapping[str, Template]
    facts: PublicFacts
    safety: Discharge
    progress: Progress

    def best(self) -> Proved | Unknown:
        """The first proof that meets the claim; without one, the lower of what parts and the whole give."""
        careful, *others = cuts(self.mechanism) or [()]
        by_parts = self._composed(careful) if careful else None
        if isinstance(by_parts, Proved) and by_parts.accepted.within_claim:
            if self.mechanism.epsilon is not None or not self._has_few_draws():
                return self._held(by_parts)
            whole = self._whole(by_parts.epsilon)
            return whole if isinstance(whole, Proved) else by_parts
        results = [self._whole(), by_parts]
        for way in others:
            if not any(isinstance(item, Proved) and item.accepted.within_claim for item in results):
                results.append(self._composed(way))
        return self._judged([item for item in results if item is not None])

    def _has_few_draws(self) -> bool:
        draws = [item for item in statements(self.mechanism.body) if isinstance(item, Draw | Choose)]
        return len(draws) <= FEW_DRAWS

    def _judged(self, results: Sequence[Proved | Unknown]) -> Proved | Unknown:
        """A proof within the claim; else a bound that misses it; else what is wrong with the whole."""
        failed: list[Unknown] = []
        for item in results:
            if isinstance(item, Proved) and item.accepted.within_claim:
                return self._held(item)
            failed.append(item if isinstance(item, Unknown) else self._missed(item.epsilon))
        return next((item for item in failed if item.epsilon is not None), failed[0])

    def _whole(self, ceiling: Rational | None = None) -> Proved | Unknown:
        found = Attempt(
            self.mechanism, self.templates, self.facts, self.safety, _check, self.progress, ceiling
        ).run()
        if isinstance(found, Unknown):
            return found
        return Proved(self.mechanism, found.epsilon, found.delta, (found,), found.accepted)

    # --- parts ------------------------------------------------------------------------------

    def _composed(self, way: Cuts) -> Proved | Unknown:
        """[Compose]: the parts' bounds, added.

        Parts that need a delta get equal shares of the claimed one, and those that need an ε as well
        get equal shares of what the others leave of it.
        """
        mechanisms = dict(enumerate(parts(self.mechanism, way)))
        found, failed = self._derived(mechanisms, None, None)
        delta = self._share(self.mechanism.delta, [], failed)
        if failed and delta is not None:
            lossy = {place: mechanisms[place] for place in failed}
            more, failed = self._derived(lossy, None, delta)
            found |= more
            epsilon = self._share(self.mechanism.epsilon, [item.epsilon for item in found.values()], failed)
            if failed and epsilon is not None:
                lossy = {place: mechanisms[place] for place in failed}
                more, failed = self._derived(lossy, epsilon, delta)
                found |= more
        if failed:
            return next(iter(failed.values()))
        return self._checked(way, tuple(found[place] for place in sorted(found)))

    def _derived(
        self, mechanisms: Mapping[int, Mechanism], epsilon: Expression | None, delta: Expression | None
    ) -> tuple[dict[int, Derived], dict[int, Unknown]]:
        """Proofs of parts within a claim, and why others have none."""
        found: dict[int, Derived] = {}
        failed: dict[int, Unknown] = {}
        for place, part in mechanisms.items():
            result = self._part(replace(part, epsilon=epsilon, delta=delta))
            if isinstance(result, Derived) and result.accepted.within_claim:
                found[place] = result
                continue
            failed[place] = result if isinstance(result, Unknown) else self._missed(result.epsilon)
            if is_zero(self.mechanism.delta):
                break
        return found, failed

    def _part(self, part: Mechanism) -> Derived | Unknown:
        bare = replace(part, epsilon=None, delta=None)

        def judged(text: str) -> Verdict:
            return check_part(text, bare, CHECK_MILLISECONDS)

        return Attempt(part, self.templates, self.facts, Discharge((), ()), judged, self.progress).run()

    def _share(
        self, claim: Expression | None, spent: Sequence[Rational], among: Collection[int]
    ) -> Expression | None:
        """An equal share of what is left of a claim; None if there is nothing to share."""
        if claim is None or not among or is_zero(claim):
            return None
        left = claim
        for bound in spent:
            left = build.subtract(left, read_claim(self.mechanism, rational_text(bound)))
        return build.divide(left, Constant(Fraction(len(among)), Sort.REAL))

    def _checked(self, way: Cuts, derived: tuple[Derived, ...]) -> Proved | Unknown:
        safety = [(item.system, item.solution) for item in self.safety.shown]
        documents = [item.accepted.certificate for item in derived]
        epsilon = sum((item.epsilon for item in derived), Rational.number(0))
        delta = sum((item.delta for item in derived), Rational.number(0))

        def written(claim: Expression | None) -> str:
            return composed_text(self.mechanism, claim, way, documents, safety)

        found = accepted(self.mechanism, epsilon, self.facts, written, _check)
        return found if isinstance(found, Unknown) else Proved(self.mechanism, epsilon, delta, derived, found)

    # --- the claim --------------------------------------------------------------------------

    def _held(self, found: Proved) -> Proved:
        """A proof within the claim, and whether it leaves some of it."""
        claim = self.mechanism.epsilon
        if claim is None:
            return found
        spare = not self.facts.at_most(rational(claim), found.epsilon, opaque_parts(claim))
        return replace(found, spare=spare)

    def _missed(self, bound: Rational) -> Unknown:
        assert self.mechanism.epsilon is not None
        claim = rational(self.mechanism.epsilon)
        reason = f"couplings prove ε = {bound}, which is not shown to be at most the claim {claim}"
        return Unknown(reason, self.mechanism.span, bound)


def _check(text: str) -> Verdict:
    return check(text, milliseconds=CHECK_MILLISECONDS)
