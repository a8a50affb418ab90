"""Joined loops: two loops that count up to the same end are one, which does the rounds of both.

*Theorem.* If :func:`joined` accepts the step from P to P', both have the same distribution of outputs on each
input, and if no run of P' violates an obligation, then none of P does.

For the rounds of the second loop draw nothing and come to their end, they read nothing that is assigned from
the first loop on, and nothing there mentions what they assign.  The proof is in docs/certificates.md, "Joined
loops".
"""

from __future__ import annotations

from dataclasses import replace

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.counted_loops import rounds_of, surely_ends
from synth.trusted.program.dataflow import Body, assigned, exited, names, target
from synth.trusted.steps.equivalence_codes import Code, Different
from synth.trusted.steps.fusion import changed_at
from synth.trusted.steps.repetition import computes
from synth.trusted.steps.streaming import begins_with, mentions, repeats_label


def joined(mechanism: ir.Mechanism, place: tuple[int, ...]) -> ir.Mechanism:
    """Return the program in which the loop at a place is part of the last one before it in its body.

    Raises Different or Rejected where that may be another program.
    """

    def change(body: Body, start: int) -> Body:
        second = rounds_of(body[start : start + 1])
        earlier = [number for number, item in enumerate(body[:start]) if isinstance(item, ir.Block)]
        number = earlier[-1] if start >= 0 and earlier else 0
        first = rounds_of(body[number : number + 1])
        if number == 0 or first is None or second is None:
            raise Different(Code.NOT_JOINED())
        between = body[number + 1 : start]
        more = (*second.each, second.step)
        own = assigned(more)
        begins = tuple(item for item in between if begins_with(item, own))
        others = tuple(item for item in between if not begins_with(item, own))
        passed = (first.block, *others)
        if (
            first.end != second.end
            or not _starts(body[number - 1 : number], first.index)
            or not _starts(tuple(item for item in begins if target(item) == second.index.name), second.index)
            or any(isinstance(item, ir.Return | ir.Assume) for item in ir.statements(first.each))
            or not computes(second.each)
            or not surely_ends(second.each)
            or exited(others)
            or own & (assigned(passed) | mentions(passed))
            or (mentions(more) | mentions(begins) | names(first.end)) & assigned(passed)
            or names(first.end) & own
        ):
            raise Different(Code.NOT_JOINED())
        return (*body[:number], *begins, first.then(more), *others, *body[start + 1 :])

    after = changed_at(mechanism.body, place, change)
    if repeats_label(after, frozenset()):
        raise Different(Code.NOT_JOINED())
    return replace(mechanism, body=after)


def _starts(found: Body, index: ir.Variable) -> bool:
    """Whether these are one statement, which assigns 0 to a counter."""
    match found:
        case (ir.Assign(target=name, value=value),):
            return name == index.name and value == builders.ZERO
    return False
