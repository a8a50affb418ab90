"""Loops of a mechanism as other ones that do the same, which are read in more ways.

``return res`` in a loop behind which nothing stands but ``return res`` is ``break``.  A loop that assigns
``res[i]``, with ``while i < len(q) and count < c`` and i counted up from 0, is ``for i in range(len(q))``
that begins with ``if not count < c: break``.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from copy import copy, deepcopy
from dataclasses import replace

from synth.trusted.frontend.module import Function, Module
from synth.trusted.frontend.record_positions import (
    begins_at_0,
    bound_in,
    is_captured,
    is_step,
    names,
    without_steps,
)
from synth.trusted.frontend.scoping import assigned
from synth.trusted.frontend.vocabulary import Known, Role

_PLAIN = (
    *(ast.Name, ast.Constant, ast.expr_context, ast.Compare, ast.cmpop),
    *(ast.BoolOp, ast.boolop, ast.UnaryOp, ast.Not, ast.USub),
)


def restated(module: Module, function: Function) -> Function:
    """Return the function with such loops; the same object if it has none."""
    body = [_left(item, behind) for item, behind in _with_next(function.node.body)]
    counts = [_counted(module, function, body, item) for item in body]
    body = [item if count is None else count for item, count in zip(body, counts, strict=True)]
    if all(one is other for one, other in zip(body, function.node.body, strict=True)):
        return function
    node = copy(function.node)
    node.body = body
    return replace(function, node=node, assigned=assigned(node))


def _with_next(body: Sequence[ast.stmt]) -> list[tuple[ast.stmt, ast.stmt | None]]:
    return list(zip(body, [*body[1:], None], strict=True))


def _left(loop: ast.stmt, behind: ast.stmt | None) -> ast.stmt:
    """A loop that is left where it returns what the statement behind it does."""
    match loop, behind:
        case ast.For(orelse=[]) | ast.While(orelse=[]), ast.Return(value=ast.expr() as value):
            text = ast.dump(value)
            if any(_returns(part, text) for part in ast.walk(loop)):
                changed = deepcopy(loop)
                changed.body = [_broken(item, text) for item in changed.body]
                return changed
    return loop


def _returns(node: ast.AST, text: str) -> bool:
    return isinstance(node, ast.Return) and node.value is not None and ast.dump(node.value) == text


def _broken(item: ast.stmt, text: str) -> ast.stmt:
    """The statement with ``break`` in the place of such a return; in loops and handlers it stays."""
    if _returns(item, text):
        return ast.copy_location(ast.Break(), item)
    if isinstance(item, ast.If):
        item.body = [_broken(part, text) for part in item.body]
        item.orelse = [_broken(part, text) for part in item.orelse]
    return item


def _counted(module: Module, function: Function, body: list[ast.stmt], loop: ast.stmt) -> ast.For | None:
    """The loop over a range that a ``while`` is; None if it isn't sure, or assigns no entry."""
    match loop:
        case ast.While(test=ast.BoolOp(op=ast.And(), values=tests), body=[*rounds, last], orelse=[]) if (
            rounds
        ):
            pass
        case _:
            return None
    for place, test in enumerate(tests):
        match test:
            case ast.Compare(left=ast.Name(id=name) as counter, ops=[ast.Lt()], comparators=[end]):
                others = [*tests[:place], *tests[place + 1 :]]
            case _:
                continue
        kept = without_steps(rounds, name)
        if not all(map(_is_plain, tests[:place])):
            continue
        if kept is None or not is_step(last, name) or not _assigns_entry(loop, name):
            continue
        if any(names(part, name) for other in others for part in ast.walk(other)):
            continue
        if not _is_only_counted(body, loop, kept, name) or not _is_steady(module, function, loop, end):
            continue
        going = others[0] if len(others) == 1 else ast.copy_location(ast.BoolOp(ast.And(), others), loop)
        refused = ast.copy_location(ast.UnaryOp(ast.Not(), going), going)
        leave = ast.copy_location(ast.If(refused, [ast.copy_location(ast.Break(), loop)], []), loop)
        function_ = ast.copy_location(ast.Name("range", ast.Load()), test)
        counts = ast.copy_location(ast.Call(function_, [end], []), test)
        target = ast.copy_location(ast.Name(name, ast.Store()), counter)
        return ast.copy_location(ast.For(target, counts, [leave, *kept], []), loop)
    return None


def _is_plain(test: ast.expr) -> bool:
    """Whether it does no harm that a test which stands first isn't made when the counter is at its end.

    It compares names: it changes nothing, draws nothing, and raises nothing.
    """
    return all(isinstance(part, _PLAIN) for part in ast.walk(test))


def _assigns_entry(loop: ast.While, name: str) -> bool:
    return any(
        isinstance(part, ast.Subscript)
        and isinstance(part.ctx, ast.Store)
        and isinstance(part.slice, ast.Name)
        and part.slice.id == name
        for part in ast.walk(loop)
    )


def _is_only_counted(body: list[ast.stmt], loop: ast.While, rounds: Sequence[ast.stmt], name: str) -> bool:
    """Whether a name is 0 before the loop, is not named elsewhere, and not bound but at the loop's end."""
    if not begins_at_0(body, loop, name) or bound_in(rounds, name) or is_captured(loop, name):
        return False
    everywhere = sum(names(part, name) for item in body for part in ast.walk(item))
    return everywhere == sum(names(part, name) for part in ast.walk(loop)) + 1


def _is_steady(module: Module, function: Function, loop: ast.While, end: ast.expr) -> bool:
    """Whether an end is a parameter, or the length of one, that nothing in the loop can change."""
    own = {item.arg for item in function.parameters}
    known = {name: module.known(ast.Name(name)) for name in ("range", "len")}
    if any(
        known[name] != Known(Role.FUNCTION, name) or name in own | function.assigned.keys() for name in known
    ):
        return False
    match end:
        case ast.Name(id=name):
            return name in own and name not in function.assigned
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)], keywords=[]):
            return name in own and name not in function.assigned and _is_only_read(function.node, name)
        case _:
            return False


def _is_only_read(function: ast.FunctionDef, name: str) -> bool:
    """Whether all that a function does with a list is to ask for entries, and for its length."""
    asked: set[int] = set()
    for part in ast.walk(function):
        match part:
            case ast.Subscript(value=ast.Name() as whole, ctx=ast.Load()):
                asked.add(id(whole))
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name() as whole]):
                asked.add(id(whole))
    uses = (part for part in ast.walk(function) if isinstance(part, ast.Name) and part.id == name)
    return all(id(part) in asked for part in uses)
