"""One-sided noise that is only read times a number, or divided by one, to be drawn with that scale."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import count

from synth.prover.normal_form.known_names import public_names
from synth.prover.normal_form.late_draws import times_assigned
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, changed, expressions, is_made_of, names
from synth.trusted.program.substitution import mapped

_ZERO = builders.zero(ir.Sort.REAL)


def is_one_sided(statement: ir.Statement) -> bool:
    """Whether real noise with one side is drawn."""
    return (
        isinstance(statement, ir.Draw)
        and statement.distribution == "exponential"
        and statement.sort is ir.Sort.REAL
    )


def fresh_name(name: str, taken: Collection[str]) -> str:
    """A name for a variable that is not taken."""
    return next(made for made in (f"{name}%new{number}" for number in count()) if made not in taken)


def scaled(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The program with one-sided noise that is only read times a public number drawn with that scale."""
    times = times_assigned(mechanism.body)
    for draw in [item for item in ir.statements(mechanism.body) if isinstance(item, ir.Draw)]:
        if is_one_sided(draw) and draw.arguments[0] == _ZERO and times[draw.target] == 1:
            mechanism = _scaled(mechanism, draw, times)
    return mechanism


def _scaled(mechanism: ir.Mechanism, draw: ir.Draw, times: Mapping[str, int]) -> ir.Mechanism:
    """With one draw as large as it is read; the same program where there is no one such size."""
    drawn = ir.Variable(draw.target, draw.sort)
    sizes = {
        found
        for item in ir.statements(mechanism.body)
        for value in expressions(item)
        for part in ir.subexpressions(value)
        if (found := _size(part, drawn)) is not None
    }
    if len(sizes) != 1:
        return mechanism
    operator, size = next(iter(sizes))
    if not is_made_of(size, public_names(mechanism)) or any(times.get(name, 0) > 1 for name in names(size)):
        return mechanism
    name = fresh_name("noise", mechanism.variables)
    wide = ir.Variable(name, draw.sort)

    def put(part: ir.Expression) -> ir.Expression | None:
        if _size(part, drawn) is None or not isinstance(part, ir.Operation):
            return None
        negative = sum(_unsigned(item)[1] for item in part.operands) % 2
        return builders.opposite(wide) if negative else wide

    scale = draw.arguments[1]
    one = ir.Constant(Fraction(1), ir.Sort.REAL)
    if operator is ir.Operator.MULTIPLY:
        scale = size if scale == one else builders.arithmetic(operator, scale, size)
    else:
        scale = builders.divide(scale, size)
    positive = ir.Obligation(
        "scale", builders.less(_ZERO, scale), f"the scale of {draw.distribution} must be positive", draw.span
    )

    def inside(body: Body) -> Body:
        rest: list[ir.Statement] = []
        for item in body:
            if isinstance(item, ir.Draw) and item.site == draw.site:
                rest += (positive, replace(item, target=name, arguments=(_ZERO, scale)))
            else:
                rest.append(changed(item, lambda value: mapped(value, put), inside))
        return tuple(rest)

    body = inside(mechanism.body)
    if any(drawn.name in names(value) for item in ir.statements(body) for value in expressions(item)):
        return mechanism
    return replace(mechanism, body=body, variables={**mechanism.variables, name: draw.sort})


def _size(part: ir.Expression, drawn: ir.Variable) -> tuple[ir.Operator, ir.Expression] | None:
    """By what the draw is multiplied or divided there, but for signs."""
    match part:
        case ir.Operation(ir.Operator.MULTIPLY | ir.Operator.DIVIDE, (left, right)):
            left, right = _unsigned(left)[0], _unsigned(right)[0]
            if left == drawn:
                return part.operator, right
            return (part.operator, left) if right == drawn and part.operator is ir.Operator.MULTIPLY else None
        case _:
            return None


def _unsigned(value: ir.Expression) -> tuple[ir.Expression, int]:
    """A number without the signs before it, and how many there are."""
    number = 0
    while isinstance(value, ir.Operation) and value.operator is ir.Operator.NEGATE:
        value, number = value.operands[0], number + 1
    return value, number
