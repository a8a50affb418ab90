"""Noise that is added to a private value is drawn around it, when that value is known.

``z = laplace(0, s)``, then a loop that sums up, then ``return total + z`` becomes the loop,
``w = laplace(total, s)`` and ``z = w - total``.  Couplings shift noise by what is known where it is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

from synth.prover.normal_form.draw_hoisting import Hoister
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, changed, expressions, names, with_blocks
from synth.trusted.program.substitution import replaced

_PLAIN = ir.Assign | ir.Append | ir.Return | ir.Obligation
_SUMS = (ir.Operator.ADD, ir.Operator.SUBTRACT)


@dataclass(frozen=True)
class Late:
    """A draw at ``place``, the number of statements behind it before it is used, and what is added to it."""

    place: tuple[int, ...]
    passed: int
    draw: ir.Draw
    added: ir.Expression


def without_copies(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The same mechanism, with noise read where copies of it were, or it and a number, each made once."""
    times = times_assigned(mechanism.body)
    drawn = {item.target for item in ir.statements(mechanism.body) if isinstance(item, ir.Draw)}
    copies: dict[str, ir.Expression] = {}
    for item in ir.statements(mechanism.body):
        match item:
            case ir.Assign(target=name, value=value) if _is_moved(value):
                value = replaced(value, copies)
                if (
                    all(source in drawn and times[source] == 1 for source in names(value))
                    and times[name] == 1
                ):
                    copies[name] = value

    def inside(body: Body) -> Body:
        kept = (item for item in body if not (isinstance(item, ir.Assign) and item.target in copies))
        return tuple(changed(item, lambda value: replaced(value, copies), inside) for item in kept)

    return replace(mechanism, body=inside(mechanism.body)) if copies else mechanism


def late_draws(mechanism: ir.Mechanism) -> Iterator[Late]:
    """The noise of a program that can be drawn around what it is added to."""
    yield from _Finder(mechanism).found(mechanism.body, ())


def around(mechanism: ir.Mechanism, late: Late) -> ir.Mechanism:
    """The program with the noise drawn around what is added to it; nothing is passed any more."""
    name = next(
        name for name in (f"around%new{number}" for number in count()) if name not in mechanism.variables
    )
    draw, sort = late.draw, late.draw.sort
    center = builders.add(late.added, draw.arguments[0])
    moved = replace(draw, target=name, arguments=(center, draw.arguments[1]))
    value = ir.Operation(ir.Operator.SUBTRACT, (ir.Variable(name, sort), late.added), sort)

    def inside(body: Body) -> Body:
        found: list[ir.Statement] = []
        for item in body:
            if isinstance(item, ir.Draw) and item.site == draw.site:
                found += (moved, ir.Assign(draw.target, value, draw.span))
            else:
                found.append(with_blocks(item, inside))
        return tuple(found)

    return replace(mechanism, body=inside(mechanism.body), variables={**mechanism.variables, name: sort})


class _Finder:
    def __init__(self, mechanism: ir.Mechanism) -> None:
        hoister = Hoister(mechanism)
        self.private, self.noisy = hoister.private, hoister.noisy
        self.times = times_assigned(mechanism.body)
        self.uses = uses_of(mechanism.body)

    def found(self, body: Body, place: tuple[int, ...]) -> Iterator[Late]:
        for number, statement in enumerate(body):
            if isinstance(statement, ir.Draw):
                yield from self._late(body, number, statement, (*place, number))
            for side, inner in enumerate(ir.blocks(statement)):
                yield from self.found(inner, (*place, number, side))

    def _late(self, body: Body, number: int, draw: ir.Draw, place: tuple[int, ...]) -> Iterator[Late]:
        name = draw.target
        if self.times[name] != 1 or _mentioned(draw.arguments[0]) & self.private:
            return
        behind = body[number + 1 :]
        values = [value for item in behind if isinstance(item, _PLAIN) for value in expressions(item)]
        using = [value for value in values if name in names(value)]
        added = {_added(value, name) for value in using}
        if len(using) != self.uses.get(name) or len(added) != 1:
            return
        passed = next(place for place, item in enumerate(behind) if _reads(item, name))
        for rest in added:
            if rest is not None and rest.sort is draw.sort and self._is_private(rest):
                yield Late(place, passed, draw, rest)

    def _is_private(self, expression: ir.Expression) -> bool:
        mentioned = _mentioned(expression)
        return bool(mentioned & self.private) and not mentioned & self.noisy


def _reads(statement: ir.Statement, name: str) -> bool:
    return any(name in names(value) for value in expressions(statement))


def _added(value: ir.Expression, name: str) -> ir.Expression | None:
    """What is added to a variable, or to its opposite, in the sum that it is read in."""
    rest: ir.Expression | None = None
    negated = False
    for part, side in reversed(list(_path(value, name))):
        if part.operator not in _SUMS:
            break
        other = part.operands[1 - side]
        if part.operator is ir.Operator.ADD:
            rest = other if rest is None else builders.add(rest, other)
        elif side == 0:
            rest = builders.opposite(other) if rest is None else builders.subtract(rest, other)
        else:
            rest, negated = other if rest is None else builders.subtract(other, rest), not negated
    return builders.opposite(rest) if rest is not None and negated else rest


def _path(value: ir.Expression, name: str) -> Iterator[tuple[ir.Operation, int]]:
    """The operations around a variable, outermost first, and the place of the operand that it is in."""
    while isinstance(value, ir.Operation):
        inside = [place for place, item in enumerate(value.operands) if name in names(item)]
        if len(inside) != 1:
            return
        yield value, inside[0]
        value = value.operands[inside[0]]


def _mentioned(expression: ir.Expression) -> set[str]:
    reads = {part.source for part in ir.subexpressions(expression) if isinstance(part, ir.Read)}
    return names(expression) | reads


def times_assigned(body: Body) -> dict[str, int]:
    """Return in how many places variables are assigned."""
    times: dict[str, int] = {}
    for item in ir.statements(body):
        if isinstance(item, ir.Assign | ir.Draw | ir.Choose):
            times[item.target] = times.get(item.target, 0) + 1
    return times


def uses_of(body: Body) -> dict[str, int]:
    """Return in how many places variables are read."""
    uses: dict[str, int] = {}
    for item in ir.statements(body):
        for expression in expressions(item):
            for part in ir.subexpressions(expression):
                if isinstance(part, ir.Variable):
                    uses[part.name] = uses.get(part.name, 0) + 1
    return uses


def _is_moved(value: ir.Expression) -> bool:
    """Whether a value is a variable, to which numbers are added or from which they are subtracted."""
    match value:
        case ir.Variable():
            return True
        case ir.Operation(ir.Operator.ADD | ir.Operator.SUBTRACT, (moved, ir.Constant())):
            return _is_moved(moved)
        case _:
            return False
