"""What writes real Python programs at random: lines, and the names that are known where it writes.

A production writes an expression of a kind, or statements.  It raises :class:`NoneFits` where it needs a name
that there isn't, and another one is taken.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

_Written = TypeVar("_Written")

NUMBER, LIST, ARRAY = "number", "list", "array"
DEEPEST = 2
_TRIES = 20


class NoneFits(Exception):
    """A production needs what isn't there."""


@dataclass
class Grammar:
    """Productions of numbers, of what loops run over, of statements, and of definitions above.

    Each function begins with statements of all ``starts``.
    """

    numbers: list[Callable[[Writer], str]] = field(default_factory=list)
    iterables: list[Callable[[Writer], str]] = field(default_factory=list)
    statements: list[Callable[[Writer], None]] = field(default_factory=list)
    definitions: list[Callable[[Writer], None]] = field(default_factory=list)
    starts: list[Callable[[Writer], None]] = field(default_factory=list)


@dataclass
class Writer:
    """A program that is being written; ``names`` has those that stand for something here, by its kind."""

    rng: random.Random
    grammar: Grammar
    lines: list[str] = field(default_factory=list)
    names: dict[str, list[str]] = field(default_factory=dict)
    indent: int = 0
    depth: int = 0
    draws: int = 0
    fresh: int = 0

    def line(self, text: str) -> None:
        """Write a line."""
        self.lines.append("    " * self.indent + text)

    def new(self, kind: str, stem: str) -> str:
        """A new name for something of a kind."""
        self.fresh += 1
        name = f"{stem}{self.fresh}"
        self.names.setdefault(kind, []).append(name)
        return name

    def known(self, kind: str) -> str:
        """A name that stands for something of a kind.  Raises NoneFits."""
        found = self.names.get(kind)
        if not found:
            raise NoneFits
        return self.rng.choice(found)

    @contextmanager
    def block(self) -> Iterator[None]:
        """Lines that are further in; names that they bind are forgotten."""
        outer = {kind: list(names) for kind, names in self.names.items()}
        self.indent += 1
        yield
        self.indent -= 1
        self.names = outer

    # --- productions ----------------------------------------------------------------------------

    def number(self) -> str:
        """A number."""
        self.depth += 1
        try:
            return self._written(self.grammar.numbers) if self.depth <= DEEPEST else self.simple()
        finally:
            self.depth -= 1

    def simple(self) -> str:
        """A number without parts."""
        names = self.names.get(NUMBER, [])
        return self.rng.choice([*names, *names, "0", "1", "2", "-1"])

    def condition(self) -> str:
        """A truth value."""
        left, right = self.number(), self.number()
        test = f"{left} {self.rng.choice(['<', '<=', '>', '==', '!='])} {right}"
        others = [
            test,
            test,
            f"not {test}",
            f"({test} and {self.simple()} > 0)",
            f"({test} or {self.simple()})",
        ]
        return self.rng.choice(others)

    def iterable(self) -> str:
        """What a loop may run over."""
        self.depth += 1
        try:
            if self.depth > DEEPEST:
                return self.rng.choice([*self.names.get(LIST, []), "range(2)"])
            return self._written(self.grammar.iterables)
        finally:
            self.depth -= 1

    def statements(self, count: int) -> None:
        """So many statements."""
        for _ in range(count):
            self._written(self.grammar.statements)

    def definitions(self) -> None:
        """All definitions."""
        for production in self.grammar.definitions:
            production(self)

    def starts(self) -> None:
        """What functions begin with."""
        for production in self.grammar.starts:
            self._written([production])

    def _written(self, productions: Sequence[Callable[[Writer], _Written]]) -> _Written:
        for _ in range(_TRIES):
            lines, place = len(self.lines), (self.indent, self.depth)
            names = {kind: list(known) for kind, known in self.names.items()}
            try:
                return self.rng.choice(productions)(self)
            except NoneFits:
                del self.lines[lines:]
                self.names, (self.indent, self.depth) = names, place
        return productions[0](self)
