"""From a mechanism to a verdict, by the notion of privacy that is claimed, or one that fits.

What the search proposes is believed only after the kernel has accepted its certificate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pysmt.environment import reset_env

from synth.bounds.scales import NotConstant, Scales, rational
from synth.prover.acceptance import Unknown
from synth.prover.attempt import Progress, is_zero
from synth.prover.codes import Code
from synth.prover.invariant_proof import Derived
from synth.prover.mechanism_proof import best_proof, lower
from synth.prover.problem import CHECK_MILLISECONDS, Problem, in_form, problem_of
from synth.prover.proved import Proved, grows
from synth.prover.rewritings import Told, recorded, recorded_crossing, recorded_lingering
from synth.prover.sampled_proof import prove_by_every_record
from synth.prover.search.shard import Shard
from synth.prover.templates.template import Template
from synth.trusted.core.read_expressions import CoreError
from synth.trusted.core.reader import read_core
from synth.trusted.core.writer import Unwritable, write_core
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.claim import Claim
from synth.trusted.kernel.check import Verdict, check
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.reading import TEXT

__all__ = ["Derived", "Proved", "Unknown", "prove"]


def prove(
    mechanism: ir.Mechanism,
    templates: Mapping[str, Template],
    progress: Progress = lambda stage, bound=None: None,
    shard: Shard | None = None,
) -> Proved | Unknown:
    """Find a coupling proof of the least ε, and compare it with the claim if there is one.

    Barthe et al. 2016, Prop. 6 (pointwise), with the branches in ``strategy.published`` published
    as well.  With a ``shard`` only its strategies are tried.  Raises ProgramError when no parameters satisfy
    ``requires``, or what is stated divides by zero.
    """
    reset_env()
    try:
        form = recorded(Told.of(mechanism))
        read_core(write_core(form.core))
    except (Unwritable, CoreError) as error:
        return Unknown(Code.NO_CORE_PROGRAM(problem=str(error)), mechanism.span)
    except ProgramError as error:  # what the mechanism needs of its file can't be read by itself
        raise replace(error, path=mechanism.path) if error.path == TEXT else error from None
    problem = problem_of(in_form(mechanism, form), form, templates, progress, _check, shard)
    if isinstance(problem, Unknown):
        return problem
    of_sample = prove_by_every_record(mechanism, templates, progress, _check)
    if isinstance(of_sample, Proved) and of_sample.checked.within_claim:
        return of_sample
    mechanism = problem.mechanism
    if mechanism.divergence is not None:
        found = best_proof(replace(problem, notion=mechanism.divergence.notion))
        if isinstance(found, Unknown) and mechanism.divergence.notion is ir.Notion.ZCDP:
            found = _of_pure_privacy(problem, found)
    else:
        found = best_proof(problem)
        if mechanism.epsilon is mechanism.delta is None and _needs_notion(found):
            found = _of_other_notion(problem)
        elif isinstance(found, Unknown) and _may_concentrate(mechanism):
            other = best_proof(replace(problem, notion=ir.Notion.ZCDP))
            found = found if isinstance(other, Unknown) else _as_claimed(other, mechanism)
    if mechanism.divergence is None and (isinstance(found, Unknown) or mechanism.epsilon is None):
        lingering = _by_lingering(mechanism, templates, progress, shard)
        if isinstance(lingering, Proved) and lingering.checked.within_claim:
            found = lingering if isinstance(found, Unknown) else _lesser(problem, found, lingering)
    if isinstance(found, Unknown) and mechanism.divergence is None and not is_zero(mechanism.delta):
        crossing = _by_crossing(problem, form.core, templates, progress, shard)
        found = crossing if isinstance(crossing, Proved) and crossing.checked.within_claim else found
    if isinstance(found, Unknown) and isinstance(of_sample, Proved):
        return problem.missed(of_sample)
    return found.located() if isinstance(found, Unknown) else found


def _by_lingering(
    mechanism: ir.Mechanism, templates: Mapping[str, Template], progress: Progress, shard: Shard | None
) -> Proved | Unknown | None:
    """[Linger]: by the program whose loops go on to their end where noise leaves them; None without such."""
    form = recorded_lingering(Told.of(mechanism))
    if form is None:
        return None
    problem = problem_of(in_form(mechanism, form), form, templates, progress, _check, shard)
    return problem if isinstance(problem, Unknown) else best_proof(problem)


def _by_crossing(
    known: Problem,
    core: ir.Mechanism,
    templates: Mapping[str, Template],
    progress: Progress,
    shard: Shard | None,
) -> Proved | Unknown | None:
    """[Cross]: where a coin shows one side no more often than the claimed δ, that side is a tail of noise."""
    mechanism = known.mechanism
    assert mechanism.delta is not None
    claimed = builders.convert(mechanism.delta, ir.Sort.REAL)

    def pays(chance: ir.Expression) -> bool:
        try:
            public = Scales(core).resolve(chance, core.span)
        except NotConstant:
            return False
        return known.facts.holds(builders.less_equal(public, claimed))

    form = recorded_crossing(Told.of(mechanism), pays)
    if form is None:
        return None
    problem = problem_of(in_form(mechanism, form), form, templates, progress, _check, shard)
    return problem if isinstance(problem, Unknown) else best_proof(problem)


def _lesser(problem: Problem, one: Proved, other: Proved) -> Proved:
    """The proof whose bound doesn't grow with the input, or which costs less."""
    one_grows, other_grows = (grows(item.epsilon) for item in (one, other))
    return other if one_grows and not other_grows else lower(problem.facts, one, other) or one


def _of_other_notion(problem: Problem) -> Proved | Unknown:
    """The first notion of which there is a bound."""
    results = [best_proof(replace(problem, notion=notion)) for notion in ir.Notion]
    return next((item for item in results if isinstance(item, Proved)), results[0])


def _of_pure_privacy(problem: Problem, otherwise: Unknown) -> Proved | Unknown:
    """By an ε, which is worth a ρ of ε²/2; of Gaussian noise there is none."""
    noise = (item for item in ir.statements(problem.mechanism.body) if isinstance(item, ir.Draw))
    if any(item.distribution == "gaussian" for item in noise):
        return otherwise
    found = best_proof(problem)
    if isinstance(found, Unknown):
        return otherwise
    states = Claim.of(problem.mechanism)
    return replace(found, checked=replace(found.checked, states=states))


def _may_concentrate(mechanism: ir.Mechanism) -> bool:
    """Whether some δ is claimed beside ε, and several draws of noise may have a ρ together."""
    noise = [
        item
        for item in ir.statements(mechanism.body)
        if isinstance(item, ir.Draw) or (isinstance(item, ir.Choose) and isinstance(item.law, ir.Weights))
    ]
    looped = any(isinstance(item, ir.Loop) for item in ir.statements(mechanism.body))
    claimed = mechanism.epsilon is not None and not is_zero(mechanism.delta)
    return claimed and bool(noise) and (looped or len(noise) > 1)


def _as_claimed(found: Proved, mechanism: ir.Mechanism) -> Proved:
    """The proof of (ε, δ) by a sum of squares: no less than the claim is known."""
    assert mechanism.epsilon is not None and mechanism.delta is not None
    return replace(found, epsilon=rational(mechanism.epsilon), delta=rational(mechanism.delta))


def _needs_notion(found: Proved | Unknown) -> bool:
    """Whether there is no single ε, as each has its own δ."""
    return isinstance(found, Unknown) and found.why.code is Code.GAUSSIAN_WITHOUT_CLAIM


def _check(text: str) -> Verdict:
    return check(text, milliseconds=CHECK_MILLISECONDS)
