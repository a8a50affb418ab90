"""Results that say nothing yet, from what is known before the proof."""

from __future__ import annotations

from synth.trusted.frontend.claim import Claim
from synth.trusted.program import syntax as ir
from synth.views.results import UNKNOWN, Result


def blank(
    mechanism: ir.Mechanism, reason: str | None = None, seconds: float = 0.0, code: str | None = None
) -> Result:
    """The result of a proof that did not come to an end."""
    return Result(
        mechanism=mechanism.name,
        verdict=UNKNOWN,
        epsilon=None,
        delta=None,
        claim=Claim.of(mechanism),
        seconds=seconds,
        reason=reason,
        code=code,
        file=mechanism.path,
        line=mechanism.span.line,
        specification=None if mechanism.specification is None else mechanism.specification.json(),
        unread=mechanism.unread,
    )
