"""The scales of a mechanism's noise in the text of its file, and the holes that stand for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from synth.trusted.errors import ProgramError, Refusal

_SCALES = {"laplace": (1, 2), "exponential": (1, 1), "gaussian": (1, 1), "normal": (1, 1)}
"""Names of noise: where its scale stands in a call, and its variance in squares of the scale."""

_KEYWORDS = ("scale", "sigma")
_ANY_LAW = 1


@dataclass(frozen=True)
class Site:
    """A scale, or a hole (``text`` is None) in place of one, from ``start`` to ``end`` in bytes of the file.

    ``variance`` is that of one draw, in squares of the scale.
    """

    line: int
    start: int
    end: int
    text: str | None
    variance: int


@dataclass(frozen=True)
class Sketch:
    """A mechanism's text with its sites in the order of the text; either all of them are holes or none is."""

    text: str
    function: ast.FunctionDef
    tree: ast.Module
    sites: tuple[Site, ...]

    @property
    def has_holes(self) -> bool:
        """Whether scales are to be found, not changed."""
        return any(site.text is None for site in self.sites)


def parsed(text: str, path: str) -> ast.Module:
    """Return the syntax tree of a file.  Raises ProgramError."""
    if "\r" in text.replace("\r\n", "") or text.startswith("\ufeff"):
        message = "only files without a byte order mark and without lone carriage returns are changed"
        raise ProgramError(message, path, code=Refusal.FILE_UNREADABLE)
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line, column = getattr(error, "lineno", None), getattr(error, "offset", None)
        message = f"not Python: {getattr(error, 'msg', error)}"
        raise ProgramError(message, path, line, column, code=Refusal.SYNTAX_ERROR) from None


def functions(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    """Return the functions of a file by name, with methods as ``Class.method``."""
    found = {item.name: item for item in tree.body if isinstance(item, ast.FunctionDef)}
    for item in tree.body:
        if isinstance(item, ast.ClassDef):
            methods = (part for part in item.body if isinstance(part, ast.FunctionDef))
            found |= {f"{item.name}.{part.name}": part for part in methods}
    return found


def sketch(text: str, path: str, name: str) -> Sketch:
    """Return the sites of a function.  Raises ProgramError for a hole that is no scale."""
    tree = parsed(text, path)
    function = functions(tree)[name]
    found = tuple(sorted(_sites(text, path, function), key=lambda site: site.start))
    holes = tuple(site for site in found if site.text is None)
    return Sketch(text, function, tree, holes or found)


def _sites(text: str, path: str, function: ast.FunctionDef) -> Iterator[Site]:
    starts = line_starts(text)
    scales = dict(_scales(function))
    for node in _inside(function):
        if node in scales or is_hole(node):
            assert isinstance(node, ast.expr)
            start, end = extent(node, starts)
            source = None if is_hole(node) else ast.unparse(node)
            if node not in scales:
                message = "a hole '...' stands for a scale: as in laplace(x, ...), or scale = ..."
                place = node.lineno, node.col_offset + 1
                raise ProgramError(message, path, *place, code=Refusal.UNSUPPORTED_CONSTRUCT)
            yield Site(node.lineno, start, end, source, scales[node])


def _inside(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """All parts of the body but statements that are a docstring or ``...`` alone."""
    for statement in function.body:
        for node in ast.walk(statement):
            if not (is_hole(node) and node in _alone(statement)):
                yield node


def _alone(statement: ast.stmt) -> set[ast.AST]:
    return {item.value for item in ast.walk(statement) if isinstance(item, ast.Expr)}


def is_hole(node: ast.AST) -> bool:
    """Return whether it is ``...``."""
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _scales(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, int]]:
    """The expressions that are scales, with the variance of a draw."""
    for node in _inside(function):
        match node:
            case ast.Call():
                yield from _scale_of_call(node)
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.Constant() as value) if is_hole(value):
                yield value, _ANY_LAW


def _scale_of_call(call: ast.Call) -> Iterator[tuple[ast.AST, int]]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    place, variance = _SCALES.get(name, (None, _ANY_LAW))
    for keyword in call.keywords:
        if is_hole(keyword.value) or (place is not None and keyword.arg in _KEYWORDS):
            yield keyword.value, variance
    for number, argument in enumerate(call.args):
        if is_hole(argument) or number == place:
            yield argument, variance


def line_starts(text: str) -> list[int]:
    """Return where lines start, in bytes."""
    starts = [0]
    for line in text.encode().split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def extent(node: ast.expr, starts: list[int]) -> tuple[int, int]:
    """Return where an expression starts and ends, in bytes."""
    assert node.end_lineno is not None and node.end_col_offset is not None
    return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
