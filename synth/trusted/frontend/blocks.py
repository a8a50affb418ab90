"""The lists of statements in a program: bodies, what is behind ``else`` and ``finally``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_FIELDS = ("body", "orelse", "finalbody")


def own(node: ast.AST) -> list[list[ast.stmt]]:
    """Return the lists of statements that a node has itself."""
    found = (getattr(node, field, None) for field in _FIELDS)
    return [block for block in found if isinstance(block, list)]


def below(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Give the lists of statements that a node and all nodes in it have."""
    for part in ast.walk(node):
        yield from own(part)
