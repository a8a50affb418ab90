"""Outputs as a user would write them, from the flat form and the function's return annotation.

The annotation only serves to show them; what counts is the flat form.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from synth.language.syntax import Mechanism
from synth.refute.events import Event


class _Unreadable(Exception):
    """The annotation does not fit the flat form."""


def readable(mechanism: Mechanism, event: Event) -> Any:
    """The output as JSON: a tuple is a list, a range is ``{"from": …, "to": …}``."""
    flat = event.json()
    annotation = _annotation(mechanism)
    if annotation is not None:
        try:
            return _Decoder(flat["lists"]).output(annotation, flat["values"])
        except _Unreadable:
            pass
    if len(flat["values"]) == 1 and not flat["lists"]:
        return flat["values"][0]
    if len(flat["lists"]) == 1 and not flat["values"]:
        return [row[0] if len(row) == 1 else row for row in flat["lists"][0]]
    return flat


def _annotation(mechanism: Mechanism) -> ast.expr | None:
    for node in ast.walk(ast.parse(mechanism.source)):
        if isinstance(node, ast.FunctionDef) and node.name == mechanism.name:
            return node.returns
    return None


@dataclass
class _Decoder:
    """Reads flat parts back.  Where several shapes are possible, a tag that counts them comes first."""

    lists: list[list[list[Any]]]
    used: int = 0

    def output(self, annotation: ast.expr, flat: list[Any]) -> Any:
        """The output of a mechanism with that annotation.  Raises _Unreadable."""
        found = self._whole(annotation, flat)
        if self.used < len(self.lists):
            raise _Unreadable
        return found

    def _whole(self, annotation: ast.expr, flat: list[Any]) -> Any:
        parts = iter(flat)
        shapes = sorted(_shapes(annotation), key=_rank)
        shape = shapes[0]
        if len(shapes) > 1:
            tag = next(parts, None)
            if not isinstance(tag, int) or not 0 <= tag < len(shapes):
                raise _Unreadable
            shape = shapes[tag]
        found = self._value(shape, parts)
        if len(shapes) == 1 and next(parts, None) is not None:
            raise _Unreadable
        return found

    def _value(self, shape: _Shape, parts: Iterator[Any]) -> Any:
        if isinstance(shape, tuple):
            return [self._value(item, parts) for item in shape]
        if isinstance(shape, ast.expr):
            if self.used == len(self.lists):
                raise _Unreadable
            self.used += 1
            return [self._whole(shape, row) for row in self.lists[self.used - 1]]
        if shape == "none":
            return None
        for item in parts:
            return item
        raise _Unreadable


_Shape = str | ast.expr | tuple[Any, ...]
"""``none``, ``bool``, ``number``, the annotation of a list's entries, or the shapes in a tuple."""


def _shapes(node: ast.expr) -> list[_Shape]:
    """The concrete shapes that an annotation allows."""
    match node:
        case ast.Constant(value=None):
            return ["none"]
        case ast.Name(id="int" | "float"):
            return ["number"]
        case ast.Name(id="bool"):
            return ["bool"]
        case ast.Subscript(value=ast.Name(id="list"), slice=inner):
            return [inner]
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=items)):
            return list(product(*map(_shapes, items)))
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _shapes(left) + _shapes(right)
    raise _Unreadable


def _skeleton(shape: _Shape) -> str:
    if isinstance(shape, tuple):
        return f"tuple({', '.join(map(_skeleton, shape))})"
    return "[list]" if isinstance(shape, ast.expr) else shape


def _rank(shape: _Shape) -> tuple[bool, int, str]:
    """The order in which the reader counts shapes (``language/layout.py``)."""
    name = _skeleton(shape)
    return (name != "none", len(name), name)
