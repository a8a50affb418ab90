"""Small inputs of a mechanism, at random."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from synth.trusted.program import syntax as ir
from tests.support.typed_runs import Run

_VALUES: dict[ir.Sort, tuple[Any, ...]] = {
    ir.Sort.INT: (-2, -1, 0, 1, 2, 3),
    ir.Sort.REAL: (Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2)),
    ir.Sort.BOOL: (False, True),
}
_TRIES = 30
_SIZE = 4
"""Of tables."""


def inputs_of(
    of: ir.Mechanism, rng: random.Random, longest: int = 4, tables: bool = False
) -> dict[str, Any] | None:
    """Inputs that satisfy ``requires``, functions as ``tables`` if so asked; None if none were found."""
    for _ in range(_TRIES):
        found = {item.name: _given(item, rng, longest, tables) for item in of.parameters}
        if Run(of, found, iter(())).at(of.requires):
            return found
    return None


def _given(item: ir.Parameter, rng: random.Random, longest: int, tables: bool) -> Any:
    values = _VALUES[item.sort]
    if item.kind is ir.ParameterKind.SCALAR:
        return rng.choice(values)
    if item.kind is ir.ParameterKind.FUNCTION and tables:
        return _table(item.arity, lambda: rng.choice(values))
    if item.kind is ir.ParameterKind.FUNCTION:
        table: dict[tuple[Any, ...], Any] = {}
        return lambda *places: table.setdefault(places, rng.choice(values))
    return tuple(rng.choice(values) for _ in range(rng.choice((2, rng.randint(0, longest)))))


def _table(arity: int, entry: Callable[[], Any]) -> Any:
    return tuple(_table(arity - 1, entry) for _ in range(_SIZE)) if arity else entry()
