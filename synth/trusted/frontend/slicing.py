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
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from synth.trusted.frontend.source import Source

_BLANK = re.compile(r"[ \t\f]*(#.*)?")


@dataclass(frozen=True)
class Slice:
    """Some lines of a file, as a text, and their numbers."""

    text: str
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Slicer:
    """Makes slices of one file; each takes time for its own lines only.

    ``blocked`` are names that stand for what isn't read: what is read needs none of them.
    """

    source: Source
    tree: ast.Module
    blocked: Collection[str] = ()

    def slice(self, name: str, texts: Iterable[str] = (), *, narrow: bool = False) -> Slice:
        """What the function or method of that name needs, and what is stated of it in texts beside the file.

        If ``narrow``, imports bring no more names than it needs.  Raises KeyError if there is none.
        """
        found = _Needed({item for text in texts for node in _parsed(text) for item in _mentioned(node)})
        found.attributes.add(name.rpartition(".")[2])
        waiting = {*self._binding[name.partition(".")[0]], *self._always}
        for item in found.names:
            waiting.update(self._binding.get(item, ()))
        while waiting:
            for block in waiting:
                found.add_block(block, self._blocks[block][0])
            found.add_members()
            waiting = {
                place for item in found.names for place in self._binding.get(item, ())
            } - found.blocks.keys()
        narrowed = dict(self._imports(found.blocks, found.names.difference(self.blocked))) if narrow else {}
        lines = [number for block in sorted(found.blocks) for number in self._lines(block, narrowed)]
        left = found.lines_left()
        numbers = [number for number in lines if number not in left]
        text = "".join(f"{narrowed.get(number, self.source.lines[number - 1])}\n" for number in numbers)
        return Slice(text, tuple(numbers))

    def _lines(self, block: int, narrowed: Mapping[int, str]) -> Iterable[int]:
        _, first, last = self._blocks[block]
        return range(first, first + 1 if first in narrowed else last + 1)

    def _imports(self, blocks: Mapping[int, list[ast.stmt]], needed: set[str]) -> Iterator[tuple[int, str]]:
        """Imports of several names by their first lines, with those that are needed."""
        for block, statements in blocks.items():
            imports = [copy(node) for node in statements if isinstance(node, ast.Import | ast.ImportFrom)]
            if len(imports) == len(statements) and not any(map(_has_no_name, imports)):
                for node in imports:
                    node.names = [item for item in node.names if _bound_by(item) in needed]
                yield self._blocks[block][1], "; ".join(ast.unparse(node) for node in imports if node.names)

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
            for name in {name for node in statements for name in _bound(node)}.difference(self.blocked):
                found.setdefault(name, []).append(place)
        return found

    @cached_property
    def _always(self) -> tuple[int, ...]:
        """The blocks with imports that bind no name of which they tell, or more than a name."""
        return tuple(
            place
            for place, (statements, _, _) in enumerate(self._blocks)
            if any(map(_has_no_name, statements))
        )


_KEPT = ("__init__", "__post_init__", "__call__", "__slots__")
"""Members of classes that are used without being named."""


@dataclass
class _Needed:
    """What a mechanism needs so far: names and attributes that are mentioned, and blocks with statements.

    Of classes that are alone in a block, ``left`` are the members that nothing needs yet.
    """

    names: set[str]
    attributes: set[str] = field(default_factory=set)
    blocks: dict[int, list[ast.stmt]] = field(default_factory=dict)
    left: list[ast.stmt] = field(default_factory=list)

    def add_block(self, block: int, statements: list[ast.stmt]) -> None:
        """Add the statements of a block, of a class only what is always needed."""
        self.blocks[block] = statements
        match statements:
            case [ast.ClassDef() as made] if _is_in_lines(made):
                for part in (*made.decorator_list, *made.bases, *made.keywords):
                    self._mention(part)
                self.left += made.body
            case _:
                for statement in statements:
                    self._mention(statement)

    def add_members(self) -> None:
        """Add the members whose names are mentioned, until there are no more."""
        more = True
        while more:
            kept = [item for item in self.left if self._is_needed(item)]
            self.left = [item for item in self.left if item not in kept]
            for item in kept:
                self._mention(item)
            more = bool(kept)

    def _is_needed(self, member: ast.stmt) -> bool:
        bound = set(_bound(member))
        if isinstance(member, ast.AnnAssign | ast.Pass | ast.Expr):
            return True
        return bool(bound & (self.names | self.attributes)) or any(name in _KEPT for name in bound)

    def _mention(self, node: ast.AST) -> None:
        self.names |= _mentioned(node)
        self.attributes |= {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}

    def lines_left(self) -> set[int]:
        """The lines of members that nothing needs, of classes that keep some."""
        found: set[int] = set()
        for statements in self.blocks.values():
            for node in statements:
                if isinstance(node, ast.ClassDef) and any(item not in self.left for item in node.body):
                    for item in node.body:
                        if item in self.left:
                            first, last = _extent(item)
                            found.update(range(first, last + 1))
        return found


def _is_in_lines(node: ast.ClassDef) -> bool:
    """Whether the members of a class have lines of their own."""
    extents = [(node.lineno, node.lineno), *map(_extent, node.body)]
    return all(first > before for (_, before), (first, _) in pairwise(extents))


def _extent(node: ast.stmt) -> tuple[int, int]:
    """The first and the last line of a statement."""
    decorated = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    decorators = node.decorator_list if isinstance(node, decorated) else []
    return min([node.lineno, *(item.lineno for item in decorators)]), node.end_lineno or node.lineno


def _bound(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from map(_bound_by, names)
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            yield name


def _bound_by(item: ast.alias) -> str:
    return item.asname or item.name.partition(".")[0]


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
