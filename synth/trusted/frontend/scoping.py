"""Which function a name belongs to, by Python's rules: what is bound in a function is local to it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from synth.trusted.frontend.bound_names import names_bound
from synth.trusted.frontend.nodes import nodes

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
"""What has names of its own, besides comprehensions."""

LEFT_OUT = "left_out"
"""What an attribute of a statement is called that has names which are bound where it is left out."""


def own_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Give what is in the body of a function, but not in the bodies of functions and classes in it."""
    return _own(function.body)


def _own(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    for node in nodes:
        yield node
        body = getattr(node, "body", ()) if isinstance(node, SCOPES) else ()
        inner = body if isinstance(body, Sequence) else (body,)
        yield from _own(part for part in ast.iter_child_nodes(node) if part not in inner)


def assigned(function: ast.FunctionDef) -> Counter[str]:
    """Count the assignments to each local name that aren't augmented ones; definitions are assignments.

    What is bound otherwise, or where no run comes, is local, too: ``del``, ``match``, handlers, imports.
    """
    counts: Counter[str] = Counter()
    nodes = list(own_nodes(function))
    inner = {id(name) for part in nodes for name in own_names(part)}
    for child in nodes:
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            if id(child) not in inner:
                counts[child.id] += 1
        elif isinstance(child, ast.AugAssign) and isinstance(child.target, ast.Name):
            counts[child.target.id] -= 1
        elif isinstance(child, ast.FunctionDef):
            counts[child.name] += 1
        else:
            counts.update(dict.fromkeys(names_bound(child), 0))
        counts.update(dict.fromkeys(getattr(child, LEFT_OUT, ()), 0))
    return counts


def bound_in_handlers(handlers: Iterable[ast.ExceptHandler]) -> frozenset[str]:
    """Return the names that handlers bind, and perhaps more that are only bound within them."""
    return frozenset(bound_within(ast.Module([ast.Try([], [*handlers], [], [])], [])))


def own_names(node: ast.AST) -> Iterator[ast.Name]:
    """Give the variables that a comprehension has for itself, where it binds them."""
    if isinstance(node, ast.comprehension):
        for part in ast.walk(node.target):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                yield part


def bound_within(tree: ast.Module) -> Iterator[str]:
    """Give the names that something other than a definition or import at the top of a file may have."""
    top = {id(node) for node in tree.body}
    for node in nodes(tree):
        match node:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name) if (
                id(node) not in top
            ):
                yield name
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
                | ast.MatchMapping(rest=str(name))
            ):
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names) if id(node) not in top:
                yield from (item.asname or item.name.partition(".")[0] for item in names)


def free_names(function: ast.FunctionDef | ast.Lambda) -> frozenset[str]:
    """Return the names in a function, and in those within it, that it doesn't bind itself."""
    body = function.body if isinstance(function, ast.FunctionDef) else [function.body]
    bound = {part.arg for part in ast.walk(function.args) if isinstance(part, ast.arg)}
    if isinstance(function, ast.FunctionDef):
        bound |= assigned(function).keys()
    return used_names(body) - bound


def used_names(body: Iterable[ast.AST]) -> frozenset[str]:
    """Return the names in a body, but those that comprehensions and functions in it have for themselves."""
    used: set[str] = set()
    parts = list(_own(body))
    inner = {place for node in parts for place in _of_comprehension(node)}
    for node in parts:
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            used |= free_names(node)
        elif isinstance(node, ast.Name) and id(node) not in inner:
            used.add(node.id)
    return frozenset(used)


def _of_comprehension(node: ast.AST) -> Iterator[int]:
    """Give which names mean its own variables: what it runs over first is evaluated outside of it."""
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        own = {name.id for part in node.generators for name in own_names(part)}
        outside = {id(part) for part in ast.walk(node.generators[0].iter)}
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id in own and id(part) not in outside:
                yield id(part)


def captured(function: ast.FunctionDef) -> frozenset[str]:
    """Return the names that functions within a function use without binding them."""
    inner = (part for part in own_nodes(function) if isinstance(part, ast.FunctionDef | ast.Lambda))
    return frozenset[str]().union(*map(free_names, inner))
