"""A public function that a scale is made of, ``u = bound(best)``, is called once its arguments are there.

So a program can be cut behind the call: what it gives is a public number to all that follows.
"""

from __future__ import annotations

from dataclasses import replace

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, changed, expressions, names, target


def called_early(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The same mechanism, with each such call as far in front as may be, outside of branches."""
    for name in _scaling(mechanism):
        mechanism = _moved(mechanism, name)
    return mechanism


def calls_public_function(mechanism: ir.Mechanism, statement: ir.Statement) -> bool:
    """Whether a statement assigns what public functions give."""
    return isinstance(statement, ir.Assign) and any(
        mechanism.parameter(part.source).kind is ir.ParameterKind.FUNCTION
        and mechanism.parameter(part.source).metric is None
        for whole in expressions(statement)
        for part in ir.subexpressions(whole)
        if isinstance(part, ir.Read)
    )


def _scaling(mechanism: ir.Mechanism) -> dict[str, None]:
    """The variables that scales of noise mention."""
    draws = (item for item in ir.statements(mechanism.body) if isinstance(item, ir.Draw))
    return dict.fromkeys(name for draw in draws for name in sorted(names(draw.arguments[1])))


def _moved(mechanism: ir.Mechanism, name: str) -> ir.Mechanism:
    body = mechanism.body
    found = [item for item in ir.statements(body) if target(item) == name]
    match found:
        case [ir.Assign(value=value) as call] if calls_public_function(mechanism, call) and _is_total(value):
            pass
        case _:
            return mechanism
    place = next(place for place, item in enumerate(body) if call in ir.statements((item,)))
    made_of = names(value)
    if _in_loop(call, body[place]) or made_of & (assigned(body[place:]) - {name}):
        return mechanism
    early = max((at + 1 for at in range(place) if made_of & assigned(body[at : at + 1])), default=0)
    rest = _without(body[early:], call)
    return replace(mechanism, body=(*body[:early], call, *rest))


def _is_total(expression: ir.Expression) -> bool:
    """Whether an expression has a value whatever its variables are: no entry of a list may be missing."""
    partial = (ir.Operator.DIVIDE, ir.Operator.FLOOR_DIVIDE, ir.Operator.MODULO, ir.Operator.POWER)
    return not any(
        isinstance(part, ir.Element) or (isinstance(part, ir.Operation) and part.operator in partial)
        for part in ir.subexpressions(expression)
    )


def _in_loop(call: ir.Assign, statement: ir.Statement) -> bool:
    loops = (item for item in ir.statements((statement,)) if isinstance(item, ir.Loop))
    return any(call in ir.statements(item.body) for item in loops)


def _without(body: Body, call: ir.Assign) -> Body:
    kept = (item for item in body if item is not call)
    return tuple(changed(item, lambda value: value, lambda inner: _without(inner, call)) for item in kept)
