"""Advanced computations: what one side of a branch computes first is computed before the branch.

*Theorem.* If :func:`advanced` accepts the step from P to P', both have the same distribution of outputs on
each input, and if no run of P' violates an obligation, then none of P does.

For the statements draw nothing, come to their end, and assign what nothing but this side of the branch
mentions, where it is assigned before it is read.  The proof is in docs/certificates.md, "Advanced
computations".
"""

from __future__ import annotations

from dataclasses import replace

from synth.trusted.logic.definite_assignment import check_reads_assigned
from synth.trusted.program import syntax as ir
from synth.trusted.program.counted_loops import surely_ends
from synth.trusted.program.dataflow import Body, assigned
from synth.trusted.steps.equivalence_codes import Code, Different
from synth.trusted.steps.fusion import changed_at
from synth.trusted.steps.repetition import computes
from synth.trusted.steps.streaming import mentions


def advanced(mechanism: ir.Mechanism, place: tuple[int, ...], side: int, length: int) -> ir.Mechanism:
    """Return the program in which the first statements of a side of the branch at a place stand before it.

    Raises Different or Rejected where that may be another program.
    """
    first: Body = ()

    def change(body: Body, start: int) -> Body:
        nonlocal first
        branch, whole = _side(body, start, side)
        first, rest = whole[:length], whole[length:]
        if not 0 < length == len(first) or not computes(first) or not surely_ends(first):
            raise Different(Code.NOT_ADVANCED())
        check_reads_assigned(whole, first)
        return (*body[:start], *first, _with_side(branch, side, rest), *body[start + 1 :])

    def without(body: Body, start: int) -> Body:
        branch, _ = _side(body, start, side)
        return (*body[:start], _with_side(branch, side, ()), *body[start + 1 :])

    after = changed_at(mechanism.body, place, change)
    others = changed_at(mechanism.body, place, without)
    if assigned(first) & (assigned(others) | mentions(others)):
        raise Different(Code.NOT_ADVANCED())
    return replace(mechanism, body=after)


def _side(body: Body, start: int, side: int) -> tuple[ir.If, Body]:
    """The branch at a place, and one of its sides.  Raises Different where there is none."""
    match body[start : start + 1]:
        case (ir.If() as branch,) if start >= 0 and side in (0, 1):
            return branch, branch.otherwise if side else branch.then
    raise Different(Code.NOT_ADVANCED())


def _with_side(branch: ir.If, side: int, body: Body) -> ir.If:
    return replace(branch, otherwise=body) if side else replace(branch, then=body)
