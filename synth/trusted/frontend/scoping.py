"""Which function a name belongs to, by Python's rules: what is bound in a function is local to it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator

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
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from _own([*node.args.defaults, *(item for item in node.args.kw_defaults if item)])
        elif isinstance(node, ast.ClassDef):
            yield from _own([*node.decorator_list, *node.bases, *(item.value for item in node.keywords)])
        else:
            yield from _own(ast.iter_child_nodes(node))


def assigned(function: ast.FunctionDef) -> Counter[str]:
    """Count the assignments to each local name that aren't augmented ones; definitions are assignments.

    What a handler of a ``try`` binds is local, too.
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
        elif isinstance(child, ast.ExceptHandler):
            counts.update(dict.fromkeys(bound_in_handlers([child]), 0))
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
            ):
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names) if id(node) not in top:
                yield from (item.asname or item.name.partition(".")[0] for item in names)


def free_names(function: ast.FunctionDef | ast.Lambda) -> frozenset[str]:
    """Return the names in a function, and in those within it, that it doesn't bind itself."""
    body = function.body if isinstance(function, ast.FunctionDef) else [function.body]
    used: set[str] = set()
    bound = {part.arg for part in ast.walk(function.args) if isinstance(part, ast.arg)}
    if isinstance(function, ast.FunctionDef):
        bound |= assigned(function).keys()
    for node in _own(body):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            used |= free_names(node)
        elif isinstance(node, ast.Name):
            used.add(node.id)
    return frozenset(used - bound)


def captured(function: ast.FunctionDef) -> frozenset[str]:
    """Return the names that functions within a function use without binding them."""
    inner = (part for part in own_nodes(function) if isinstance(part, ast.FunctionDef | ast.Lambda))
    return frozenset[str]().union(*map(free_names, inner))
