"""Repeated computations: what statements without draws have computed is computed once more where it is read.

*Theorem.* If :func:`repeated` accepts the step from P to P', both have the same distribution of outputs on
each input, and a run of P violates an obligation just if one of P' does.

For the statements read nothing that they assign before they have assigned it, and nothing behind them changes
what they read or assign.  So where they stand again they go the same way as the first time, and end with what
is there already.  The proof is in docs/certificates.md, "Repeated computations".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from synth.trusted.logic.definite_assignment import check_reads_assigned
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, exited
from synth.trusted.steps.equivalence_codes import Code, Different
from synth.trusted.steps.fusion import changed_at
from synth.trusted.steps.streaming import mentions, repeats_label

_COMPUTES = ir.Assign | ir.NewList | ir.Append | ir.If | ir.Block | ir.Loop | ir.Exit | ir.Obligation

Place = tuple[int, ...]


def repeated(mechanism: ir.Mechanism, place: Place, length: int, before: Sequence[Place]) -> ir.Mechanism:
    """Return the program in which ``length`` statements from a place on stand again before later ones.

    Raises Different or Rejected where that may be another program.
    """

    def change(body: Body, start: int) -> Body:
        window, rest = body[start : start + length], body[start + length :]
        if not 0 < length == len(window) or start < 0 or not computes(window):
            raise Different(Code.NOT_REPEATED())
        if (assigned(window) | mentions(window)) & assigned(rest):
            raise Different(Code.NOT_REPEATED())
        check_reads_assigned(window, window)
        for other in sorted(before, reverse=True):
            outer = len(place) - 1
            if len(other) <= outer or other[:outer] != place[:outer]:
                raise Different(Code.NOT_REPEATED())
            inside = (other[outer] - start - length, *other[outer + 1 :])
            rest = changed_at(rest, inside, lambda part, number: _with(part, number, window))
        return (*body[:start], *window, *rest)

    after = changed_at(mechanism.body, place, change)
    if repeats_label(after, frozenset()):
        raise Different(Code.NOT_REPEATED())
    return replace(mechanism, body=after)


def computes(body: Body) -> bool:
    """Whether a body only computes, and control leaves it at its end."""
    return not exited(body) and all(isinstance(item, _COMPUTES) for item in ir.statements(body))


def _with(body: Body, number: int, window: Body) -> Body:
    """The body with the window before a statement.  Raises Different where there is none."""
    if not 0 <= number < len(body):
        raise Different(Code.NOT_REPEATED())
    return (*body[:number], *window, *body[number:])
