"""``try`` statements around what raises nothing that they catch: the statements one after the other.

What may go wrong in an operation has to be shown not to, and arithmetic is exact.  So no run comes to a
handler but by a ``raise`` or an ``assert`` that it catches, or by what Python evaluates and is not read:
messages, what is shown, annotations.  These are refused inside, also in functions that are called there.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from contextlib import contextmanager

from synth.trusted.errors import Refusal
from synth.trusted.frontend import blocks, raised, scoping
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.nodes import forget
from synth.trusted.frontend.source import Located

_MARK = "caught"
_PARTICULAR = (UnicodeError, BaseExceptionGroup)
"""Exceptions that raise another one where they are given something else than they need."""

_BY_ARGUMENTS = (OSError, SyntaxError)
"""Exceptions of which several arguments make another one."""

_LEAVES = (ast.Return, ast.Break, ast.Continue)
_CHANGES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Yield, ast.YieldFrom, ast.Nonlocal)
"""What a function around it would be read otherwise for, also where no run comes to it."""


def write_out(tree: ast.Module) -> None:
    """Put the statements of each ``try`` of a function in its place, marked with what is caught there."""
    forget()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for block in blocks.below(node):
                block[:] = [each for item in block for each in _written_out(item)]


def _written_out(node: ast.stmt) -> Iterator[ast.stmt]:
    if not isinstance(node, ast.Try) or not _can_be_written_out(node):
        yield node
        return
    bound = scoping.bound_in_handlers(node.handlers)
    around = [None] if node.finalbody else []
    caught = [item.type for item in node.handlers] + around
    for items, types in ((node.body, caught), (node.orelse, around), (node.finalbody, [])):
        for item in items:
            for part in _written_out(item):
                setattr(part, _MARK, [*getattr(part, _MARK, ()), *types])
                setattr(part, scoping.LEFT_OUT, bound | getattr(part, scoping.LEFT_OUT, frozenset()))
                yield part


def _can_be_written_out(node: ast.Try) -> bool:
    handled = (part for item in node.handlers for part in ast.walk(item))
    changes = any(isinstance(part, _CHANGES) for part in handled)
    return not changes and not (node.finalbody and any(map(_leaves, (*node.body, *node.orelse))))


def _leaves(node: ast.stmt) -> bool:
    return any(isinstance(part, _LEAVES) for part in ast.walk(node))


def was_in_try(node: ast.AST) -> bool:
    """Whether a statement stood in a ``try``."""
    return hasattr(node, _MARK)


def has_try(node: ast.FunctionDef) -> bool:
    """Whether statements of a function stood in a ``try``: what is put in their place has no marks."""
    return any(map(was_in_try, ast.walk(node)))


@contextmanager
def inside(context: Context, node: ast.stmt) -> Iterator[None]:
    """Remember what is caught around a statement, while it is read."""
    types = getattr(node, _MARK, ())
    outer = context.caught
    context.caught = (*outer, *(kind for item in types for kind in _classes(context, item)))
    try:
        yield
    finally:
        context.caught = outer


def _classes(context: Context, node: ast.expr | None) -> Iterator[type[BaseException]]:
    """The classes that a handler names; all of them for what isn't one of Python's own."""
    match node:
        case ast.Tuple(elts=parts):
            for part in parts:
                yield from _classes(context, part)
        case _:
            yield _class(context, node) or BaseException


def _class(context: Context, node: ast.expr | None) -> type[BaseException] | None:
    if not isinstance(node, ast.Name) or not raised.is_python(context, node):
        return None
    found = getattr(builtins, node.id)
    assert isinstance(found, type) and issubclass(found, BaseException)
    return None if issubclass(found, _PARTICULAR) else found


def check(context: Context, node: ast.Raise | ast.Assert) -> None:
    """Refuse what a ``try`` around it may catch.  Raises ProgramError."""
    if isinstance(node, ast.Assert):
        kind: type[BaseException] | None = AssertionError
        shown: list[ast.AST | None] = [node.msg]
    else:
        call = node.exc if isinstance(node.exc, ast.Call) else None
        kind = _class(context, node.exc if call is None else call.func)
        given = [] if call is None else [*call.args, *call.keywords]
        becomes_another = kind is not None and issubclass(kind, _BY_ARGUMENTS) and len(given) > 1
        if becomes_another or (isinstance(node.cause, ast.Constant) and node.cause.value is not None):
            kind = None
        shown = [node.cause, *given]
    if any(kind is None or issubclass(kind, item) for item in context.caught):
        message = "what is raised here may be caught by a try statement: test the condition before it"
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    if not all(item is None or isinstance(item, ast.Constant) for item in shown):
        check_unread(context, node, "a message that is no constant text")


def check_unread(context: Context, node: Located, what: str) -> None:
    """Refuse in a ``try`` what is dropped: what it raises may be caught.  Raises ProgramError."""
    if context.caught:
        message = f"{what} isn't read, and may raise what a try statement catches: move it out of the try"
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
