"""Entries of lists, and that their indices are in range."""

from __future__ import annotations

import ast

from synth.trusted.errors import Refusal
from synth.trusted.frontend import layout
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.inference import UnresolvedError
from synth.trusted.frontend.values import Value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir


def checked(context: Context, node: ast.expr, name: str, index: ir.Expression) -> ir.Expression:
    """The index counted from the start, with the obligation that it is in range."""
    length = ir.Length(name)
    if isinstance(index, ir.Constant) and index.value < 0:
        distance = builders.integer(-int(index.value))
        needed = builders.less_equal(distance, length)
        index = builders.subtract(length, distance)
    else:
        inside = builders.less(index, length)
        needed = builders.both(builders.less_equal(builders.ZERO, index), inside)
    context.require("index", needed, "index out of range", node)
    return index


def entry(context: Context, node: ast.expr, name: str, index: ir.Expression) -> Value:
    """An entry of a local list."""
    alternatives = context.inference.entries(name)
    value = layout.decode(name, index, alternatives)
    if value is None:
        message = "entries that are dicts, or of several shapes, can't be read back"
        if not alternatives:
            message = "nothing is ever appended to this list"
        raise UnresolvedError(context.error(node, Refusal.TYPE_UNKNOWN, message))
    return value
