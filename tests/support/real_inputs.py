"""Small inputs of real Python programs, by the annotations of their parameters."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

NUMBERS: dict[str, tuple[Any, ...]] = {
    "int": (-2, -1, 0, 1, 2, 3),
    "float": (-1.5, -1.0, 0.0, 0.5, 2.0),
    "bool": (False, True),
}
_ENTRIES = {"np.float64": "float", "np.int64": "int", "np.bool_": "bool"}
_LONGEST = 3


def small_inputs(text: str, rng: random.Random, count: int) -> Iterator[dict[str, Any]]:
    """Give so many inputs of the function ``f`` of a program."""
    functions = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
    (function,) = (node for node in functions if node.name == "f")
    arguments = [(item.arg, item.annotation) for item in (*function.args.posonlyargs, *function.args.args)]
    for _ in range(count):
        size = rng.randint(0, _LONGEST)
        yield {name: _of(annotation, rng, size) for name, annotation in arguments}


def _of(annotation: ast.expr | None, rng: random.Random, size: int) -> Any:
    """A value of a type; sequences have that size or another one."""
    match annotation:
        case ast.Name(id=name):
            return rng.choice(NUMBERS[name])
        case ast.Subscript(value=ast.Name(id="list"), slice=inner):
            return _several(lambda: _of(inner, rng, size), rng, size)
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=parts)):
            return tuple(_of(part, rng, size) for part in parts)
        case ast.Subscript(value=ast.Attribute(attr="NDArray"), slice=inner):
            kind = _ENTRIES[ast.unparse(inner)]
            entries = _several(lambda: rng.choice(NUMBERS[kind]), rng, size)
            return np.array(entries, dtype={"float": float, "int": int, "bool": bool}[kind])
        case _:
            raise AssertionError(f"no inputs of the type {annotation and ast.unparse(annotation)}")


def _several(entry: Callable[[], Any], rng: random.Random, size: int) -> list[Any]:
    return [entry() for _ in range(rng.choice((size, size, rng.randint(0, _LONGEST))))]
