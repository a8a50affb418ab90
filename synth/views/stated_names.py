"""What a mechanism's decorator says, with what the names in it stand for in the file.

A file may call what it imports as it likes: ``from synth.lang import l1_distance as linf_distance``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from synth.trusted.program import syntax as ir

_PLAIN = ("math", "synth.lang")
"""Modules whose names everybody knows."""


def decorator_text(mechanism: ir.Mechanism) -> str | None:
    """What is stated at the function: which inputs are adjacent, what is required, and what is claimed."""
    tree = ast.parse(mechanism.source)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == mechanism.name and node.decorator_list:
            stated = " ".join(f"@{ast.unparse(item)}" for item in node.decorator_list)
            parameters = {item.arg for item in ast.walk(node.args) if isinstance(item, ast.arg)}
            named = _words(node.decorator_list) - parameters
            known = ", ".join(text for name, text in _meanings(tree) if name in named)
            return f"{stated}, where {known}" if known else stated
    return None


def _words(nodes: list[ast.expr]) -> set[str]:
    """The names in expressions, also in texts."""
    parts = [part for node in nodes for part in ast.walk(node)]
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return names.union(*(re.findall(r"\w+", text) for text in texts))


def _meanings(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Give the names of a file that aren't a library's own, each with what it stands for."""
    for node in tree.body:
        match node:
            case ast.ImportFrom(module=module, names=names, level=level):
                for item in names:
                    name, own = item.asname or item.name, f"{'.' * level}{module or ''}"
                    if name != item.name or own not in _PLAIN:
                        yield name, f"{name} is {own}.{item.name}"
            case ast.Import(names=names):
                for item in names:
                    if item.asname is not None:
                        yield item.asname, f"{item.asname} is {item.name}"
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, f"{name} = {ast.unparse(value)}"
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, f"{name} = {ast.unparse(value)}"
