"""Draws of truth values that a step takes together with what is computed from them at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from synth.rocq.refusal import Inexpressible
from synth.trusted.program import syntax as ir
from synth.trusted.program.substitution import replaced
from synth.trusted.steps.rewriting import Fuse

_Body = Sequence[ir.Statement]


def drawn_at(mechanism: ir.Mechanism, step: Fuse) -> list[ir.Draw | ir.Choose]:
    """The draws that become one.  Raises Inexpressible."""
    return [item for item in ir.statements(_window(mechanism, step)) if isinstance(item, ir.Draw | ir.Choose)]


def fused(after: ir.Mechanism, step: Fuse) -> ir.Choose:
    """The draw that they become, in the program behind the step."""
    return next(item for item in statements_at(after.body, step.place) if isinstance(item, ir.Choose))


def made(mechanism: ir.Mechanism, step: Fuse, draw: ir.Choose) -> ir.Expression:
    """What the step makes of the only draw, of a truth value, if it is true.  Raises Inexpressible.

    The proof is about the program before the step: run 2 draws the truth value of which the same is made.
    """
    return _made(_window(mechanism, step), draw)


def _window(mechanism: ir.Mechanism, step: Fuse) -> tuple[ir.Statement, ...]:
    return tuple(statements_at(mechanism.body, step.place)[: step.length])


def statements_at(body: _Body, place: Sequence[int]) -> _Body:
    """The statements from a place on: numbers of statements, between them those of bodies."""
    first, *rest = place
    if not rest:
        return body[first:]
    match body[first], rest[0]:
        case ((ir.Loop(body=inner) | ir.Block(body=inner)), _):
            return statements_at(inner, rest[1:])
        case ir.If(then=then, otherwise=otherwise), side:
            return statements_at(otherwise if side else then, rest[1:])
    raise Inexpressible("a step at this place has no form in Rocq yet")


def _made(body: _Body, draw: ir.Choose) -> ir.Expression:
    values: dict[str, ir.Expression] = {}
    last = draw.target
    for target, value in _assigned(body, draw, values):
        values[target] = value
        last = target
    return values[last]


def _assigned(
    body: _Body, draw: ir.Choose, values: Mapping[str, ir.Expression]
) -> Iterator[tuple[str, ir.Expression]]:
    """What is assigned one after the other where the draw is true."""
    for item in body:
        match item:
            case ir.Choose() if item is draw:
                yield draw.target, ir.Constant(True, ir.Sort.BOOL)
            case ir.Assign(target=target, value=value):
                yield target, replaced(value, values)
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                match replaced(condition, values):
                    case ir.Constant(value=truth):
                        yield from _assigned(then if truth else otherwise, draw, values)
                    case _:
                        raise Inexpressible("a branch between draws that become one has no form in Rocq yet")
            case ir.Obligation():
                pass
            case _:
                raise Inexpressible("what becomes one draw has no form in Rocq yet")
