"""From a mechanism to a verdict: a proof of the whole, or of parts that run one after the other.

What the search proposes is believed only after the kernel has accepted its certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from pysmt.environment import reset_env

from synth.bounds.rational import Rational
from synth.bounds.rational_text import text as rational_text
from synth.bounds.scales import check_defined, rational
from synth.prover.acceptance import (
    CheckedCertificate,
    Unknown,
    check_squares,
    check_within_claim,
    gaussian_place,
)
from synth.prover.attempt import Attempt, Progress, is_zero
from synth.prover.certificate.formulas import ProgramTerms
from synth.prover.certificate.writing import (
    PartDocument,
    composed_text,
    recorded,
    recorded_of_every_record,
)
from synth.prover.codes import Code
from synth.prover.coupling_proof import CouplingSearch
from synth.prover.invariant_proof import Derived
from synth.prover.lifting_proof import Lifted, lifted
from synth.prover.normal_form.counted_loops import with_counters
from synth.prover.normal_form.recording import Rewriting
from synth.prover.obligations.preconditions import sufficient_precondition
from synth.prover.obligations.public_facts import PublicFacts
from synth.prover.obligations.single_run import Discharge, discharge
from synth.prover.product.folds import folds
from synth.prover.sampled_proof import Sample
from synth.prover.search.cuts import Cuts, cuts
from synth.prover.search.interface_facts import candidate_interface_facts
from synth.prover.search.retries import decides_again, ways_with_rounds
from synth.prover.templates.evaluation import concrete_support
from synth.prover.templates.template import Template
from synth.trusted.core.read_expressions import CoreError
from synth.trusted.core.reader import read_core
from synth.trusted.core.writer import Unwritable, write_core
from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.claim import Claim, read_bound
from synth.trusted.kernel.check import Verdict, check, check_part
from synth.trusted.logic.terms import Term
from synth.trusted.normal_form.retries import one_round
from synth.trusted.normal_form.sampling import NotSampled
from synth.trusted.normal_form.sequential_parts import parts, rename_to_interface
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis
from synth.trusted.reading import TEXT

__all__ = ["Derived", "Proved", "Unknown", "prove"]

FEW_DRAWS = 3
"""With no more sampling sites than that, what has no claim is also proved as a whole: that may need less."""

MAX_STRAIGHT = 8
"""The same where there are no loops and branches."""

CHECK_MILLISECONDS = 5000
MAX_DRAWS = 250
"""Statements that draw; the time grows with their square, and these take about a minute."""


Part = Derived | Lifted


@dataclass(frozen=True)
class Proved:
    """A proof, by ``parts`` that run one after the other; of a program that is not cut there is one.

    ``epsilon`` is in nats, and holds with ``delta``.
    """

    epsilon: Rational
    delta: Rational
    parts: tuple[Part, ...]
    checked: CheckedCertificate

    @property
    def certificate(self) -> str:
        """The text that the kernel has accepted."""
        return self.checked.certificate


def prove(
    mechanism: ir.Mechanism,
    templates: Mapping[str, Template],
    progress: Progress = lambda stage, bound=None: None,
) -> Proved | Unknown:
    """Find a coupling proof of the least ε, and compare it with the claim if there is one.

    Barthe et al. 2016, Prop. 6 (pointwise), with the branches in ``strategy.published`` published
    as well.  Raises ProgramError when no parameters satisfy ``requires``, or what is stated divides by zero.
    """
    reset_env()
    try:
        form = recorded(mechanism.source, mechanism.name, mechanism.lines, mechanism.specification)
        read_core(write_core(form.core))
    except (Unwritable, CoreError) as error:
        return Unknown(Code.NO_CORE_PROGRAM(problem=str(error)), mechanism.span)
    except ProgramError as error:  # what the mechanism needs of its file can't be read by itself
        raise replace(error, path=mechanism.path) if error.path == TEXT else error from None
    prover = _prover_of(_in_form(mechanism, form), templates, progress)
    if isinstance(prover, Unknown):
        return prover
    of_sample = _of_sample(mechanism, templates, progress)
    if isinstance(of_sample, Proved) and of_sample.checked.within_claim:
        return of_sample
    mechanism = prover.mechanism
    if mechanism.divergence is not None:
        found = replace(prover, notion=mechanism.divergence.notion).best()
        if isinstance(found, Unknown) and mechanism.divergence.notion is ir.Notion.ZCDP:
            found = prover.of_pure_privacy(found)
    else:
        found = prover.best()
        if mechanism.epsilon is mechanism.delta is None and _needs_notion(found):
            found = prover.of_other_notion()
        elif isinstance(found, Unknown) and prover.may_concentrate():
            other = replace(prover, notion=ir.Notion.ZCDP).best()
            found = found if isinstance(other, Unknown) else _as_claimed(other, mechanism)
    if isinstance(found, Unknown) and isinstance(of_sample, Proved):
        return prover.missed(of_sample)
    return found.located() if isinstance(found, Unknown) else found


def _in_form(mechanism: ir.Mechanism, form: Rewriting) -> ir.Mechanism:
    """The mechanism, and what is claimed of it, in the form that the prover works on."""
    return with_counters(replace(mechanism, body=form.program.body, variables=form.program.variables))


def _prover_of(
    mechanism: ir.Mechanism,
    templates: Mapping[str, Template],
    progress: Progress,
    verdict_of: Callable[[str], Verdict] | None = None,
) -> _Prover | Unknown:
    """What proves a canonical mechanism, once its obligations are shown.  Raises ProgramError."""
    facts = PublicFacts(mechanism.requires)
    progress("obligations")
    check_defined(mechanism)
    if facts.satisfiable() is False:
        span, code = mechanism.span, Refusal.REQUIRES_UNSATISFIABLE
        message = "no parameters satisfy 'requires'"
        raise ProgramError(message, mechanism.path, span.line, span.column, code=code)
    draws = sum(isinstance(item, ir.Draw | ir.Choose) for item in ir.statements(mechanism.body))
    if draws > MAX_DRAWS:
        return Unknown(Code.TOO_MANY_DRAWS(count=draws, most=MAX_DRAWS), mechanism.span)
    missing = _ill_stated(mechanism, facts)
    safety = discharge(mechanism)
    if missing is not None or safety.missing:
        return missing or _undischarged(mechanism, safety.missing)
    return _Prover(mechanism, templates, facts, safety, progress, verdict_of or _check)


def _of_sample(
    mechanism: ir.Mechanism, templates: Mapping[str, Template], progress: Progress
) -> Proved | Unknown | None:
    """[Mix]: of a program that takes a sample of its records, by the one that takes all; None for others.

    Of proofs that all miss the claim it is the first one.
    """
    if mechanism.divergence is not None:
        return None
    try:
        every = recorded_of_every_record(
            mechanism.source, mechanism.name, mechanism.lines, mechanism.specification
        )
    except NotSampled:
        return None
    sample = Sample(mechanism, every.chance, _check)
    forms = sample.claims_of(_in_form(mechanism, every.rewriting))
    missed: Proved | Unknown | None = None
    for form in forms:
        found = _of_every_record(sample, form, templates, progress)
        if isinstance(found, Proved) and found.checked.within_claim:
            return found
        if not isinstance(missed, Proved):
            missed = found
    return missed


def _of_every_record(
    sample: Sample, form: ir.Mechanism, templates: Mapping[str, Template], progress: Progress
) -> Proved | Unknown:
    """The proof about a sample by that of the program that takes every record, with this claim."""
    prover = _prover_of(form, templates, progress, sample.verdict_of)
    found = prover if isinstance(prover, Unknown) else prover.best()
    if isinstance(found, Unknown):
        return found
    checked = sample.checked((found.epsilon, found.delta), found.certificate)
    if isinstance(checked, Unknown):
        return checked
    (epsilon, delta), certificate = checked
    return Proved(epsilon, delta, found.parts, certificate)


def _as_claimed(found: Proved, mechanism: ir.Mechanism) -> Proved:
    """The proof of (ε, δ) by a sum of squares: no less than the claim is known."""
    assert mechanism.epsilon is not None and mechanism.delta is not None
    return replace(found, epsilon=rational(mechanism.epsilon), delta=rational(mechanism.delta))


def _needs_notion(found: Proved | Unknown) -> bool:
    """Whether there is no single ε, as each has its own δ."""
    return isinstance(found, Unknown) and found.why.code is Code.GAUSSIAN_WITHOUT_CLAIM


def _ill_stated(mechanism: ir.Mechanism, facts: PublicFacts) -> Unknown | None:
    for parameter in mechanism.parameters:
        if parameter.metric is not None and parameter.metric.bound is not None:
            if not facts.nonnegative(parameter.metric.bound):
                return Unknown(Code.STATED_DISTANCE_NEGATIVE(name=parameter.name), parameter.span)
    if mechanism.delta is not None and not facts.nonnegative(mechanism.delta):
        return Unknown(Code.CLAIMED_DELTA_NEGATIVE(), mechanism.span)
    return None


def _undischarged(mechanism: ir.Mechanism, missing: Sequence[ir.Obligation]) -> Unknown:
    obligation = missing[0]
    match obligation.kind:
        case "index":
            why = Code.INDEX_OUT_OF_RANGE()
        case "divisor":
            why = Code.DIVISOR_MAY_BE_ZERO()
        case "scale":
            why = Code.PARAMETER_NOT_SHOWN(what=obligation.reason)
        case _:
            why = Code.OPERATION_UNDEFINED(what=obligation.reason)
    needed = sufficient_precondition(mechanism, missing)
    hints = (f'it is ruled out if requires says "{needed}"',) if needed else ()
    return Unknown(why, obligation.span, hints=hints)


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
class _Prover:
    """A canonical mechanism whose obligations are shown; ``notion`` is what to prove where that is no ε."""

    mechanism: ir.Mechanism
    templates: Mapping[str, Template]
    facts: PublicFacts
    safety: Discharge
    progress: Progress
    verdict_of: Callable[[str], Verdict]
    notion: ir.Notion | None = None

    def best(self) -> Proved | Unknown:
        """The first proof that meets the claim; without one, the lower of what parts and the whole give.

        By the chances of the output there is none with less, so these come first.
        """
        found = _by_chances(self._attempt())
        if isinstance(found, Lifted) and found.checked.within_claim:
            return self._of_one(found)
        again = self._with_rounds()
        if again is not None and again.checked.within_claim:
            return again
        if again is not None:
            self.progress("strategies", again.epsilon)
        careful, *others = cuts(self.mechanism)
        in_turn = bool(careful) and self._is_straight()
        first = self._whole() if self._is_soon_coupled() and not in_turn else None
        if isinstance(first, Proved) and first.checked.within_claim and _is_cheapest(first):
            return first
        by_parts = self._composed(careful) if careful else None
        best = by_parts if isinstance(by_parts, Proved) and by_parts.checked.within_claim else None
        choosy = self.mechanism.epsilon is None and (
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
            best = self._lower(best, item)
        for way in others:
            if best is None or choosy:
                results.append(self._composed(way))
                best = self._lower(best, results[-1])
        return self._missing(results) if best is None else best

    def _with_rounds(self) -> Proved | None:
        """By parts of which some are loops that draw anew until they are left: else each round pays.

        A proof within the claim, or else the first one.
        """
        results = (self._composed(way) for way in ways_with_rounds(self.mechanism))
        found = [item for item in results if isinstance(item, Proved)]
        return next((item for item in found if item.checked.within_claim), found[0] if found else None)

    def of_other_notion(self) -> Proved | Unknown:
        """The first notion of which there is a bound."""
        results = [replace(self, notion=notion).best() for notion in ir.Notion]
        return next((item for item in results if isinstance(item, Proved)), results[0])

    def of_pure_privacy(self, otherwise: Unknown) -> Proved | Unknown:
        """By an ε, which is worth a ρ of ε²/2; of Gaussian noise there is none."""
        noise = (item for item in ir.statements(self.mechanism.body) if isinstance(item, ir.Draw))
        if any(item.distribution == "gaussian" for item in noise):
            return otherwise
        found = self.best()
        if isinstance(found, Unknown):
            return otherwise
        states = Claim.of(self.mechanism)
        return replace(found, checked=replace(found.checked, states=states))

    def may_concentrate(self) -> bool:
        """Whether some δ is claimed beside ε, and several draws of noise may have a ρ together."""
        noise = [
            item
            for item in ir.statements(self.mechanism.body)
            if isinstance(item, ir.Draw) or (isinstance(item, ir.Choose) and isinstance(item.law, ir.Weights))
        ]
        looped = any(isinstance(item, ir.Loop) for item in ir.statements(self.mechanism.body))
        claimed = self.mechanism.epsilon is not None and not is_zero(self.mechanism.delta)
        return claimed and bool(noise) and (looped or len(noise) > 1)

    def _lower(self, one: Proved | None, other: Proved | Unknown) -> Proved | None:
        """A proof within the claim; of two the first, if the other is not shown to cost less everywhere."""
        if isinstance(other, Unknown) or not other.checked.within_claim:
            return one
        if one is None:
            return other
        opaque_definitions = {
            name: item
            for part in (*one.parts, *other.parts)
            for name, item in part.opaque_definitions.items()
        }
        return (
            other
            if self.facts.at_most(other.epsilon, one.epsilon, opaque_definitions)
            and other.epsilon != one.epsilon
            else one
        )

    def _has_few_draws(self) -> bool:
        draws = [item for item in ir.statements(self.mechanism.body) if isinstance(item, ir.Draw | ir.Choose)]
        return len(draws) <= FEW_DRAWS

    def _is_soon_coupled(self) -> bool:
        """Whether nothing is claimed, and there are few draws, all of noise, which the whole can couple."""
        noise = not any(isinstance(item, ir.Choose) for item in ir.statements(self.mechanism.body))
        return self.mechanism.epsilon is None and noise and self._has_few_draws()

    def _is_straight(self) -> bool:
        """Whether there are no branches and loops, and draws that the search can couple all at once."""
        items = list(ir.statements(self.mechanism.body))
        draws = [item for item in items if isinstance(item, ir.Draw | ir.Choose)]
        return len(draws) <= MAX_STRAIGHT and not any(isinstance(item, ir.Loop | ir.If) for item in items)

    def _adds_up_much(self) -> bool:
        """Whether some loop adds up several sums, of which a record may reach few."""
        found = folds(Analysis(self.mechanism)).values()
        return any(len(item.increments) > 1 for item in found)

    def _missing(self, results: Sequence[Proved | Unknown]) -> Unknown:
        """A bound that misses the claim; without one, what is wrong with the whole."""
        failed = [item if isinstance(item, Unknown) else self.missed(item) for item in results]
        return next((item for item in failed if item.epsilon is not None), failed[0])

    def _whole(self, ceiling: Rational | None = None) -> Proved | Unknown:
        found = _by_couplings(self._attempt(), ceiling)
        return found if isinstance(found, Unknown) else self._of_one(found)

    def _attempt(self) -> Attempt:
        return Attempt(
            self.mechanism,
            self.templates,
            self.facts,
            self.safety,
            self.verdict_of,
            self.progress,
            notion=self.notion,
        )

    def _of_one(self, found: Part) -> Proved:
        return Proved(found.epsilon, found.delta, (found,), found.checked)

    # --- parts ------------------------------------------------------------------------------

    def _composed(self, way: Cuts) -> Proved | Unknown:
        """[Compose]: the parts' bounds, added; if need be with facts about what is handed on."""
        plain = [_Part(item) for item in parts(self.mechanism, way)]
        found = self._by_parts(way, plain, self.safety)
        if isinstance(found, Proved) and found.checked.within_claim:
            return found
        with_assumptions, safety = self._with_assumptions(way, plain)
        return self._by_parts(way, with_assumptions, safety) if with_assumptions != plain else found

    def _with_assumptions(self, way: Cuts, plain: Sequence[_Part]) -> tuple[list[_Part], Discharge]:
        """The parts with what holds in every run of what they are handed, and the proof that it does."""
        supports = {name: concrete_support(item) for name, item in self.templates.items()}
        body = list(self.mechanism.body)
        wanted: list[list[ir.Obligation]] = [[]]
        for cut, part in zip(way, plain[1:], strict=True):
            facts = candidate_interface_facts(self.mechanism, cut, part.mechanism, supports)
            wanted.append([ir.Obligation("given", fact, "", self.mechanism.span) for fact in facts])
        for cut, asked in reversed(list(zip(way, wanted[1:], strict=True))):
            body[cut:cut] = asked
        safety = discharge(replace(self.mechanism, body=tuple(body)))
        with_assumptions = [
            replace(part, given=tuple(item.condition for item in asked if item not in safety.missing))
            for part, asked in zip(plain, wanted, strict=True)
        ]
        return with_assumptions, replace(self.safety, shown=(*self.safety.shown, *safety.shown))

    def _by_parts(self, way: Cuts, chosen: Sequence[_Part], safety: Discharge) -> Proved | Unknown:
        """Parts that need a delta get equal shares of the claimed one, and those that need an ε as well
        get equal shares of what the others leave of it.  All real Gaussian noise together gets one share.
        """
        found, failed = self._derived(dict(enumerate(chosen)), None, None)
        noisy = bool(_squares(found.values()))
        delta = self._share(self.mechanism.delta, [], len(failed) + noisy)
        if failed and delta is not None:
            more, failed = self._derived({place: chosen[place] for place in failed}, None, delta)
            found |= more
            spent = [item.epsilon for item in found.values()]
            epsilon = self._share(self.mechanism.epsilon, spent, len(failed) + noisy)
            if failed and epsilon is not None:
                more, failed = self._derived({place: chosen[place] for place in failed}, epsilon, delta)
                found |= more
        if failed:
            return next(iter(failed.values()))
        return self._check_certificate(way, chosen, tuple(found[place] for place in sorted(found)), safety)

    def _derived(
        self, chosen: Mapping[int, _Part], epsilon: ir.Expression | None, delta: ir.Expression | None
    ) -> tuple[dict[int, Part], dict[int, Unknown]]:
        """Proofs of parts within a claim, and why others have none."""
        found: dict[int, Part] = {}
        failed: dict[int, Unknown] = {}
        for place, part in chosen.items():
            result = self._part(part, epsilon, delta)
            if not isinstance(result, Unknown) and result.checked.within_claim:
                found[place] = result
                continue
            failed[place] = result if isinstance(result, Unknown) else self._missed_by_part(result)
            if is_zero(self.mechanism.delta):
                break
        return found, failed

    def _part(
        self, part: _Part, epsilon: ir.Expression | None, delta: ir.Expression | None
    ) -> Part | Unknown:
        found = self._retried(part, epsilon)
        if isinstance(found, Unknown):
            return self._once(part, epsilon, delta)
        return found

    def _retried(self, part: _Part, epsilon: ir.Expression | None) -> Part | Unknown:
        """[Until]: by the proof of one round, which costs half of it."""
        once = Unknown(Code.NO_BOUND(), part.mechanism.span)
        if self.notion is not None or not decides_again(part.mechanism):
            return once
        half = None if epsilon is None else builders.divide(epsilon, ir.Constant(Fraction(2), ir.Sort.REAL))
        found = self._once(replace(part, mechanism=one_round(part.mechanism)), half, None)
        if isinstance(found, Unknown) or not found.checked.within_claim or not found.delta.is_zero():
            return once
        return replace(found, epsilon=Rational.number(2) * found.epsilon, retried=True)

    def _once(
        self, part: _Part, epsilon: ir.Expression | None, delta: ir.Expression | None
    ) -> Part | Unknown:
        mechanism = replace(part.with_assumptions(), epsilon=epsilon, delta=delta)

        def verdict_of(text: str) -> Verdict:
            return check_part(text, part.mechanism, part.terms(), CHECK_MILLISECONDS)

        attempt = Attempt(
            mechanism,
            self.templates,
            self.facts,
            Discharge((), ()),
            verdict_of,
            self.progress,
            part=True,
            notion=self.notion,
        )
        found = _one(attempt)
        claimed = self.mechanism.divergence
        converts = claimed is None or claimed.notion is ir.Notion.ZCDP
        if self.notion is not None and converts and isinstance(found, Unknown):
            found = _one(replace(attempt, notion=None))
        return found

    def _share(
        self, claim: ir.Expression | None, spent: Sequence[Rational], shares: int
    ) -> ir.Expression | None:
        """An equal share of what is left of a claim; None if there is nothing to share."""
        if claim is None or not shares or is_zero(claim):
            return None
        return builders.divide(self._left(claim, spent), ir.Constant(Fraction(shares), ir.Sort.REAL))

    def _left(self, claim: ir.Expression, spent: Sequence[Rational]) -> ir.Expression:
        for bound in spent:
            claim = builders.subtract(claim, read_bound(self.mechanism, rational_text(bound)))
        return claim

    def _check_certificate(
        self, way: Cuts, chosen: Sequence[_Part], derived: tuple[Part, ...], safety: Discharge
    ) -> Proved | Unknown:
        documents = [
            PartDocument(item.checked.certificate, part.terms(), item.retried)
            for part, item in zip(chosen, derived, strict=True)
        ]
        epsilon = sum((item.epsilon for item in derived), Rational.number(0))
        delta = sum((item.delta for item in derived), Rational.number(0))
        paid: tuple[ir.Expression, ir.Expression] | None = None
        squares = _squares(derived)
        if squares and self.notion is None:
            claims = self.mechanism.epsilon, self.mechanism.delta
            if claims[0] is None or claims[1] is None:
                return Unknown(Code.GAUSSIAN_WITHOUT_CLAIM(), gaussian_place(self.mechanism))
            paid = self._left(claims[0], [epsilon]), self._left(claims[1], [delta])
            epsilon, delta = rational(claims[0]), rational(claims[1])

        def write_documents(claim: Claim) -> list[str]:
            return [composed_text(self.mechanism, claim, way, documents, safety, paid)]

        opaque_definitions = {
            name: item for part in derived for name, item in part.opaque_definitions.items()
        }
        if self.notion is None:
            found = check_within_claim(
                self.mechanism, (epsilon, opaque_definitions), self.facts, write_documents, self.verdict_of
            )
        else:
            square = sum(squares, Rational.number(0))
            if self.mechanism.divergence is not None:
                square = sum((item.epsilon * item.epsilon for item in derived), square)
            found = check_squares(self.mechanism, self.notion, square, write_documents, self.verdict_of)
        if isinstance(found, Unknown):
            return found
        return Proved(epsilon, delta, derived, found)

    # --- the claim --------------------------------------------------------------------------

    def missed(self, found: Proved) -> Unknown:
        if self.notion is not None:
            bound, claim = (str(item) for item in (found.checked.states, Claim.of(self.mechanism)))
            why = Code.DIVERGENCE_MISSES_CLAIM(bound=bound, claim=claim)
            return Unknown(why, self.mechanism.span, certificate=found.certificate)
        return replace(
            self._above_claim(found.epsilon, Code.BOUND_MISSES_CLAIM), certificate=found.certificate
        )

    def _missed_by_part(self, found: Part) -> Unknown:
        return self._above_claim(found.epsilon, Code.PART_MISSES_CLAIM)

    def _above_claim(self, bound: Rational, code: Code) -> Unknown:
        assert self.mechanism.epsilon is not None
        claim = rational(self.mechanism.epsilon)
        return Unknown(code(bound=str(bound), claim=str(claim)), self.mechanism.span, bound)


