"""From what the prover returns to a result: plain data, without any solver's objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from synth.bounds.rational_text import text as rational_text
from synth.prover.coupling_proof import Derived
from synth.prover.lifting_proof import Lifted
from synth.prover.prove import Part, Proved, Unknown
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis
from synth.views.assumptions import assumptions
from synth.views.blank import blank
from synth.views.proof.invariants import with_invariants
from synth.views.proof.names import Names
from synth.views.proof.outcomes import Outcomes
from synth.views.proof.sites import SQUARES, Sites
from synth.views.results import PROVED, Result


def result_of(mechanism: ir.Mechanism, found: Proved | Unknown) -> Result:
    """The result; for a proof with the invariants that are certified."""
    if isinstance(found, Unknown):
        return _unknown(mechanism, found)
    return with_invariants(_proved(mechanism, found), _coupled(found))


def _coupled(found: Proved) -> list[Derived]:
    """The parts that are proved by couplings."""
    return [part for part in found.parts if isinstance(part, Derived)]


def _unknown(mechanism: ir.Mechanism, found: Unknown) -> Result:
    result = blank(mechanism, found.reason)
    if found.span is not None:
        result = replace(result, reason_line=found.span.line)
    if found.epsilon is None:
        return result
    bound = rational_text(found.epsilon, Names(Analysis(mechanism)).budgets())
    reason = f"what is proved is {bound}, which is not shown to be at most the claim {result.claim.epsilon}"
    return replace(result, epsilon=bound, delta="0", reason=reason)


def _proved(mechanism: ir.Mechanism, found: Proved) -> Result:
    names = Names(Analysis(found.mechanism))
    sites = [_sites(part, part is found.parts[-1]) for part in found.parts]
    return replace(
        blank(mechanism),
        verdict=PROVED,
        epsilon=rational_text(found.epsilon, names.budgets()),
        delta=rational_text(found.delta, names.budgets()),
        sites=tuple(site for part in sites for site in part.table()),
        notes=tuple(
            dict.fromkeys(
                [*_composition(found), *_noise(found), *(note for part in sites for note in part.notes())]
            )
        ),
        spare=found.spare,
        assumptions=assumptions(mechanism),
        seconds_checking=round(found.accepted.seconds, 3),
        proof=found.certificate,
    )


def _sites(part: Part, last: bool) -> Sites | Outcomes:
    names = Names(Analysis(part.mechanism))
    if isinstance(part, Lifted):
        return Outcomes(names, part)
    squares = frozenset(case for case, ghost in part.ghosts.items() if ghost in part.squared)
    found = Sites(names, part.strategy, part.weights, part.masses, squares=squares)
    return found if last else replace(found, output=f"what run 1 hands on behind {_lines(part)}")


def _composition(found: Proved) -> Iterator[str]:
    """That a program is proved in parts, and what each costs."""
    if len(found.parts) == 1:
        return
    budgets = Names(Analysis(found.mechanism)).budgets()
    costs = [f"{_lines(part)} for {_cost(part, budgets)}" for part in found.parts]
    yield f"proved in parts that run one after the other (sequential composition): {', '.join(costs)}"


def _cost(part: Part, budgets: frozenset[str]) -> str:
    """What a part costs; its Gaussian noise is paid for by the whole."""
    epsilon = rational_text(part.epsilon, budgets)
    if isinstance(part, Lifted) or part.noise is None:
        return epsilon
    square = f"{rational_text(part.noise.square, budgets)} in {SQUARES}"
    return square if part.epsilon.is_zero() else f"{epsilon} and {square}"


def _noise(found: Proved) -> Iterator[str]:
    """What real Gaussian noise comes to, and costs."""
    if found.noise is None or found.noise.paid is None:
        return
    budgets = Names(Analysis(found.mechanism)).budgets()
    square, *paid = (rational_text(item, budgets) for item in (found.noise.square, *found.noise.paid))
    says = "the sum of (distance/sigma)**2 over all Gaussian noise, is at most"
    yield f"{SQUARES}, {says} {square}; that costs ({', '.join(paid)})"


def _lines(part: Part) -> str:
    """The lines of a part's draws."""
    *some, last = sorted({draw.span.line for draw in Analysis(part.mechanism).sites.values()})
    return f"lines {', '.join(map(str, some))} and {last}" if some else f"line {last}"
