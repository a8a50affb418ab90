"""Which functions of a text have the decorator ``mechanism``, as far as that is seen without reading it."""

from __future__ import annotations

import ast
import warnings

_NAME = "mechanism"


def decorated(data: bytes) -> tuple[str, ...] | None:
    """The names of the functions that have the decorator, in order; None for what can't be parsed.

    The text is parsed, and neither imported nor run.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    names = {
        _NAME,
        *(
            item.asname or item.name
            for node in tree.body
            if isinstance(node, ast.ImportFrom)
            for item in node.names
            if item.name == _NAME
        ),
    }
    found = (
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any(_is_mechanism(decorator, names) for decorator in node.decorator_list)
    )
    return tuple(dict.fromkeys(found))


def may_be_decorated(data: bytes) -> bool:
    """Whether some function has the decorator; what can't be parsed may have one."""
    found = decorated(data)
    return f"@{_NAME}".encode() in data if found is None else bool(found)


def _is_mechanism(decorator: ast.expr, names: set[str]) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    match called:
        case ast.Name(id=name):
            return name in names
        case ast.Attribute(attr=name):
            return name == _NAME
        case _:
            return False
