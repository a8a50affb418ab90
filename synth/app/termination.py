"""What a proved bound becomes where an observer sees that a run does not end."""

from __future__ import annotations

from dataclasses import replace

from synth.trusted.program import syntax as ir
from synth.views.assumptions import NOT_OBSERVED, may_not_end
from synth.views.results import PROVED, Result, TerminationSensitive

GAP = "gap"
"""What delta grows by: sup |Pr[M(x1) ends] - Pr[M(x2) ends]|."""

_ALWAYS = "every run ends"
_OBSERVED = "so the bound also holds where termination is observed"


def with_termination(mechanism: ir.Mechanism, result: Result) -> Result:
    """A result with the bound for observable termination, if it is a proof."""
    if result.verdict != PROVED or result.delta is None:
        return result
    if not may_not_end(mechanism):
        return replace(result, termination=TerminationSensitive(True, _ALWAYS, None, result.delta))
    from synth.prover.obligations.termination import termination

    found = termination(mechanism)
    line = None if found.span is None else found.span.line
    if found.observable:
        sensitive = TerminationSensitive(True, found.ending.value, line, result.delta)
        note = f"{found.ending.value[0].upper()}{found.ending.value[1:]}, {_OBSERVED}."
        assumptions = (result.assumptions or "").replace(f", and {NOT_OBSERVED}", "")
        return replace(result, termination=sensitive, assumptions=assumptions, notes=(*result.notes, note))
    delta = GAP if result.delta == "0" else f"{result.delta} + {GAP}"
    reason = f"the {found.what} in line {line} may keep one run from an output, and not the other"
    sensitive = TerminationSensitive(False, reason, line, delta)
    return replace(result, termination=sensitive, notes=(*result.notes, _warning(reason, delta)))


def _warning(reason: str, delta: str) -> str:
    return (
        f"{reason[0].upper()}{reason[1:]}. Where termination is observed, the bound is epsilon as above and "
        f"delta = {delta}, with {GAP} = sup |Pr[M(x1) ends] - Pr[M(x2) ends]|, which is not known here."
    )
