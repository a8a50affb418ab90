"""From what the prover returns to a result: plain data, without any solver's objects."""

from __future__ import annotations

from dataclasses import replace

from synth.language.analysis import Analysis
from synth.language.syntax import Draw, Loop, Mechanism, statements
from synth.logic.rational_text import text as rational_text
from synth.prove import Proved, Unknown
from synth.report.blank import blank
from synth.report.invariants import with_invariants
from synth.report.names import Names
from synth.report.shrinking import shrunk
from synth.report.sites import Sites
from synth.results import PROVED, Result

_IDEALIZED = "exact arithmetic (ideal reals, unbounded integers) and exact sampling"
_TAILS = "the tails of normal noise as in Balle & Wang 2018, Thm. 8, and CertiPriv [norm]"
_TERMINATION = "that whether a run terminates is not observed"


def result_of(mechanism: Mechanism, found: Proved | Unknown) -> Result:
    """The result; for a proof with the invariants as the solver gave them."""
    if isinstance(found, Unknown):
        return _unknown(mechanism, found)
    return with_invariants(_proved(mechanism, found), found, found.solution)


def with_short_invariants(result: Result, found: Proved) -> Result:
    """The same result, with conjuncts dropped that the proof doesn't need."""
    return with_invariants(result, found, shrunk(found.system, found.solution))


def _unknown(mechanism: Mechanism, found: Unknown) -> Result:
    result = blank(mechanism, found.reason)
    if found.span is not None:
        result = replace(result, reason_line=found.span.line)
    if found.epsilon is None:
        return result
    bound = rational_text(found.epsilon, Names(Analysis(mechanism)).budgets())
    reason = f"couplings prove {bound}, which is not shown to be at most the claim {result.claim.epsilon}"
    return replace(result, epsilon=bound, delta="0", reason=reason)


def _proved(mechanism: Mechanism, found: Proved) -> Result:
    names = Names(Analysis(found.mechanism))
    sites = Sites(names, found.strategy, found.weights, found.masses)
    return replace(
        blank(mechanism),
        verdict=PROVED,
        epsilon=rational_text(found.epsilon, names.budgets()),
        delta=rational_text(found.delta, names.budgets()),
        sites=sites.table(),
        notes=tuple(sites.notes()),
        spare=found.spare,
        assumptions=_assumptions(mechanism),
        seconds_checking=round(found.seconds_checking, 3),
        proof=found.certificate,
    )


def _assumptions(mechanism: Mechanism) -> str:
    loops = [item for item in statements(mechanism.body) if isinstance(item, Loop)]
    parts = [_IDEALIZED]
    if any(isinstance(item, Draw) and item.distribution == "gaussian" for item in statements(mechanism.body)):
        parts.append(_TAILS)
    if any(loop.count is None for loop in loops):
        parts.append(_TERMINATION)
    stated = "; ".join(dict.fromkeys(fact.text for fact in mechanism.facts))
    parts += [f"of its functions, for all integers: {stated}"] if stated else []
    return f"The proof assumes {', and '.join(parts)}."
