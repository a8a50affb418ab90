"""Private data where it can't be: in a scale, in a bound of a loop, in an assertion.

A variable is tainted if some assignment to it mentions a private parameter or a tainted variable;
a draw taints nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from synth.trusted.frontend.context import Context
from synth.trusted.program.syntax import (
    Append,
    Assign,
    Element,
    Expression,
    Parameter,
    Read,
    Statement,
    Variable,
    statements,
    subexpressions,
)


def check(context: Context, parameters: tuple[Parameter, ...], body: tuple[Statement, ...]) -> None:
    """Refuse private data where it can't be.  Raises ProgramError."""
    private = {parameter.name for parameter in parameters if parameter.metric is not None}
    tainted = _tainted(private, body)
    for expression, span, message in context.public:
        if _mentions(tainted, expression):
            raise context.error(span, message)


def _tainted(private: set[str], body: tuple[Statement, ...]) -> set[str]:
    flows = list(_flows(body))
    tainted = set(private)
    size = 0
    while size != len(tainted):
        size = len(tainted)
        for target, sources in flows:
            if target not in tainted and not tainted.isdisjoint(sources):
                tainted.add(target)
    return tainted


def _flows(body: tuple[Statement, ...]) -> Iterable[tuple[str, frozenset[str]]]:
    for statement in statements(body):
        match statement:
            case Assign(target=target, value=value):
                yield target, _names(value)
            case Append(target=target, values=values):
                yield target, frozenset[str]().union(*map(_names, values))


def _mentions(tainted: set[str], expression: Expression) -> bool:
    return not tainted.isdisjoint(_names(expression))


def _names(expression: Expression) -> frozenset[str]:
    """What an expression reads; the length of a sequence is public and doesn't count."""
    found = set()
    for part in subexpressions(expression):
        match part:
            case Variable(name) | Read(source=name) | Element(source=name):
                found.add(name)
    return frozenset(found)
