"""Variables that two loops use independently get a name per loop.

``x = laplace(...)`` in one loop and ``x = laplace(...)`` in another are different draws; under one
name, the first would seem to have a say in what the second does.  A variable that is mentioned anywhere
else, also in a loop that only reads it, keeps its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis, Body, assigned, changed, expressions, names, target
from synth.trusted.program.substitution import mapped


def scoped(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The same mechanism, with the variables of each outermost loop apart from those of the others."""
    live = Analysis(mechanism, _obligations(mechanism)).live_at_loop
    loops = _outermost(mechanism.body)
    elsewhere = _mentioned_outside(mechanism.body)
    shared: dict[str, list[ir.Loop]] = {}
    for loop in loops:
        own = assigned(loop.body)
        elsewhere |= _mentioned(loop.body) - own
        for name in own & mechanism.variables.keys():
            shared.setdefault(name, []).append(loop)
    local = {
        name
        for name, users in shared.items()
        if len(users) > 1 and name not in elsewhere and all(name not in live[loop.loop] for loop in users)
    }
    if not local:
        return mechanism
    variables = dict(mechanism.variables)
    renamed: dict[int, dict[str, str]] = {}
    for loop in loops:
        renamed[loop.loop] = {name: f"{name}%in{loop.loop}" for name in sorted(local & assigned(loop.body))}
        variables.update({new: variables[old] for old, new in renamed[loop.loop].items()})
    return replace(mechanism, body=_body(mechanism.body, {}, renamed), variables=variables)


def _obligations(mechanism: ir.Mechanism) -> tuple[ir.Obligation, ...]:
    return tuple(item for item in ir.statements(mechanism.body) if isinstance(item, ir.Obligation))


def _outermost(body: Body) -> list[ir.Loop]:
    found: list[ir.Loop] = []
    for statement in body:
        match statement:
            case ir.Loop():
                found.append(statement)
            case ir.If(then=then, otherwise=otherwise):
                found += _outermost(then) + _outermost(otherwise)
            case ir.Block(body=inner):
                found += _outermost(inner)
    return found


def _mentioned(body: Body) -> set[str]:
    """Variables that statements read or assign, nested ones included."""
    return {name for item in ir.statements(body) for name in _mentioned_by(item)}


def _mentioned_by(statement: ir.Statement) -> set[str]:
    written = target(statement)
    read = {name for expression in expressions(statement) for name in names(expression)}
    return read if written is None else read | {written}


def _mentioned_outside(body: Body) -> set[str]:
    """Variables that are read or assigned outside of all loops."""
    found: set[str] = set()
    for statement in body:
        if not isinstance(statement, ir.Loop):
            found |= _mentioned_by(statement)
            for inner in ir.blocks(statement):
                found |= _mentioned_outside(inner)
    return found


def _body(body: Body, change: Mapping[str, str], renamed: Mapping[int, dict[str, str]]) -> Body:
    return tuple(_statement(item, change, renamed) for item in body)


def _statement(
    statement: ir.Statement, change: Mapping[str, str], renamed: Mapping[int, dict[str, str]]
) -> ir.Statement:
    def new(expression: ir.Expression) -> ir.Expression:
        return _expression(expression, change)

    match statement:
        case ir.Loop(loop=number, body=inner, counter=counter, count=count):
            inside = {**change, **renamed.get(number, {})}
            return replace(
                statement,
                body=_body(inner, inside, renamed),
                counter=inside.get(counter, counter) if counter else None,
                count=_expression(count, inside) if count is not None else None,
            )
        case ir.Assign(target=name) | ir.Draw(target=name) | ir.Choose(target=name):
            statement = replace(statement, target=change.get(name, name))
        case _:
            pass
    return changed(statement, new, lambda inner: _body(inner, change, renamed))


def _expression(expression: ir.Expression, change: Mapping[str, str]) -> ir.Expression:
    def renamed(item: ir.Expression) -> ir.Expression | None:
        return (
            ir.Variable(change.get(item.name, item.name), item.sort)
            if isinstance(item, ir.Variable)
            else None
        )

    return mapped(expression, renamed)
