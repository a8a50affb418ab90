"""The nodes of a file's tree, which many questions are asked of."""

from __future__ import annotations

import ast
from functools import lru_cache


@lru_cache(maxsize=1)
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All nodes, outer ones first; they are gathered once, so whoever changes the tree has to ``forget``."""
    return tuple(ast.walk(tree))


forget = nodes.cache_clear
"""Let go of the nodes of the last tree."""
