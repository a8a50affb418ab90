"""Names that begin with two underscores: within a class, Python puts the name of the class before them."""

from __future__ import annotations

import ast

_FIELDS = ("id", "attr", "name", "asname", "rest", "module")
"""Fields of nodes that hold one name; arguments by name, and texts, are not changed."""


def expand(tree: ast.Module) -> None:
    """Write such names as Python has them: ``self.__x`` in ``class _C`` is ``self._C__x``."""
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, owner = waiting.pop()
        inner = node.name.lstrip("_") if isinstance(node, ast.ClassDef) else owner
        if owner:
            _expand_names(node, owner)
        for part, value in ast.iter_fields(node):
            within = inner if part == "body" else owner
            children = value if isinstance(value, list) else [value]
            waiting.extend((child, within) for child in children if isinstance(child, ast.AST))


def _expand_names(node: ast.AST, owner: str) -> None:
    match node:
        case ast.arg(arg=name):
            node.arg = _expanded(name, owner)
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            node.names = [_expanded(name, owner) for name in names]
        case _:
            for part, value in ast.iter_fields(node):
                if part in _FIELDS and isinstance(value, str):
                    setattr(node, part, _expanded(value, owner))


def _expanded(name: str, owner: str) -> str:
    private = name.startswith("__") and not name.endswith("__") and "." not in name
    return f"_{owner}{name}" if private else name
