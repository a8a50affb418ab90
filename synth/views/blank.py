"""Results that say nothing yet, from what is known before the proof."""

from __future__ import annotations

from synth.trusted.program import syntax as ir
from synth.trusted.program.printing import text
from synth.views.results import UNKNOWN, Claim, Result


def blank(
    mechanism: ir.Mechanism, reason: str | None = None, seconds: float = 0.0, code: str | None = None
) -> Result:
    """The result of a proof that did not come to an end."""
    return Result(
        mechanism=mechanism.name,
        verdict=UNKNOWN,
        epsilon=None,
        delta=None,
        claim=Claim(
            None if mechanism.epsilon is None else text(mechanism.epsilon),
            None if mechanism.delta is None else text(mechanism.delta),
        ),
        seconds=seconds,
        reason=reason,
        code=code,
        file=mechanism.path,
        line=mechanism.span.line,
        specification=None if mechanism.specification is None else mechanism.specification.json(),
        unread=mechanism.unread,
    )
