"""A mechanism cut into mechanisms that run one after the other, each on what those before it published.

What control leaves behind a cut is published there: the scalars and local lists that were assigned before
and may be read later.  To the parts behind it, scalars are public parameters; lists that grow further begin
empty, since only what a part adds to them is its own output.  The output of the whole is a function of what
the parts publish, so their privacy losses add up (sequential composition).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from synth.language.analysis import (
    Analysis,
    Body,
    assigned,
    expressions,
    is_made_of,
    length_name,
    names,
    target,
    without_obligations,
)
from synth.language.syntax import (
    Assign,
    Block,
    If,
    Loop,
    Mechanism,
    NewList,
    Parameter,
    ParameterKind,
    Return,
    Statement,
    Variable,
    statements,
)


class NoCut(Exception):
    """The program can't be cut there; the message says why."""


def parts(mechanism: Mechanism, cuts: Sequence[int]) -> tuple[Mechanism, ...]:
    """The mechanisms between cuts; a cut is the number of the body's statements that are before it.

    They claim nothing, and have no obligations: these are shown for the whole.  Raises NoCut.
    """
    ends = (*cuts, len(mechanism.body))
    if list(ends) != sorted(set(ends)) or ends[0] < 1:
        raise NoCut("cuts lie behind one another, inside of the program")
    if assigned(mechanism.body) & {item.name for item in mechanism.parameters}:
        raise NoCut("a parameter is assigned")
    return tuple(_part(mechanism, start, end) for start, end in zip((0, *cuts), ends, strict=True))


def _part(mechanism: Mechanism, start: int, end: int) -> Mechanism:
    before, body, rest = mechanism.body[:start], mechanism.body[start:end], mechanism.body[end:]
    body = without_obligations(body)
    if rest and any(isinstance(item, Return) for item in statements(body)):
        raise NoCut("a return before a cut")
    old = {name for name in mechanism.lists if length_name(name) in assigned(before)}
    grown = {name for name in mechanism.lists if length_name(name) in assigned(body)}
    _check_old(body, old)
    news = tuple(NewList(name, mechanism.span) for name in sorted(old & grown))
    if rest:
        body = (*body, _published(mechanism, body, rest))
    body = _returning((*news, *_settled(mechanism, before), *body), grown)
    given = Analysis(mechanism).live_before(body) & assigned(before) & mechanism.variables.keys()
    parameters = tuple(
        Parameter(name, ParameterKind.SCALAR, mechanism.variables[name], 0, None, mechanism.span)
        for name in sorted(given)
    )
    return replace(
        mechanism,
        parameters=(*mechanism.parameters, *parameters),
        epsilon=None,
        delta=None,
        body=body,
        variables={name: sort for name, sort in mechanism.variables.items() if name not in given},
        lists={name: kind for name, kind in mechanism.lists.items() if name in grown},
    )


def _check_old(body: Body, old: set[str]) -> None:
    """To a list that is older than its part, entries may be appended, no more.

    Emptying it would show in the output of the whole, and not in the part's.
    """
    lengths = {length_name(name) for name in old}
    for item in statements(body):
        if isinstance(item, NewList) and item.target in old:
            raise NoCut(f"'{item.target}' is emptied behind a cut")
        if any(names(expression) & (old | lengths) for expression in expressions(item)):
            raise NoCut("a list is read behind a cut")


def _published(mechanism: Mechanism, body: Body, rest: Body) -> Return:
    """What the rest may read of what the body assigns."""
    own = assigned(body) & Analysis(mechanism).live_before(rest)
    settled = {item.target for item in _settled(mechanism, body)}
    scalars = [Variable(name, sort) for name, sort in mechanism.variables.items() if name in own - settled]
    lists = tuple(name for name in mechanism.lists if length_name(name) in own)
    return Return(tuple(scalars), lists, mechanism.span)


def _settled(mechanism: Mechanism, body: Body) -> tuple[Assign, ...]:
    """Locals that a body assigns once, whatever happens, from public parameters and other such locals.

    They have the same value in every run, and can be computed again behind the cut.
    """
    known = {
        item.name
        for item in mechanism.parameters
        if item.kind is ParameterKind.SCALAR and item.metric is None
    }
    known |= {length_name(item.name) for item in mechanism.parameters if item.kind is ParameterKind.SEQUENCE}
    times = Counter(target(item) for item in statements(body))
    found = []
    for item in body:
        if isinstance(item, Assign) and times[item.target] == 1 and is_made_of(item.value, known):
            known.add(item.target)
            found.append(item)
    return tuple(found)


def _returning(body: Body, lists: set[str]) -> Body:
    """The body, where of the lists that it returns only those are left."""
    return tuple(_with_lists(statement, lists) for statement in body)


def _with_lists(statement: Statement, lists: set[str]) -> Statement:
    match statement:
        case Return(lists=returned):
            return replace(statement, lists=tuple(name for name in returned if name in lists))
        case If(then=then, otherwise=otherwise):
            return replace(statement, then=_returning(then, lists), otherwise=_returning(otherwise, lists))
        case Block(body=body) | Loop(body=body):
            return replace(statement, body=_returning(body, lists))
        case _:
            return statement
