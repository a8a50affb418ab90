"""From a text to Python's syntax tree, within bounds."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable
from typing import TypeVar

from synth.trusted.core.read_expressions import CoreError

MAX_CHARACTERS = 4_000_000
MAX_NESTING = 300
"""Levels of Python's syntax tree."""

T = TypeVar("T")


def read_tree(text: str, read: Callable[[list[str], ast.Module], T]) -> T:
    """Return what ``read`` makes of the lines of a text and of their tree.  Raises CoreError."""
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.isprintable():
            column = next(place for place, item in enumerate(line, start=1) if not item.isprintable())
            raise CoreError("a character that can't be printed", number, column)
    if len(text) > MAX_CHARACTERS:
        raise CoreError(f"more than {MAX_CHARACTERS:,} characters", 1, 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        _check_depth(tree)
        return read(lines, tree)
    except SyntaxError as error:
        where = error.lineno or 1, error.offset or 1
        raise CoreError(f"not Python's syntax: {error.msg}", *where) from None
    except (RecursionError, MemoryError):
        raise CoreError("nested too deeply", 1, 1) from None


def _check_depth(tree: ast.Module) -> None:
    level: list[ast.AST] = [tree]
    for _ in range(MAX_NESTING):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    for node in level:
        if isinstance(node, ast.expr | ast.stmt):
            message = f"nested too deeply (more than {MAX_NESTING} levels)"
            raise CoreError(message, node.lineno, node.col_offset + 1)
