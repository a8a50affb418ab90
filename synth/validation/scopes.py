"""Which names a scope binds, by its text."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from synth.validation.values import NotComputed, Scope, Value

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
        apart = getattr(node, "body", ()) if isinstance(node, _INNER) else ()
        apart = apart if isinstance(apart, Sequence) else (apart,)
        inner = _own(part for part in ast.iter_child_nodes(node) if part not in apart)
        if isinstance(node, _COMPREHENSIONS):
            yield from (item for item in inner if isinstance(item, ast.NamedExpr))
        else:
            yield from inner


def _bound(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case ast.NamedExpr(target=ast.Name(id=name)):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from ((item.asname or item.name.partition(".")[0]) for item in names)


class _Mangled(ast.NodeTransformer):
    """Names of a class that begin with two underscores are those that Python makes of them."""

    def __init__(self, owner: str = "") -> None:
        self.owner = owner.lstrip("_")

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        inner = _Mangled(node.name)
        node.body = [inner.visit(item) for item in node.body]
        node.name = self._name(node.name)
        for part in (*node.bases, *node.keywords, *node.decorator_list):
            self.visit(part)
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field in ("id", "attr", "name", "asname", *(("arg",) if isinstance(node, ast.arg) else ())):
            value = getattr(node, field, None)
            if isinstance(value, str) and "." not in value:
                setattr(node, field, self._name(value))
        if isinstance(node, ast.Global | ast.Nonlocal):
            node.names = [self._name(item) for item in node.names]
        return super().generic_visit(node)

    def _name(self, name: str) -> str:
        private = name.startswith("__") and not name.endswith("__") and self.owner
        return f"_{self.owner}{name}" if private else name


def parsed(text: str) -> ast.Module:
    """The statements of a module, with the names that Python makes of private ones."""
    found: ast.Module = _Mangled().visit(ast.parse(text))
    return found


def around_functions(scope: Scope) -> Scope:
    """The scope that functions inside of it see: that of a class is passed over."""
    while scope.is_class and scope.parent is not None:
        scope = scope.parent
    return scope


def home(name: str, scope: Scope) -> dict[str, Value]:
    """Where a name of a scope is bound."""
    if scope.outer.get(name) is True:
        return scope.module
    if scope.outer.get(name) is False:
        place = scope.parent
        while place is not None and (place.is_class or name not in place.local or name in place.outer):
            place = place.parent
        if place is None:
            raise NotComputed("nonlocal")
        return place.names
    return scope.names
