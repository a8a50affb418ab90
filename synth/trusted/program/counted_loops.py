"""Loops that count up, by their shape alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, exited, names, target
from synth.trusted.program.linear_forms import linear


def counting(loop: ir.Loop) -> tuple[str, ir.Expression] | None:
    """Return the integer that each round counts up by 1, and the end that it asks for first, which stays.

    Such a loop ends, if what is in it does.  None for other loops.
    """
    match loop.body:
        case (
            ir.If(
                condition=ir.Operation(
                    ir.Operator.LESS_EQUAL, (end, ir.Variable(name, ir.Sort.INT) as counter)
                ),
                then=(ir.Exit(),),
                otherwise=(),
            ),
            *rest,
        ):
            changed = [target(item) for item in ir.statements(tuple(rest))]
            steps = [
                linear(item.value) for item in rest if isinstance(item, ir.Assign) and item.target == name
            ]
            if (
                linear(builders.add(counter, builders.ONE)) in steps
                and changed.count(name) == 1
                and names(end).isdisjoint(changed)
            ):
                return name, end
    return None


def surely_ends(body: tuple[ir.Statement, ...]) -> bool:
    """Return whether each run comes to the end of the body, or leaves it: all loops count up."""
    return all(
        counting(item) is not None if isinstance(item, ir.Loop) else not isinstance(item, ir.Assume)
        for item in ir.statements(body)
    )


@dataclass(frozen=True)
class Rounds:
    """A block with a loop that counts ``index`` up to ``end``: each round is ``each``, and then ``step``."""

    block: ir.Block
    end: ir.Expression
    index: ir.Variable
    each: Body
    step: ir.Assign

    def then(self, more: Body) -> ir.Block:
        """The block, with more in each round, before the step."""
        (loop,) = self.block.body
        assert isinstance(loop, ir.Loop)
        return replace(self.block, body=(replace(loop, body=(loop.body[0], *self.each, *more, self.step)),))


def rounds_of(found: Body) -> Rounds | None:
    """Return the rounds of the one block that this is, if nothing leaves its loop early; None otherwise."""
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
                    ),
                ),
            ) as block,
        ) if (
            label == left
            and counted == index.name
            and value == builders.add(index, builders.ONE)
            and counted not in assigned(each)
            and not exited(tuple(each))
        ):
            return Rounds(block, end, index, tuple(each), step)
    return None
