"""Permuted draws: a uniform draw that is read only in a sum modulo its size is read without the other terms.

*Theorem.* If :func:`permuted` accepts the step from P to P', both have the same distribution of outputs on
each input, and a run of P violates an obligation just if one of P' does.

For y is uniform on the n integers from low on, and it is read once at the most before it is drawn again, in
(e + y) % n or (e - y) % n.  Given all that has happened until then y is still uniform, since nothing else has
read it, and e and n are numbers; v -> (e ± v) mod n is a bijection from any n consecutive integers to those
from 0 to n - 1.  So what is read is uniform on these, independent of all else; in P' it is y - low.
"""

from __future__ import annotations

from dataclasses import replace

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, changed, expressions, names, with_blocks
from synth.trusted.program.laws import arguments_of
from synth.trusted.program.linear_forms import linear
from synth.trusted.program.substitution import mapped
from synth.trusted.steps.equivalence_codes import Code, Different
from synth.trusted.steps.fusion import changed_at

_READS_ONCE = ir.Assign | ir.Append | ir.Return | ir.If | ir.Draw


def permuted(mechanism: ir.Mechanism, place: tuple[int, ...]) -> ir.Mechanism:
    """Return the program that reads the uniform draw at a place without what is added to it.

    Raises Different or Rejected where it is none, or is read in another way.
    """

    def change(body: Body, start: int) -> Body:
        match body[start : start + 1]:
            case (ir.Choose() as draw,) if _is_read_once(mechanism, draw.target):
                return (*body[: start + 1], *_without_rest(draw, body[start + 1 :]))
        raise Different(Code.NOT_PERMUTED())

    return replace(mechanism, body=changed_at(mechanism.body, place, change))


def _is_read_once(mechanism: ir.Mechanism, name: str) -> bool:
    """Whether the program assigns a variable in one place, and reads it in one."""
    statements = list(ir.statements(mechanism.body))
    counts = [item.count for item in statements if isinstance(item, ir.Loop) and item.count is not None]
    read = [*counts, *(value for item in statements for value in expressions(item))]
    parts = (part for value in read for part in ir.subexpressions(value))
    targets = [getattr(item, "target", None) for item in statements]
    return (
        targets.count(name) == 1 == sum(isinstance(item, ir.Variable) and item.name == name for item in parts)
    )


def _without_rest(draw: ir.Choose, behind: Body) -> Body:
    """The statements behind the draw, with y - low in place of the sum modulo n.  Raises Different."""
    match arguments_of(draw):
        case "uniform_int", (low, high):
            pass
        case _:
            raise Different(Code.NOT_PERMUTED())
    drawn = ir.Variable(draw.target, draw.sort)
    size = linear(builders.add(builders.subtract(high, low), builders.ONE))
    found: list[ir.Expression] = []

    def renamed(value: ir.Expression) -> ir.Expression | None:
        match value:
            case ir.Operation(ir.Operator.MODULO, (total, modulus), ir.Sort.INT) if (
                abs(linear(total).parts.get(drawn, 0)) == 1 and linear(modulus) == size
            ):
                found.append(value)
                return builders.subtract(drawn, low)
        return None

    def inside(body: Body) -> Body:
        return tuple(map(once, body))

    def once(item: ir.Statement) -> ir.Statement:
        if isinstance(item, ir.Loop):
            return item
        if isinstance(item, _READS_ONCE):
            return changed(item, lambda value: mapped(value, renamed), inside)
        return with_blocks(item, inside)

    after = inside(behind)
    if len(found) != 1 or (names(low) | names(high)) & assigned(behind):
        raise Different(Code.NOT_PERMUTED())
    return after
