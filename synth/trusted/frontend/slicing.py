"""The part of a program file that a mechanism needs: whole lines, so that it is a program by itself.

Statements of the module that share a line stay together, with all lines that may belong to them.  A
mechanism needs the statement that defines it, those that bind a name that a needed one mentions, and what has
no name of its own: star imports, and imports from ``__future__``.  That is a guess as far as a verdict goes:
the reader keeps a slice only if it reads the same mechanism from it (:func:`~.reader.read_program`).
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from synth.trusted.frontend.source import Source

_BLANK = re.compile(r"[ \t\f]*(#.*)?")


@dataclass(frozen=True)
class Slice:
    """Some lines of a file, as a text, and their numbers."""

    text: str
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Slicer:
    """Makes slices of one file; each takes time for its own lines only."""

    source: Source
    tree: ast.Module

    def slice(self, name: str, texts: Iterable[str] = ()) -> Slice:
        """What the function or method of that name needs, and what is stated of it in texts beside the file.

        Raises KeyError if there is none.
        """
        needed = set(self._always)
        named = {item for text in texts for node in _parsed(text) for item in _mentioned(node)}
        waiting = [
            *self._binding[name.partition(".")[0]],
            *needed,
            *(place for item in named for place in self._binding.get(item, ())),
        ]
        while waiting:
            block = waiting.pop()
            needed.add(block)
            waiting += [other for other in self._needs[block] if other not in needed]
        numbers = [number for block in sorted(needed) for number in self._lines(block)]
        text = "".join(f"{self.source.lines[number - 1]}\n" for number in numbers)
        return Slice(text, tuple(numbers))

    def _lines(self, block: int) -> Iterable[int]:
        _, first, last = self._blocks[block]
        return range(first, last + 1)

    @cached_property
    def _blocks(self) -> list[tuple[list[ast.stmt], int, int]]:
        """Statements that stay together, with their first and last line."""
        found: list[tuple[list[ast.stmt], int, int]] = []
        end = 0
        for node in self.tree.body:
            first, last = _extent(node)
            if self._is_apart(end, first):
                found.append(([node], first, last))
            elif found:
                statements, begun, before = found[-1]
                found[-1] = [*statements, node], begun, max(last, before)
            else:
                found.append(([node], 1, last))
            end = found[-1][2]
        if found and not self._is_apart(end, len(self.source.lines) + 1):
            found[-1] = *found[-1][:2], len(self.source.lines)
        return found

    def _is_apart(self, end: int, start: int) -> bool:
        """Whether nothing goes on from one line to another one, and nothing is between them."""
        lines = self.source.lines
        if end and (start <= end or lines[end - 1].endswith("\\")):
            return False
        return all(_BLANK.fullmatch(line) for line in lines[end : start - 1])

    @cached_property
    def _binding(self) -> dict[str, list[int]]:
        """The blocks that bind a name."""
        found: dict[str, list[int]] = {}
        for place, (statements, _, _) in enumerate(self._blocks):
            for name in {name for node in statements for name in _bound(node)}:
                found.setdefault(name, []).append(place)
        return found

    @cached_property
    def _needs(self) -> list[tuple[int, ...]]:
        """For each block those that bind a name that it mentions."""
        binding = self._binding
        return [
            tuple(
                {place for node in statements for name in _mentioned(node) for place in binding.get(name, ())}
            )
            for statements, _, _ in self._blocks
        ]

    @cached_property
    def _always(self) -> tuple[int, ...]:
        """The blocks with imports that bind no name of which they tell, or more than a name."""
        return tuple(
            place
            for place, (statements, _, _) in enumerate(self._blocks)
            if any(map(_has_no_name, statements))
        )


def _extent(node: ast.stmt) -> tuple[int, int]:
    """The first and the last line of a statement."""
    decorated = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    decorators = node.decorator_list if isinstance(node, decorated) else []
    return min([node.lineno, *(item.lineno for item in decorators)]), node.end_lineno or node.lineno


def _bound(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (item.asname or item.name.partition(".")[0] for item in names)
        case ast.ImportFrom(names=names):
            yield from (item.asname or item.name for item in names)
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            yield name


def _has_no_name(node: ast.stmt) -> bool:
    match node:
        case ast.ImportFrom(module=module, names=names):
            return module == "__future__" or any(item.name == "*" for item in names)
        case _:
            return False


def _mentioned(root: ast.AST) -> set[str]:
    """The names in a statement, and in its strings that may be read as expressions."""
    found: set[str] = set()
    waiting: list[ast.AST] = [root]
    while waiting:
        match waiting.pop():
            case ast.Name(id=name):
                found.add(name)
            case ast.Constant(value=str(text)):
                waiting += _parsed(text)
            case ast.Expr(value=ast.Constant(value=str())):
                pass  # what is said of a function
            case ast.Assert(test=test, msg=ast.Constant()):
                waiting.append(test)
            case node:
                waiting += ast.iter_child_nodes(node)
    return found


def _parsed(text: str) -> Iterator[ast.AST]:
    """The expression that a string holds, as :meth:`Source.embedded` has it, if it holds one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield ast.parse(" ".join(text.split("\n")).strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
