"""Noise that is only used times a public factor is drawn at the size that it is used at.

For c > 0 and noise on the reals, c·D(m, s) = D(c·m, c·s).  So ``z = laplace(m, s)`` with public m, of which
the program uses nothing but ``c*z`` (or ``z/c``), becomes ``z = laplace(c*m, c*s)``, of which it uses ``z``.
Then no coupling needs a product of a difference with c.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from synth.bounds.scales import NotConstant, Scales
from synth.prover.normal_form.known_names import known_before, public_names
from synth.prover.obligations.public_facts import PublicFacts
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import (
    changed,
    expressions,
    is_made_of,
    length_name,
    target,
)
from synth.trusted.program.substitution import mapped

Body = tuple[ir.Statement, ...]


@dataclass(frozen=True)
class _Scale:
    """The function that multiplies by a factor (in ``place`` 0 or 1 of the product), or divides by it."""

    operator: ir.Operator
    place: int
    factor: ir.Expression

    def of(self, value: ir.Expression) -> ir.Operation:
        """Apply it."""
        operands = (self.factor, value) if self.place == 0 else (value, self.factor)
        return ir.Operation(self.operator, operands, ir.Sort.REAL)


def rescaled(mechanism: ir.Mechanism) -> ir.Mechanism:
    """Return the mechanism with its noise drawn at the size that it is used at."""
    while (found := next(_scales(mechanism), None)) is not None:
        mechanism = replace(mechanism, body=_rewritten(mechanism.body, *found))
    return mechanism


def _scales(mechanism: ir.Mechanism) -> Iterator[tuple[ir.Draw, _Scale]]:
    """Draws, each with what the program makes of all that it uses of it."""
    everything = list(ir.statements(mechanism.body))
    targets = [target(item) for item in everything]
    lengths = {length_name(item.name) for item in mechanism.parameters}
    public, resolver = public_names(mechanism), Scales(mechanism)
    facts = PublicFacts(mechanism.requires)
    for draw in everything:
        if not isinstance(draw, ir.Draw) or draw.sort is not ir.Sort.REAL or targets.count(draw.target) != 1:
            continue
        uses = {use for item in everything for part in expressions(item) for use in _uses(part, draw.target)}
        if len(uses) == 1 and (use := uses.pop()) is not None:
            known = public & (known_before(mechanism, draw) | lengths)
            around_public = all(is_made_of(item, known) for item in (draw.arguments[0], use.factor))
            if around_public and _is_positive(use.factor, draw, facts, resolver):
                yield draw, use


def _is_positive(factor: ir.Expression, draw: ir.Draw, facts: PublicFacts, resolver: Scales) -> bool:
    try:
        resolved = resolver.resolve(factor, draw.span)
    except NotConstant:
        return False
    return facts.holds(builders.less(builders.zero(ir.Sort.REAL), resolved))


def _uses(expression: ir.Expression, name: str) -> Iterator[_Scale | None]:
    """What an expression makes of a variable, where it mentions it: a multiple, or (None) something else."""
    use = _use(expression, name)
    match expression:
        case ir.Variable(other) if other == name:
            yield None
        case ir.Operation() if use is not None:
            yield use
        case ir.Operation(operands=parts) | ir.Read(index=parts):
            for part in parts:
                yield from _uses(part, name)
        case ir.Element(index=place):
            yield from _uses(place, name)


def _use(expression: ir.Expression, name: str) -> _Scale | None:
    """The multiple of a variable that an expression is."""
    drawn = ir.Variable(name, ir.Sort.REAL)
    match expression:
        case ir.Operation(ir.Operator.MULTIPLY | ir.Operator.DIVIDE as operator, (left, factor)) if (
            left == drawn
        ):
            return _Scale(operator, 1, factor)
        case ir.Operation(ir.Operator.MULTIPLY as operator, (factor, right)) if right == drawn:
            return _Scale(operator, 0, factor)
        case _:
            return None


def _rewritten(body: Body, draw: ir.Draw, scale: _Scale) -> Body:
    drawn = ir.Variable(draw.target, ir.Sort.REAL)
    multiple = scale.of(drawn)

    def without_factor(expression: ir.Expression) -> ir.Expression:
        return mapped(expression, lambda part: drawn if part == multiple else None)

    found: list[ir.Statement] = []
    for statement in body:
        if statement is draw:
            found += _drawn(draw, scale)
        else:
            found.append(changed(statement, without_factor, partial(_rewritten, draw=draw, scale=scale)))
    return tuple(found)


def _drawn(draw: ir.Draw, scale: _Scale) -> Iterator[ir.Statement]:
    center, size = draw.arguments
    center, size = center if center == builders.zero(center.sort) else scale.of(center), scale.of(size)
    for value, what in ((scale.factor, "factor"), (size, "scale")):
        condition = builders.less(builders.zero(ir.Sort.REAL), value)
        reason = f"the {what} of {draw.distribution} must be positive"
        yield ir.Obligation("scale", condition, reason, draw.span)
    yield replace(draw, arguments=(center, size))
