"""Imports of libraries at the top of a function's body: they are read where those of the file stand.

So it is done where the file has the name for nothing else, and asks for it only behind such an import: then
Python finds the same there, and only imports it later.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from synth.trusted.frontend.bound_names import names_bound

_LIBRARIES = ("math", "random", "numpy", "scipy", "secrets", "statistics", "itertools", "operator", "typing")

_Import = ast.Import | ast.ImportFrom
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class _Uses:
    """Of a name: what imports it, and where the other places are that bind or read it."""

    imports: list[tuple[_Import, _Function | None]] = field(default_factory=list)
    bound: bool = False
    read: list[ast.Name] = field(default_factory=list)


def hoist(tree: ast.Module) -> None:
    """Put such imports before all else of the file but its docstring and ``__future__`` imports."""
    found = dict(_imports(tree))
    if not any(function is not None for function in found.values()):
        return
    uses = _uses(tree, found)
    moved: dict[str, _Import] = {}
    for node, function in found.items():
        if function is not None and all(_is_alone(name, uses[name]) for name in _names(node)):
            function.body = [item for item in function.body if item is not node] or [ast.Pass()]
            ast.copy_location(function.body[0], node)
            moved.setdefault(ast.dump(node), node)
    top = {ast.dump(node) for node in tree.body}
    place = sum(1 for _ in _first(tree))
    tree.body[place:place] = [node for text, node in moved.items() if text not in top]


def _imports(tree: ast.Module) -> Iterator[tuple[_Import, _Function | None]]:
    """Give the imports of libraries at the top of the file, and at the top of functions and methods."""
    for node in tree.body:
        if isinstance(node, _Import) and _is_library(node):
            yield node, None
        members = node.body if isinstance(node, ast.ClassDef) else [node]
        for function in (item for item in members if isinstance(item, _Function)):
            for item in function.body:
                if isinstance(item, _Import) and _is_library(item):
                    yield item, function


def _is_library(node: _Import) -> bool:
    if isinstance(node, ast.ImportFrom):
        top = (node.module or "").partition(".")[0]
        return not node.level and top in _LIBRARIES and node.names[0].name != "*"
    return all(item.name.partition(".")[0] in _LIBRARIES for item in node.names)


def _names(node: _Import) -> list[str]:
    return [item.asname or item.name.partition(".")[0] for item in node.names]


def _uses(tree: ast.Module, found: dict[_Import, _Function | None]) -> dict[str, _Uses]:
    uses: dict[str, _Uses] = defaultdict(_Uses)
    aliases = {id(alias) for node in found for alias in node.names}
    for node, function in found.items():
        for name in _names(node):
            uses[name].imports.append((node, function))
    for part in ast.walk(tree):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            uses[part.id].read.append(part)
        elif isinstance(part, ast.arg):
            uses[part.arg].bound = True
        elif id(part) not in aliases:
            for name in names_bound(part):
                uses[name].bound = True
    return uses


def _is_alone(name: str, uses: _Uses) -> bool:
    """Whether all imports that bind a name say the same of it, and it is only read behind one of them."""
    said = {ast.dump(alias) for node, _ in uses.imports for alias in node.names if _bound(alias) == name}
    origins = {node.module if isinstance(node, ast.ImportFrom) else "" for node, _ in uses.imports}
    early = any(_is_before(part, *item) for part in uses.read for item in uses.imports)
    if uses.bound or early or len(said) > 1 or len(origins) > 1:
        return False
    if any(function is None for _, function in uses.imports):
        return True
    return all(any(_is_behind(part, *item) for item in uses.imports) for part in uses.read)


def _bound(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _is_before(part: ast.Name, node: _Import, function: _Function | None) -> bool:
    """Whether a name is read in the function where it has no value yet."""
    if function is None:
        return False
    return (function.lineno, function.col_offset) <= (part.lineno, part.col_offset) < _end(node)


def _is_behind(part: ast.Name, node: _Import, function: _Function | None) -> bool:
    inside = function is not None and (part.lineno, part.col_offset) <= _end(function)
    return inside and _end(node) <= (part.lineno, part.col_offset)


def _end(node: ast.stmt) -> tuple[int, int]:
    return (node.end_lineno or 0, node.end_col_offset or 0)


def _first(tree: ast.Module) -> Iterator[ast.stmt]:
    """Give what must stay before all else."""
    for node in tree.body:
        match node:
            case ast.Expr(value=ast.Constant(value=str())) | ast.ImportFrom(module="__future__"):
                yield node
            case _:
                return
