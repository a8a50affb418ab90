"""The names that a node of a text binds."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def names_bound(node: ast.AST) -> Iterator[str]:
    """The names that a node binds or deletes itself."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.alias(name=name, asname=other):
            yield other or name.partition(".")[0]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case ast.Global(names=names):
            yield from names
