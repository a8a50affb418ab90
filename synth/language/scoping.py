"""Variables that two loops use independently get a name per loop.

``x = laplace(...)`` in one loop and ``x = laplace(...)`` in another are different draws; under one
name, the first would seem to have a say in what the second does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from synth.language.analysis import Analysis, Body, assigned, changed, expressions, names, target
from synth.language.substitution import mapped
from synth.language.syntax import (
    Assign,
    Block,
    Choose,
    Draw,
    Expression,
    If,
    Loop,
    Mechanism,
    Obligation,
    Statement,
    Variable,
    statements,
)


def scoped(mechanism: Mechanism) -> Mechanism:
    """The same mechanism, with the variables of each outermost loop apart from those of the others."""
    live = Analysis(mechanism, _obligations(mechanism)).live_at_loop
    loops = _outermost(mechanism.body)
    outside = _mentioned_outside(mechanism.body)
    shared: dict[str, list[Loop]] = {}
    for loop in loops:
        for name in assigned(loop.body) & mechanism.variables.keys():
            shared.setdefault(name, []).append(loop)
    local = {
        name
        for name, users in shared.items()
        if len(users) > 1 and name not in outside and all(name not in live[loop.loop] for loop in users)
    }
    if not local:
        return mechanism
    variables = dict(mechanism.variables)
    renamed: dict[int, dict[str, str]] = {}
    for loop in loops:
        renamed[loop.loop] = {name: f"{name}%in{loop.loop}" for name in sorted(local & assigned(loop.body))}
        variables.update({new: variables[old] for old, new in renamed[loop.loop].items()})
    return replace(mechanism, body=_body(mechanism.body, {}, renamed), variables=variables)


def _obligations(mechanism: Mechanism) -> tuple[Obligation, ...]:
    return tuple(item for item in statements(mechanism.body) if isinstance(item, Obligation))


def _outermost(body: Body) -> list[Loop]:
    found: list[Loop] = []
    for statement in body:
        match statement:
            case Loop():
                found.append(statement)
            case If(then=then, otherwise=otherwise):
                found += _outermost(then) + _outermost(otherwise)
            case Block(body=inner):
                found += _outermost(inner)
    return found


def _mentioned_outside(body: Body) -> set[str]:
    """Variables that are read or assigned outside of all loops."""
    found: set[str] = set()
    for statement in body:
        if isinstance(statement, Loop):
            continue
        for expression in expressions(statement):
            found |= names(expression)
        written = target(statement)
        if written is not None:
            found.add(written)
        match statement:
            case If(then=then, otherwise=otherwise):
                found |= _mentioned_outside(then) | _mentioned_outside(otherwise)
            case Block(body=inner):
                found |= _mentioned_outside(inner)
    return found


def _body(body: Body, change: Mapping[str, str], renamed: Mapping[int, dict[str, str]]) -> Body:
    return tuple(_statement(item, change, renamed) for item in body)


def _statement(
    statement: Statement, change: Mapping[str, str], renamed: Mapping[int, dict[str, str]]
) -> Statement:
    def new(expression: Expression) -> Expression:
        return _expression(expression, change)

    match statement:
        case Loop(loop=number, body=inner, counter=counter, count=count):
            inside = {**change, **renamed.get(number, {})}
            return replace(
                statement,
                body=_body(inner, inside, renamed),
                counter=inside.get(counter, counter) if counter else None,
                count=_expression(count, inside) if count is not None else None,
            )
        case Assign(target=name) | Draw(target=name) | Choose(target=name):
            statement = replace(statement, target=change.get(name, name))
        case _:
            pass
    return changed(statement, new, lambda inner: _body(inner, change, renamed))


def _expression(expression: Expression, change: Mapping[str, str]) -> Expression:
    def renamed(item: Expression) -> Expression | None:
        return Variable(change.get(item.name, item.name), item.sort) if isinstance(item, Variable) else None

    return mapped(expression, renamed)
