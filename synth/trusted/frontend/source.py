"""The text of a program file: places in it, literals, and parsing that can't blow up."""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import inner_imports, private_names
from synth.trusted.program import syntax as ir
from synth.trusted.program.builders import MAX_BITS

MAX_TEXT_BYTES = 500_000
MAX_NESTING = 100
MAX_EXPONENT = 400

T = TypeVar("T")

Located = ast.expr | ast.stmt | ast.arg | ast.keyword | ast.alias | ast.pattern


@dataclass(frozen=True)
class Source:
    """A text with the path it came from.

    With an ``anchor`` the text is a string inside a program file, and all places are the anchor's.  With
    ``numbers`` it is some lines of a file, with their numbers there.  That of a ``stub`` is a model of a
    library, and that of an ``other`` file of the user; then the anchor is where it is used.
    """

    path: str
    text: str
    lines: tuple[str, ...]
    anchor: ir.Span | None = None
    numbers: tuple[int, ...] = ()
    stub: str = ""
    other: str = ""

    def span(self, node: Located) -> ir.Span:
        """The place where a node begins, in the file."""
        if self.anchor is not None:
            return self.anchor
        return ir.Span(self.line(node.lineno), self._column(node.lineno, node.col_offset) + 1)

    def line(self, number: int) -> int:
        """The number in the file of a line of the text; behind its last line they go on."""
        if number < 1 or not self.numbers:
            return number
        return self.numbers[min(number, len(self.numbers)) - 1] + max(0, number - len(self.numbers))

    def place(self, node: Located | ir.Span) -> ir.Span:
        """The place of a node, or the place itself."""
        return node if isinstance(node, ir.Span) else self.span(node)

    def error(self, node: Located | ir.Span, code: Refusal, message: str) -> ProgramError:
        """An error at a node or a place."""
        span = self.place(node)
        if self.stub and self.anchor is not None and not isinstance(node, ir.Span):
            message += f" (stub {self.stub}:{node.lineno})"
        if self.other and self.anchor is not None and not isinstance(node, ir.Span):
            message += f" ({self.other}:{node.lineno})"
        return ProgramError(message, self.path, span.line, span.column, code=code)

    def used_at(self, user: Source, node: Located) -> Source:
        """The text of a stub, as what stands at a node of a program."""
        return replace(self, path=user.path, anchor=user.span(node))

    def embedded(self, node: ast.expr, text: str) -> Source:
        """The source for an expression that stands in a string of this one."""
        text = " ".join(text.split("\n")).strip()
        return make_source(text, self.path, self.span(node))

    def number(self, node: ast.Constant) -> int | Fraction:
        """The exact value of an integer or decimal literal."""
        if isinstance(node.value, int):
            if node.value.bit_length() > MAX_BITS:
                raise self.error(node, Refusal.PROGRAM_TOO_LARGE, "the number is too large")
            return node.value
        start = self._column(node.lineno, node.col_offset)
        end = self._column(node.lineno, node.end_col_offset or 0)
        text = self.lines[node.lineno - 1][start:end].replace("_", "").lower()
        exponent = text.partition("e")[2]
        if isinstance(node.value, float) and math.isinf(node.value):  # in Python it is infinity
            raise self.error(node, Refusal.PROGRAM_TOO_LARGE, "the number is too large")
        # Fraction("1e999999999") would fill the memory.
        if len(text) > MAX_EXPONENT or (exponent and abs(int(exponent)) > MAX_EXPONENT):
            raise self.error(node, Refusal.PROGRAM_TOO_LARGE, "the number is too large")
        return Fraction(text)

    def _column(self, line: int, offset: int) -> int:
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        if text.isascii():
            return offset
        return len(text.encode()[:offset].decode(errors="ignore"))


def make_source(text: str, path: str, anchor: ir.Span | None = None, numbers: tuple[int, ...] = ()) -> Source:
    """Split a text into the lines that ``ast`` counts."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Source(path, text, tuple(text.split("\n")), anchor, numbers)


def parse_module(source: Source) -> ast.Module:
    """Parse a program file, with an error for whatever the parser dislikes."""
    tree = _guarded(source, lambda: ast.parse(source.text, filename=source.path))
    _check_depth(source, tree)
    private_names.expand(tree)
    inner_imports.hoist(tree)
    return tree


def parse_expression(source: Source) -> ast.expr:
    """Parse an expression that stands in a string."""
    if "#" in source.text:
        raise source.error(
            source.anchor or ir.Span(1, 1),
            Refusal.UNSUPPORTED_CONSTRUCT,
            "a comment in a string is not supported",
        )
    tree = _guarded(source, lambda: ast.parse(source.text, mode="eval"))
    _check_depth(source, tree)
    return tree.body


def _guarded(source: Source, parse: Callable[[], T]) -> T:
    if len(source.text) > MAX_TEXT_BYTES:
        message = f"the file is too large (more than {MAX_TEXT_BYTES} characters)"
        raise ProgramError(message, source.path, code=Refusal.PROGRAM_TOO_LARGE)
    if "\0" in source.text:
        raise ProgramError("the file contains null bytes", source.path, code=Refusal.FILE_UNREADABLE)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return parse()
    except SyntaxError as error:
        raise _syntax_error(source, error) from None
    except (RecursionError, MemoryError) as error:
        raise ProgramError(
            "the program is nested too deeply", source.path, code=Refusal.PROGRAM_TOO_LARGE
        ) from error
    except ValueError as error:
        raise ProgramError(f"syntax error: {error}", source.path, code=Refusal.SYNTAX_ERROR) from None


def _syntax_error(source: Source, error: SyntaxError) -> ProgramError:
    message = f"syntax error: {error.msg}"
    if source.anchor is not None:
        return source.error(source.anchor, Refusal.SYNTAX_ERROR, f"{message}, in {source.text!r}")
    if error.lineno is None:
        return ProgramError(message, source.path, code=Refusal.SYNTAX_ERROR)
    return ProgramError(
        message, source.path, source.line(error.lineno), max(error.offset or 1, 1), code=Refusal.SYNTAX_ERROR
    )


def _check_depth(source: Source, tree: ast.AST) -> None:
    stack: list[tuple[ast.AST, int]] = [(tree, 0)]
    while stack:
        node, depth = stack.pop()
        if depth > MAX_NESTING and isinstance(node, ast.expr | ast.stmt):
            raise source.error(
                node,
                Refusal.PROGRAM_TOO_LARGE,
                f"the program is nested too deeply (more than {MAX_NESTING})",
            )
        stack.extend((child, depth + 1) for child in ast.iter_child_nodes(node))
