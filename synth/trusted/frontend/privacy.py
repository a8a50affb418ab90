"""Private data where it can't be: in a number of candidates, in a bound of a loop, in an assertion.

A variable is tainted if some assignment to it mentions a private parameter or a tainted variable;
a draw taints nothing.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.context import Context
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir


def misplaced(
    context: Context,
    parameters: tuple[ir.Parameter, ...],
    body: tuple[ir.Statement, ...],
    shown: Container[ir.Span] = (),
) -> Iterator[ProgramError]:
    """Give an error for private data at each place where it can't be, but for assertions that are shown."""
    private = {parameter.name for parameter in parameters if parameter.metric is not None}
    tainted = _tainted(private, body)
    for expression, span, code, message in context.public:
        if code is Refusal.PRIVATE_ASSERTION and span in shown:
            continue
        if _mentions(tainted, expression):
            yield context.error(span, code, message)


def note_assertions(context: Context, body: tuple[ir.Statement, ...]) -> None:
    """Let what is asked of assertions be asked of those that are in the body now."""
    now: dict[ir.Span, list[ir.Expression]] = {}
    for item in ir.statements(body):
        if isinstance(item, ir.Assume):
            now.setdefault(item.span, []).append(item.condition)
    for place, (expression, span, code, message) in enumerate(context.public):
        if code is Refusal.PRIVATE_ASSERTION:
            conditions = now.get(span, [expression])
            context.public[place] = (builders.both(*conditions), span, code, message)


def private_assertions(
    context: Context, parameters: tuple[ir.Parameter, ...], body: tuple[ir.Statement, ...]
) -> frozenset[ir.Span]:
    """Return the places of assertions of private data."""
    private = {parameter.name for parameter in parameters if parameter.metric is not None}
    tainted = _tainted(private, body)
    return frozenset(
        span
        for expression, span, code, _ in context.public
        if code is Refusal.PRIVATE_ASSERTION and _mentions(tainted, expression)
    )


def _tainted(private: set[str], body: tuple[ir.Statement, ...]) -> set[str]:
    flows = list(_flows(body))
    tainted = set(private)
    size = 0
    while size != len(tainted):
        size = len(tainted)
        for target, sources in flows:
            if target not in tainted and not tainted.isdisjoint(sources):
                tainted.add(target)
    return tainted


def _flows(body: tuple[ir.Statement, ...]) -> Iterable[tuple[str, frozenset[str]]]:
    for statement in ir.statements(body):
        match statement:
            case ir.Assign(target=target, value=value):
                yield target, _names(value)
            case ir.Append(target=target, values=values):
                yield target, frozenset[str]().union(*map(_names, values))


def _mentions(tainted: set[str], expression: ir.Expression) -> bool:
    return not tainted.isdisjoint(_names(expression))


def _names(expression: ir.Expression) -> frozenset[str]:
    """What an expression reads; the length of a sequence is public and doesn't count."""
    found = set()
    for part in ir.subexpressions(expression):
        match part:
            case ir.Variable(name) | ir.Read(source=name) | ir.Element(source=name):
                found.add(name)
    return frozenset(found)
