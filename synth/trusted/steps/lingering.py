"""Lingering loops: one that counts up, and is left early by a flag, counts on and does nothing else.

*Theorem.* If :func:`lingered` accepts the step from P to P', both have the same distribution of outputs on
each input; and if no run of P' violates an obligation, then none of P does.

The flag is False before the loop.  A round of P that ends with True is the last: the flag is tested there, or
at the head before the next one.  So as long as P stays in its loop, P' does the same, round by round.  When P
leaves it because of the flag, P' has the same values, and from then on each of its rounds only counts.  The
end that it counts to stays, so it comes there, with the same values but for the counter; that is assigned
anew before the loop begins again, and nothing else reads it.
"""

from __future__ import annotations

from dataclasses import replace

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.counted_loops import counting
from synth.trusted.program.dataflow import Body, exited
from synth.trusted.steps.equivalence_codes import Code, Different
from synth.trusted.steps.fusion import changed_at
from synth.trusted.steps.streaming import mentions


def lingered(mechanism: ir.Mechanism, place: tuple[int, ...]) -> ir.Mechanism:
    """Return the program in which the loop in the block at a place is left only when it has counted up.

    The two statements before the block assign the counter and the flag.  Raises Different or Rejected where
    there is no such loop, or what it counts with is read elsewhere.
    """
    counters: list[str] = []

    def change(body: Body, start: int) -> Body:
        match body[max(start - 2, 0) : start + 1]:
            case (
                ir.Assign(target=counter),
                ir.Assign(target=name, value=builders.FALSE),
                ir.Block(label, (ir.Loop() as loop,)),
            ):
                counters.append(counter)
                after = _going_on(loop, counter, ir.Variable(name, ir.Sort.BOOL), label)
                return (*body[:start], ir.Block(label, (after,)), *body[start + 1 :])
        raise Different(Code.NOT_LINGERING())

    after = replace(mechanism, body=changed_at(mechanism.body, place, change))
    others = changed_at(mechanism.body, place, lambda body, start: (*body[:start], *body[start + 1 :]))
    if not mentions(others).isdisjoint(counters):
        raise Different(Code.NOT_LINGERING())
    return after


def _going_on(loop: ir.Loop, counter: str, flag: ir.Variable, label: str) -> ir.Loop:
    """The loop that only counts once the flag is True, in place of one that is left.  Raises Different."""
    match loop.body:
        case (
            ir.If() as head,
            *inner,
            ir.Assign() as step,
            ir.If(condition=condition, otherwise=()) as tail,
        ) if condition == flag and tail.then and isinstance(tail.then[0], ir.Exit):
            exits = exited((tail,))
        case (ir.If() as head, *inner, ir.Assign() as step) if flag in builders.disjuncts(head.condition):
            ends = (part for part in builders.disjuncts(head.condition) if part != flag)
            head, exits = replace(head, condition=builders.either(*ends)), {label}
        case _:
            raise Different(Code.NOT_LINGERING())
    round_ = tuple(inner)
    counts = counting(replace(loop, body=(head, *round_, step)))
    if (
        counts is None
        or not counts[0] == counter == step.target
        or not exits == exited((head,)) == {label}
        or exited(round_)
        or any(isinstance(item, ir.Return) for item in ir.statements(round_))
    ):
        raise Different(Code.NOT_LINGERING())
    others = ir.If(0, builders.negate(flag), round_, (), loop.span)
    return replace(loop, body=(head, others, step))
