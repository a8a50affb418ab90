"""Deferred draws: noise, or a coin, is drawn behind statements that have nothing to do with it.

*Theorem.* If :func:`deferred` accepts the step from P to P', both have the same distribution of outputs on
each input, and a run of P may violate an obligation just if one of P' may.

For what is passed neither reads nor assigns the noise, nor does it assign what the law is made of.  So both
do the same in either order, and draw independently.  Where control doesn't come behind what is passed, the
run has ended or goes on for ever, and has not read the noise.
"""

from __future__ import annotations

from dataclasses import replace

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, expressions, names
from synth.trusted.steps.equivalence_codes import Code, Different
from synth.trusted.steps.fusion import changed_at


def deferred(mechanism: ir.Mechanism, place: tuple[int, ...], length: int) -> ir.Mechanism:
    """Return the program with the draw at a place behind the next ``length`` statements.

    Raises Different or Rejected where it may not be moved.
    """

    def change(body: Body, start: int) -> Body:
        draw, passed = body[start : start + 1], body[start + 1 : start + 1 + length]
        match draw:
            case (ir.Draw() | ir.Choose(law=ir.Chances()) as drawn,) if 0 < length == len(passed):
                pass
            case _:
                raise Different(Code.NOT_NOISE_AND_MORE())
        for item in passed:
            _check_apart(drawn, item)
        return (*body[:start], *passed, drawn, *body[start + 1 + length :])

    return replace(mechanism, body=changed_at(mechanism.body, place, change))


def _check_apart(draw: ir.Draw | ir.Choose, passed: ir.Statement) -> None:
    """Raises Different."""
    made_of = {name for item in expressions(draw) for name in names(item)}
    for item in ir.statements((passed,)):
        count = (item.count,) if isinstance(item, ir.Loop) and item.count is not None else ()
        read = {name for part in (*expressions(item), *count) for name in names(part)}
        written = assigned((item,))
        if draw.target in read | written or made_of & written:
            raise Different(Code.NOT_APART(line=getattr(item, "span", draw.span).line))
    if _leaves((passed,), frozenset()):
        raise Different(Code.NOT_APART(line=draw.span.line))


def _leaves(body: Body, inside: frozenset[str]) -> bool:
    """Whether an exit leaves a block around the body; ``inside`` are the labels of blocks within."""
    return any(
        item.label not in inside
        if isinstance(item, ir.Exit)
        else any(
            _leaves(part, inside | {item.label} if isinstance(item, ir.Block) else inside)
            for part in ir.blocks(item)
        )
        for item in body
    )
