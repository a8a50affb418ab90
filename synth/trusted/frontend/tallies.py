"""Lists of counts over records, cell by cell: ``h = [0] * n`` and ``for r in x: h[e] += d``.

``h[e] = h[e] + d`` is ``h[e] += d``, as ``e`` only computes.

Such a loop is read as the loop over the cells in which the records are gone through once for each cell: what
is added to the cell ``j`` is what the records with ``e == j`` add, in their order.  Both have the same lists
behind them, since nothing else is changed, drawn or decided in the loop, and ``e`` and ``d`` are the same
each time.  That each index is inside is shown for each record, and that there is a cell at all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from copy import copy, deepcopy
from dataclasses import replace

from synth.trusted.frontend.module import Function, Module
from synth.trusted.frontend.scoping import assigned
from synth.trusted.frontend.vocabulary import Known, Role

_CALLS = ("abs", "bool", "float", "int", "len", "max", "min")
"""Functions of Python that only compute."""

_COMPUTES = (
    ast.BinOp,
    ast.BoolOp,
    ast.Call,
    ast.Compare,
    ast.Constant,
    ast.IfExp,
    ast.Name,
    ast.Subscript,
    ast.Tuple,
    ast.UnaryOp,
    ast.boolop,
    ast.cmpop,
    ast.expr_context,
    ast.operator,
    ast.unaryop,
)


NEW, OLD, SIZE, CELL, TOTAL, PLACE = "new", "old", "size", "cell", "total", "place"


def by_cell(module: Module, function: Function) -> Function:
    """Return the function with such loops as loops over cells; the same object if it has none."""
    if not all(_is_python(module, name) for name in (*_CALLS, "range")):
        return function
    node = in_cells(function.node)
    return function if node is function.node else replace(function, node=node, assigned=assigned(node))


def _is_python(module: Module, name: str) -> bool:
    known = module.known(ast.Name(name, ast.Load()))
    return known is not None and (known == Known(Role.FUNCTION, name) or known.role is Role.STUB)


def in_cells(function: ast.FunctionDef) -> ast.FunctionDef:
    """Return the definition with such loops as loops over cells; the same object if it has none."""
    body = list(function.body)
    for place, statement in enumerate(body):
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.BinOp(
                    left=ast.List(elts=[ast.Constant(value=int() | float()) as start]),
                    op=ast.Mult(),
                    right=ast.Name(id=size),
                ),
            ) if not isinstance(start.value, bool) and not _mentioned(body[:place], name):
                loop = next((item for item in body[place + 1 :] if _mentioned([item], name)), None)
                if isinstance(loop, ast.For) and _is_tally(function, loop, name, size):
                    at = body.index(loop)
                    new = f"{name}%cells"
                    rest = [_renamed(item, name, new) for item in body[at + 1 :]]
                    changed = [*body[:at], *_cells(loop, (name, size), new, start), *rest]
                    result = copy(function)
                    result.body = changed
                    return in_cells(result)
            case _:
                pass
    return function


def _is_tally(function: ast.FunctionDef, loop: ast.For, name: str, size: str) -> bool:
    """Whether a loop over records only adds to entries of the list, and all else in it is its own."""
    parameters = {item.arg for item in ast.iter_child_nodes(function.args) if isinstance(item, ast.arg)}
    own = {node.id for node in _names(loop) if isinstance(node.ctx, ast.Store)}
    elsewhere = {node.id for item in function.body if item is not loop for node in _names(item)} | parameters
    stored = {node.id for node in _names(function) if not isinstance(node.ctx, ast.Load)}
    nested = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Global, ast.Nonlocal)
    bound = {node.arg for item in function.body for node in ast.walk(item) if isinstance(node, ast.arg)}
    return (
        isinstance(loop.iter, ast.Name)
        and {loop.iter.id, size} <= parameters - stored
        and not loop.orelse
        and isinstance(loop.target, ast.Name | ast.Tuple)
        and all(isinstance(node, ast.Name | ast.Tuple | ast.expr_context) for node in ast.walk(loop.target))
        and not own & (elsewhere | {name, *_CALLS})
        and not bound & {name, *own, *_CALLS}
        and not stored & set(_CALLS)
        and not parameters & set(_CALLS)
        and not any(isinstance(node, nested) for item in function.body for node in ast.walk(item))
        and all(_adds(statement, name) for statement in loop.body)
        and any(isinstance(node, ast.Subscript) and _is_stored(node) for node in ast.walk(loop))
    )


def _adds(statement: ast.stmt, name: str) -> bool:
    """Whether a statement only computes, and adds to entries of the list."""
    match _augmented(statement, name):
        case ast.AugAssign(
            target=ast.Subscript(value=ast.Name(id=target), slice=index),
            op=ast.Add() | ast.Sub(),
            value=added,
        ):
            return target == name and _computes(index, name) and _computes(added, name)
        case ast.Assign(targets=[ast.Name(id=target)], value=value):
            return target != name and _computes(value, name)
        case ast.If(test=test, body=then, orelse=otherwise):
            return _computes(test, name) and all(_adds(item, name) for item in (*then, *otherwise))
        case ast.Pass() | ast.Continue():
            return True
        case _:
            return False


def _augmented(statement: ast.stmt, name: str) -> ast.stmt:
    """``h[e] += d`` for ``h[e] = h[e] + d``, and any other statement as it is."""
    match statement:
        case ast.Assign(
            targets=[ast.Subscript(value=ast.Name(id=target), slice=index) as entry],
            value=ast.BinOp(left=ast.Subscript(value=ast.Name(id=read), slice=place), op=op, right=added),
        ) if target == read == name and ast.dump(index) == ast.dump(place):
            return ast.copy_location(ast.AugAssign(target=entry, op=op, value=added), statement)
    return statement


def _is_stored(node: ast.Subscript) -> bool:
    return isinstance(node.ctx, ast.Store)


def _computes(node: ast.expr, name: str) -> bool:
    return all(
        isinstance(part, _COMPUTES)
        and not (isinstance(part, ast.Name) and part.id == name)
        and not (isinstance(part, ast.Call) and not _is_plain(part))
        for part in ast.walk(node)
    )


def _is_plain(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id in _CALLS and not node.keywords


def _cells(loop: ast.For, old: tuple[str, str], new: str, start: ast.Constant) -> Iterator[ast.stmt]:
    """What makes the list anew, cell by cell; of the old one it is given the name, and that of its size."""
    name, size = old
    inner = deepcopy(loop)
    inner.body = list(_counted(inner.body, name))
    lines = f"    {TOTAL} = 0\n    {NEW}.append({TOTAL})"
    made = _at(loop, f"{NEW} = []\n{OLD}[0]\nfor {CELL} in range({SIZE}):\n{lines}")
    called = {NEW: new, OLD: name, SIZE: size, **_own_names(name)}
    for statement in made:
        for node in _names(statement):
            node.id = called.get(node.id, node.id)
    whole = made[-1]
    assert isinstance(whole, ast.For)
    first = whole.body[0]
    assert isinstance(first, ast.Assign)
    first.value = deepcopy(start)
    whole.body.insert(1, inner)
    yield from made


def _own_names(name: str) -> dict[str, str]:
    return {item: f"{name}%{item}" for item in (CELL, TOTAL, PLACE)}


def _counted(body: Sequence[ast.stmt], name: str) -> Iterator[ast.stmt]:
    """The statements, of which one that adds to an entry adds to the total of its cell.

    The index is a variable, so that none counts from the end: it is shown to be one from the start.
    """
    for written in body:
        statement = _augmented(written, name)
        match statement:
            case ast.AugAssign(target=ast.Subscript(slice=index), op=op, value=added):
                made = _at(statement, f"{PLACE} = 0\n{OLD}[{PLACE}]\nif {PLACE} == {CELL}:\n    {TOTAL} += 0")
                called = {OLD: name, **_own_names(name)}
                for part in made:
                    for node in _names(part):
                        node.id = called[node.id]
                at, _, test = made
                assert isinstance(at, ast.Assign) and isinstance(test, ast.If)
                (more,) = test.body
                assert isinstance(more, ast.AugAssign)
                at.value, more.op, more.value = index, op, added
                yield from made
            case ast.If(body=then, orelse=otherwise):
                statement.body = list(_counted(then, name))
                statement.orelse = list(_counted(otherwise, name))
                yield statement
            case _:
                yield statement


def _at(place: ast.stmt, text: str) -> list[ast.stmt]:
    """Statements that stand where another one stands."""
    made = ast.parse(text).body
    for statement in made:
        for node in ast.walk(statement):
            if isinstance(node, ast.stmt | ast.expr):
                ast.copy_location(node, place)
    return made


def _renamed(statement: ast.stmt, name: str, new: str) -> ast.stmt:
    found = deepcopy(statement)
    for node in _names(found):
        if node.id == name:
            node.id = new
    return found


def _mentioned(body: Sequence[ast.stmt], name: str) -> bool:
    return any(node.id == name for item in body for node in _names(item))


def _names(node: ast.AST) -> Iterator[ast.Name]:
    return (part for part in ast.walk(node) if isinstance(part, ast.Name))
