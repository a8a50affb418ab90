"""Loops over the positions of records of which one may be missing: ``for i in range(len(xs)): f(xs[i])``.

With a record more, positions move.  But the record at the position that such a loop has come to is the one
that a loop over the records has come to, and nothing else is read there.  So the loop is read as one over the
records, beside a number; while its variable holds that number, ``xs[i]`` is the record.  A ``while`` that
counts i up to the length is such a ``for``.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from copy import copy

from synth.trusted.frontend.context import Context, is_local
from synth.trusted.frontend.values import RecordsValue, ScalarValue, Value
from synth.trusted.frontend.vocabulary import Known, Role
from synth.trusted.program import syntax as ir


def counted(context: Context, node: ast.Call) -> RecordsValue | None:
    """Return the records of which ``range(len(xs))`` gives the positions, if one may be missing.

    The length may have a name, if that is assigned once, before, and in any case.
    """
    match node:
        case ast.Call(args=[ast.Name(id=name)], keywords=[]) if is_local(context, node.args[0]):
            size: ast.expr | None = _length(context, name, node)
        case ast.Call(args=[one], keywords=[]):
            size = one
        case _:
            return None
    match size:
        case ast.Call(func=function, args=[ast.Name() as whole], keywords=[]) if _is_len(context, function):
            value = context.scope.bindings.get(whole.id)
            if (
                isinstance(value, RecordsValue)
                and value.present is not None
                and not _stored(context, whole.id)
            ):
                return value
    return None


def counting_up(context: Context, node: ast.While) -> ast.For | None:
    """Return ``for i in range(len(xs))`` that does the same as ``while i < len(xs)``; None if it isn't sure.

    The function begins i with 0, before the loop, whose last statement counts it up, as does the one before
    each ``continue``, and reads it nowhere else.
    """
    match node:
        case ast.While(
            test=ast.Compare(left=ast.Name(id=name) as counter, ops=[ast.Lt()], comparators=[end]),
            body=[*rounds, last],
            orelse=[],
        ) if is_step(last, name) and rounds:
            pass
        case _:
            return None
    body = without_steps(rounds, name)
    if body is None or not _is_only_counted(context, node, body, name):
        return None
    function = ast.copy_location(ast.Name(id="range", ctx=ast.Load()), node.test)
    counts = ast.copy_location(ast.Call(func=function, args=[end], keywords=[]), node.test)
    target = ast.copy_location(ast.Name(id=name, ctx=ast.Store()), counter)
    loop = ast.copy_location(ast.For(target=target, iter=counts, body=body, orelse=[]), node)
    known = context.module.known(function) == Known(Role.FUNCTION, "range")
    return loop if known and not is_local(context, function) and counted(context, counts) else None


def _is_only_counted(context: Context, loop: ast.While, body: Sequence[ast.stmt], name: str) -> bool:
    """Whether a name is 0 before the loop, and is not read behind it, nor bound but at the loop's end."""
    function = context.scope.function
    if function is None or not begins_at_0(function.node.body, loop, name):
        return False
    everywhere, inside = (sum(names(part, name) for part in ast.walk(tree)) for tree in (function.node, loop))
    return everywhere == inside + 1 and not bound_in(body, name) and not is_captured(loop, name)


def is_captured(loop: ast.While, name: str) -> bool:
    """Whether a function that is made in a loop may ask for a name later."""
    functions = (part for part in ast.walk(loop) if isinstance(part, ast.Lambda | ast.FunctionDef))
    return any(names(part, name) for function in functions for part in ast.walk(function))


def is_step(node: ast.stmt, name: str) -> bool:
    match node:
        case ast.AugAssign(target=ast.Name(id=counter), op=ast.Add(), value=ast.Constant(value=step)):
            return counter == name and step == 1 and type(step) is int
    return False


def without_steps(body: Sequence[ast.stmt], name: str) -> list[ast.stmt] | None:
    """The statements without the step before each ``continue``; None if one has none, or leads elsewhere."""
    found: list[ast.stmt] = []
    for item in body:
        match item:
            case ast.Continue() if found and is_step(found[-1], name):
                found[-1] = item
            case ast.If(body=then, orelse=otherwise):
                sides = without_steps(then, name), without_steps(otherwise, name)
                if sides[0] is None or sides[1] is None:
                    return None
                branch = copy(item)  # with what is caught around it
                branch.body, branch.orelse = sides[0], sides[1]
                found.append(branch)
            case _ if any(isinstance(part, ast.Continue) for part in ast.walk(item)):
                return None
            case _:
                found.append(item)
    return found


def names(node: ast.AST, name: str) -> bool:
    return (isinstance(node, ast.Name) and node.id == name) or _binds(node, name)


def begins_at_0(body: Sequence[ast.stmt], loop: ast.While, name: str) -> bool:
    """Whether the statements of a function assign 0 to a name before they come to a loop."""
    for item in body:
        match item:
            case ast.Assign(targets=[ast.Name(id=found)], value=ast.Constant(value=value)) if found == name:
                return value == 0 and type(value) is int and any(other is loop for other in body)
            case _ if item is loop:
                return False
    return False


def _is_len(context: Context, node: ast.expr) -> bool:
    return context.module.known(node) == Known(Role.FUNCTION, "len") and not is_local(context, node)


def _length(context: Context, name: str, before: ast.Call) -> ast.expr | None:
    """What a statement of the function itself assigns to a name, before a call; None if others do, too."""
    function = context.scope.function
    if function is None or _stored(context, name) != 1:
        return None
    for item in function.node.body:
        match item:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                return value if item.lineno < before.lineno else None
    return None


def _stored(context: Context, name: str) -> int:
    """How often a name is bound in the function, other than as a parameter."""
    function = context.scope.function
    if function is None:
        return 0
    return sum(_binds(part, name) for part in ast.walk(function.node))


def _binds(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Name(id=found, ctx=ast.Store() | ast.Del()):
            return found == name
        case ast.Nonlocal(names=found) | ast.Global(names=found):
            return name in found
        case _:
            return False


def hold(context: Context, target: ast.expr, value: Value, body: Sequence[ast.AST]) -> None:
    """Let the target of a loop, which nothing in it binds, stand for the position that it is assigned."""
    match target, value:
        case ast.Name(id=name), ScalarValue(ir.Variable(name=number)):
            place, local = context.positions.get(number), context.scope.local(name)
            if place is not None and local is not None and not bound_in(body, name):
                context.positions[local] = place


def bound_in(body: Sequence[ast.AST], name: str) -> bool:
    return any(_binds(part, name) for item in body for part in ast.walk(item))


def forget(context: Context, number: str) -> None:
    """What held the position that a number has doesn't hold it any more."""
    for name in [name for name, held in context.positions.items() if held.number == number]:
        del context.positions[name]


def place_of(context: Context, records: RecordsValue, index: ir.Expression) -> ir.Expression | None:
    """Return the index of the core program at which the record of a position is; None for other positions."""
    match index:
        case ir.Variable(name=name):
            held = context.positions.get(name)
            if held is not None and records.present is not None and held.present == records.present.name:
                return held.place
    return None
