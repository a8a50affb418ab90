"""Which functions of a text have the decorator ``mechanism``, as far as that is seen without reading it."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

_NAME = "mechanism"
_Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Overlooked:
    """Something that has the decorator, where mechanisms are not read, with the place of the decorator."""

    name: str
    line: int
    column: int


def decorated(data: bytes) -> tuple[str, ...] | None:
    """The names of the functions that have the decorator, in order; None for what can't be parsed.

    The text is parsed, and neither imported nor run.
    """
    tree = _parsed(data)
    return None if tree is None else tuple(dict.fromkeys(node.name for node in _read(tree)))


def overlooked(data: bytes) -> tuple[Overlooked, ...]:
    """What has the decorator but is no function of the file itself, or has it by a name of the file."""
    tree = _parsed(data)
    if tree is None or b"synth" not in data:
        return ()
    read, made = list(_read(tree)), set(_made(tree))
    names = _imported(tree) | made
    found: list[Overlooked] = []
    for name, item in _definitions(tree):
        places: list[ast.expr | _Definition] = [*_decorators(item, names)]
        if item in tree.body and name in made:
            places.append(item)
        if item not in read:
            found += (Overlooked(name, place.lineno, place.col_offset + 1) for place in places)
    return tuple(found)


def may_be_decorated(data: bytes) -> bool:
    """Whether something has the decorator; what can't be parsed may have it."""
    found = decorated(data)
    return f"@{_NAME}".encode() in data if found is None else bool(found or overlooked(data))


def _parsed(data: bytes) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _definitions(tree: ast.Module) -> Iterator[tuple[str, _Definition]]:
    """Give all functions and classes, with their names behind those of what is around them."""
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, path = waiting.pop()
        if isinstance(node, _Definition):
            yield f"{path}{node.name}", node
            path = f"{path}{node.name}."
        inner = (ast.stmt, ast.excepthandler, ast.match_case)
        waiting += [(part, path) for part in ast.iter_child_nodes(node) if isinstance(part, inner)][::-1]


def _decorators(item: _Definition, names: set[str]) -> list[ast.expr]:
    return [part for part in item.decorator_list if _is_mechanism(part, names)]


def _read(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Give the functions of the file itself that have the decorator."""
    names = _imported(tree)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and _decorators(node, names):
            yield node


def _imported(tree: ast.Module) -> set[str]:
    """The names that the decorator is imported by."""
    imports = (node for node in tree.body if isinstance(node, ast.ImportFrom))
    return {_NAME} | {
        item.asname or item.name for node in imports for item in node.names if item.name == _NAME
    }


def _made(tree: ast.Module) -> Iterator[str]:
    """Give the names of the file that something is assigned to which mentions the decorator."""
    names = _imported(tree)
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(
            _is_mechanism(part, names) for part in ast.walk(node.value) if isinstance(part, ast.expr)
        ):
            yield from (item.id for item in node.targets if isinstance(item, ast.Name))


def _is_mechanism(decorator: ast.expr, names: set[str]) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    match called:
        case ast.Name(id=name):
            return name in names
        case ast.Attribute(attr=name):
            return name == _NAME
        case _:
            return False
