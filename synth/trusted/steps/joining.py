"""Joined loops: two loops that count up to the same end are one, which does the rounds of both.

*Theorem.* If :func:`joined` accepts the step from P to P', both have the same distribution of outputs on each
input, and if no run of P' violates an obligation, then none of P does.

For the rounds of the second loop draw nothing and come to their end, they read nothing that is assigned from
the first loop on, and nothing there mentions what they assign.  The proof is in docs/certificates.md, "Joined
loops".
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.counted_loops import surely_ends
from synth.trusted.program.dataflow import Body, assigned, exited, names, target
from synth.trusted.steps.equivalence_codes import Code, Different
from synth.trusted.steps.fusion import changed_at
from synth.trusted.steps.repetition import computes
from synth.trusted.steps.streaming import begins_with, mentions, repeats_label


@dataclass(frozen=True)
class _Rounds:
    """A block with a loop that counts ``index`` up to ``end``: what it does in each round, and the count."""

    block: ir.Block
    loop: ir.Loop
    end: ir.Expression
    index: ir.Variable
    each: Body
    step: ir.Assign

    def then(self, more: Body) -> ir.Block:
        """The block, with more in each round."""
        body = (self.loop.body[0], *self.each, *more, self.step)
        return replace(self.block, body=(replace(self.loop, body=body),))


def joined(mechanism: ir.Mechanism, place: tuple[int, ...]) -> ir.Mechanism:
    """Return the program in which the loop at a place is part of the last one before it in its body.

    Raises Different or Rejected where that may be another program.
    """

    def change(body: Body, start: int) -> Body:
        second = _rounds(body[start : start + 1])
        earlier = [number for number, item in enumerate(body[:start]) if isinstance(item, ir.Block)]
        if start < 0 or not earlier or earlier[-1] == 0:
            raise Different(Code.NOT_JOINED())
        number = earlier[-1]
        first = _rounds(body[number : number + 1])
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


def _rounds(found: Body) -> _Rounds:
    """The loop that counts up in the one block that this is.  Raises Different for anything else."""
    match found:
        case (
            ir.Block(
                label=label,
                body=(
                    ir.Loop(
                        body=(
                            ir.If(
                                condition=ir.Operation(ir.Operator.LESS_EQUAL, (end, ir.Variable() as index)),
                                then=(ir.Exit(label=left),),
                                otherwise=(),
                            ),
                            *each,
                            ir.Assign(target=counted, value=value) as step,
                        )
                    ) as loop,
                ),
            ) as block,
        ) if (
            label == left
            and counted == index.name
            and value == builders.add(index, builders.ONE)
            and counted not in assigned(each)
            and not exited(tuple(each))
        ):
            return _Rounds(block, loop, end, index, tuple(each), step)
    raise Different(Code.NOT_JOINED())
