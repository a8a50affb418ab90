"""Which statements of a function change what a name stands for, by the text of the function.

A change is an assignment to the name, to entries of it, or a method that changes the array.  A loop over
indices that changes nothing but the entry at its own index counts as one change: see
:mod:`synth.trusted.frontend.element_loops`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator

from synth.trusted.frontend import blocks
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.vocabulary import Known, Role

METHODS = ("fill", "sort")
"""Methods that change an array."""

FUNCTIONS = ("shuffle",)
"""Functions, and methods of sources, that change an array that they are given."""

_MEASURES = ("size", "shape", "ndim")
_LENGTH = Known(Role.FUNCTION, "len")


def is_straight(
    function: Function, name: str, elements: bool = True, decided: Collection[ast.If] = ()
) -> bool:
    """Whether each use of a name is reached by the change that stands last before it.

    It is if all changes are statements of one block, and no other block of the function uses the name, save
    inside of that one: then control comes from one of them to the next.  There may be several such blocks,
    none inside of another, if each begins with an assignment to the name.  With ``elements``, loops over
    entries are changes.  The side of a branch that is taken, as has been ``decided``, is a part of the block
    around.
    """
    found = list(_statements(function.node.body, function.node.body, name, elements, decided))
    blocks = list({id(block): block for block, _ in found}.values())
    changed = {id(node) for _, statement in found for node in changes(statement, name)}
    if not blocks or changed != {id(node) for node in changes(function.node, name)}:
        return False
    if blocks == [function.node.body]:
        return True
    if any(argument.arg == name for argument in function.parameters):
        return False
    below = [part for block in blocks for item in block for part in ast.walk(item)]
    if sum(_loads(part, name) for part in below) != _count(_loads, function.node, name):
        return False
    if len(blocks) == 1:
        return True
    apart = sum(_mentions(part, name) for part in below) == _count(_mentions, function.node, name)
    return apart and all(_begins(block, name) for block in blocks)


def _count(test: Callable[[ast.AST, str], bool], node: ast.AST, name: str) -> int:
    return sum(test(part, name) for part in ast.walk(node))


def _begins(block: list[ast.stmt], name: str) -> bool:
    """Whether the first statement of a block that mentions a name is an assignment to it."""
    first = next(item for item in block if any(_mentions(part, name) for part in ast.walk(item)))
    match first:
        case (
            ast.Assign(targets=[ast.Name(id=other)], value=value)
            | ast.AnnAssign(target=ast.Name(id=other), value=ast.expr() as value)
        ):
            return other == name and not any(_loads(part, name) for part in ast.walk(value))
        case _:
            return False


def is_changed(function: Function, name: str) -> bool:
    """Whether a function assigns a name anew, or changes the array that it stands for."""
    return any(changes(function.node, name))


def is_changed_in_place(function: Function, name: str) -> bool:
    """Whether the function changes what an array has that a name stands for."""
    in_place = (ast.AugAssign, ast.Subscript, ast.Call)
    return any(isinstance(node, in_place) for node in changes(function.node, name))


def changes(node: ast.AST, name: str) -> Iterator[ast.AST]:
    """Give the parts that assign a name or change an array of that name."""
    for part in ast.walk(node):
        match part:
            case ast.AugAssign(target=ast.Name(id=other)) if other == name:
                yield part
            case ast.Name(id=other, ctx=ast.Store() | ast.Del()) if other == name:
                yield part
            case ast.Subscript(ctx=ast.Store() | ast.Del()) if root(part) == name:
                yield part
            case ast.Call(func=ast.Attribute(value=value, attr=method)) if (
                method in METHODS and root(value) == name
            ):
                yield part
            case ast.Call(func=ast.Attribute(attr=called) | ast.Name(id=called), args=[given, *_]) if (
                called in FUNCTIONS and root(given) == name
            ):
                yield part


def root(node: ast.expr) -> str | None:
    """The name that a chain of subscripts begins with."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _statements(
    body: list[ast.stmt],
    block: list[ast.stmt],
    name: str,
    elements: bool,
    decided: Collection[ast.If],
) -> Iterator[tuple[list[ast.stmt], ast.stmt]]:
    """Give the statements that change a name, each with the block that its body is a part of."""
    for statement in body:
        match statement:
            case ast.For() if elements and element_index(statement, name) is not None:
                yield block, statement
                continue
            case ast.Assign() | ast.AnnAssign(value=ast.expr()) | ast.AugAssign() | ast.Expr():
                if any(changes(statement, name)):
                    yield block, statement
                continue
        for inner in blocks.own(statement):
            around = block if statement in decided else inner
            yield from _statements(inner, around, name, elements, decided)


# --- loops over entries -----------------------------------------------------------------


def element_index(loop: ast.For, name: str) -> str | None:
    """The variable of a loop that is the index of the only entry of an array that its body uses or changes.

    None if the loop doesn't change the array, or isn't evidently such a loop.
    """
    index = _counter(loop)
    if index is None or not any(changes(loop, name)):
        return None
    if any(_binds(part, index) for item in loop.body for part in ast.walk(item)):
        return None
    if any(_loads(part, name) or _binds(part, name) for item in loop.orelse for part in ast.walk(item)):
        return None
    return index if all(_is_element(item, name, index) for item in loop.body) else None


def _counter(loop: ast.For) -> str | None:
    match loop:
        case ast.For(target=ast.Name(id=index), iter=ast.Call(func=ast.Name(id="range"), args=[_] | [_, _])):
            return index
        case ast.For(
            target=ast.Tuple(elts=[ast.Name(id=index), rest]),
            iter=ast.Call(func=ast.Name(id="enumerate"), args=[_], keywords=[]),
        ) if not any(_binds(part, index) for part in ast.walk(rest)):
            return index
        case _:
            return None


def _is_element(node: ast.AST, name: str, index: str) -> bool:
    """Whether all uses of an array in a node are of the entry at the index."""
    match node:
        case ast.FunctionDef() | ast.Lambda() | ast.ClassDef():
            return not any(_loads(part, name) or _binds(part, name) for part in ast.walk(node))
        case ast.Subscript(value=ast.Name(id=other), slice=ast.Name(id=at)) if other == name:
            return at == index and not isinstance(node.ctx, ast.Del)
        case ast.Name(id=other):
            return other != name
        case _:
            return all(_is_element(child, name, index) for child in ast.iter_child_nodes(node))


def _binds(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Name(id=other, ctx=ast.Store() | ast.Del()):
            return other == name
        case ast.arg(arg=other) | ast.FunctionDef(name=other) | ast.ClassDef(name=other):
            return other == name
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return name in names
        case _:
            return False


# --- uses -------------------------------------------------------------------------------


def uses(function: Function, node: ast.AST, name: str) -> Iterator[ast.AST]:
    """The places that use the entries of an array, and not its length only."""
    match node:
        case ast.Call(func=ast.Name(id="len") as called, args=[ast.Name()]) if (
            function.module.known(called) == _LENGTH and "len" not in function.module.inner
        ):
            return
        case ast.Attribute(attr=attribute, value=ast.Name()) if attribute in _MEASURES:
            return
    if _loads(node, name):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from uses(function, child, name)


def _mentions(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _loads(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        return node.target.id == name
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