def _is_cheapest(found: Proved) -> bool:
    """Whether parts can't cost less: their strategies together are one of the whole."""
    return all(isinstance(part, Derived) and part.cheapest for part in found.parts)


def _squares(parts: Iterable[Part]) -> list[Rational]:
    """What real Gaussian noise comes to in the parts that have some."""
    return [part.noise.square for part in parts if isinstance(part, Derived) and part.noise is not None]


def _one(attempt: Attempt) -> Part | Unknown:
    """The proof of one mechanism."""
    found = _by_chances(attempt)
    return _by_couplings(attempt) if isinstance(found, Unknown) else found


def _by_chances(attempt: Attempt) -> Lifted | Unknown:
    """By the chances of the output, where several draws of finitely many values decide it."""
    if attempt.notion is not None or _draws_once(attempt.mechanism):
        return Unknown(Code.ONE_DRAW(), attempt.mechanism.span)
    return lifted(attempt)


def _by_couplings(attempt: Attempt, ceiling: Rational | None = None) -> Part | Unknown:
    """By couplings of draws; of one draw by its chances where that doesn't meet the claim, or costs more."""
    coupled = CouplingSearch(attempt, ceiling).run()
    claimed = attempt.mechanism.epsilon is not None
    if attempt.notion is not None or not _draws_once(attempt.mechanism):
        return coupled
    if isinstance(coupled, Derived) and coupled.checked.within_claim and claimed:
        return coupled
    found = lifted(attempt)
    if isinstance(found, Unknown) or isinstance(coupled, Unknown):
        return coupled if isinstance(found, Unknown) else found
    as_good = attempt.facts.at_most(
        coupled.epsilon, found.epsilon, {**found.opaque_definitions, **coupled.opaque_definitions}
    )
    return coupled if coupled.checked.within_claim and as_good else found


def _draws_once(mechanism: ir.Mechanism) -> bool:
    """Whether there is one draw at the most, and no loop."""
    items = list(ir.statements(mechanism.body))
    draws = [item for item in items if isinstance(item, ir.Draw | ir.Choose)]
    return len(draws) <= 1 and not any(isinstance(item, ir.Loop) for item in items)


def _check(text: str) -> Verdict:
    return check(text, milliseconds=CHECK_MILLISECONDS)
