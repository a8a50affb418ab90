"""What values, operators and library functions ask of a run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Protocol

from synth.validation.values import Scope, Value
from synth.validation.ways import Draw

Place = tuple[int, int]
"""Line and column of a call in the program's file, both from 1."""

NOWHERE = (0, 0)
"""The place of a call in another file."""


class Run(Protocol):
    """A run of a program: how its draws fall, and which call it has come to.

    ``reals`` says where noise of ``synth.lang`` is real though its centre may be an integer
    (docs/language.md: that is the type of the expression, and not of a value); None of a place where some
    is and some isn't.
    """

    draw: Draw
    reals: Mapping[Place, bool | None]
    place: Place

    def call(
        self, function: Value, arguments: list[Value], keywords: Mapping[str, Value] | None = None
    ) -> Value:
        """What a call gives.  Raises Raised, NotComputed."""

    def value(self, node: ast.expr, scope: Scope) -> Value:
        """The value of an expression.  Raises Raised, NotComputed."""

    def truth(self, value: Value) -> bool:
        """Whether a value is true.  Raises Raised, NotComputed."""

    def entries(self, value: Value) -> Iterator[Value]:
        """What a loop goes through.  Raises Raised, NotComputed."""

    def each(self, values: Iterator[Value]) -> Iterator[Value]:
        """What an iterator gives, each for one step."""
