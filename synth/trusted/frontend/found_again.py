"""The largest or smallest entry of a list that is looked for in it: ``m = max(xs)``, then ``xs.index(m)``.

That is the index of the first of the largest, if the second statement follows the first one directly, and
nothing in it runs before that could change the list or the number: it has names and numbers besides.
"""

from __future__ import annotations

import ast
from itertools import pairwise

from synth.trusted.frontend import blocks

_PLAIN = (ast.Assign, ast.AnnAssign, ast.Return, ast.Name, ast.Constant, ast.Tuple, ast.expr_context)


def extreme(function: ast.FunctionDef, call: ast.Call) -> ast.Call | None:
    """Return the ``max(xs)`` or ``min(xs)`` of which ``xs.index(m)`` gives the index, if that is evident."""
    for block in blocks.below(function):
        for before, behind in pairwise(block):
            match before, call:
                case (
                    ast.Assign(
                        targets=[ast.Name(id=number)], value=ast.Call(args=[ast.Name(id=entries)]) as found
                    ),
                    ast.Call(func=ast.Attribute(value=ast.Name(id=owner)), args=[ast.Name(id=wanted)]),
                ) if number == wanted != entries == owner and not found.keywords:
                    if _has_only(behind, call):
                        return found
    return None


def _has_only(statement: ast.stmt, call: ast.Call) -> bool:
    """Whether a call is all that a statement runs."""
    parts = list(ast.walk(statement))
    inside = set(ast.walk(call))
    return call in parts and all(part in inside or isinstance(part, _PLAIN) for part in parts)
