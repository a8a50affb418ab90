"""Uniform draws that are added to something modulo their size, to be read without it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from synth.prover.normal_form.late_draws import times_assigned, uses_of
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, changed, expressions, names, with_blocks
from synth.trusted.program.laws import arguments_of
from synth.trusted.program.linear_forms import linear
from synth.trusted.program.substitution import replaced


def uniform_draws(mechanism: ir.Mechanism) -> Iterator[tuple[int, ...]]:
    """Return where uniform draws are made that some expression modulo a number may depend on."""
    if any(_has_modulo(value) for item in ir.statements(mechanism.body) for value in expressions(item)):
        yield from _found(mechanism.body, ())


def sums_in_place(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The same mechanism, with sums of uniform draws where the variables were read that held them."""
    times, uses = times_assigned(mechanism.body), uses_of(mechanism.body)
    choices = (item for item in ir.statements(mechanism.body) if isinstance(item, ir.Choose))
    drawn = {item.target for item in choices if _is_uniform(item)}

    def is_sum(item: ir.Statement) -> bool:
        if not isinstance(item, ir.Assign) or times[item.target] != 1 or uses.get(item.target) != 1:
            return False
        parts = {part.name for part in linear(item.value).parts if isinstance(part, ir.Variable)}
        return item.value.sort is ir.Sort.INT and bool(parts & drawn)

    def inside(body: Body) -> Body:
        body = tuple(with_blocks(item, inside) for item in body)
        for place, item in enumerate(body):
            if is_sum(item) and isinstance(item, ir.Assign):
                behind = _read_at_once(item, body[place + 1 :])
                if behind is not None:
                    return inside((*body[:place], *behind))
        return body

    return replace(mechanism, body=inside(mechanism.body))


def _read_at_once(item: ir.Assign, behind: Body) -> Body | None:
    """The statements behind an assignment with its value where the first that reads it does so.

    None if something in it has changed by then.
    """
    for place, reader in enumerate(behind):
        if any(item.target in names(value) for value in expressions(reader)):
            put = changed(reader, lambda value: replaced(value, {item.target: item.value}), lambda body: body)
            return (*behind[:place], put, *behind[place + 1 :])
        if assigned((reader,)) & names(item.value):
            return None
    return None


def _found(body: Body, place: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for number, item in enumerate(body):
        if _is_uniform(item):
            yield (*place, number)
        for side, inner in enumerate(ir.blocks(item)):
            yield from _found(inner, (*place, number, side))


def _is_uniform(statement: ir.Statement) -> bool:
    match statement:
        case ir.Choose():
            named = arguments_of(statement)
            return named is not None and named[0] == "uniform_int"
    return False


def _has_modulo(value: ir.Expression) -> bool:
    return any(
        isinstance(part, ir.Operation) and part.operator is ir.Operator.MODULO
        for part in ir.subexpressions(value)
    )
