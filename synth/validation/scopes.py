"""Which names a scope binds, by its text."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class Names:
    """The names that a function binds in its own scope, those that it says are another scope's (whether it
    is the module's), and whether it yields.
    """

    bound: frozenset[str]
    outer: Mapping[str, bool]
    yields: bool


@lru_cache(maxsize=512)
def names_of(function: ast.FunctionDef | ast.Lambda) -> Names:
    """What the text of a function says of its names."""
    own = list(_own(function.body if isinstance(function, ast.FunctionDef) else [function.body]))
    outer = {
        name: isinstance(node, ast.Global)
        for node in own
        if isinstance(node, ast.Global | ast.Nonlocal)
        for name in node.names
    }
    bound = frozenset(name for node in own for name in _bound(node))
    return Names(bound, outer, any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own))


def _own(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Give the nodes that are not of an inner scope; of a comprehension, what it binds outside of itself."""
    for node in body:
        yield node
        if isinstance(node, _INNER):
            continue
        inner = _own(ast.iter_child_nodes(node))
        if isinstance(node, _COMPREHENSIONS):
            yield from (item for item in inner if isinstance(item, ast.NamedExpr))
        else:
            yield from inner


def _bound(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.NamedExpr(target=ast.Name(id=name)):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from ((item.asname or item.name.partition(".")[0]) for item in names)
