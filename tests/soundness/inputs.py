"""Small inputs of a mechanism, at random."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from typed_runs import Run

from synth.language.syntax import Mechanism, Parameter, ParameterKind, Sort

_VALUES: dict[Sort, tuple[Any, ...]] = {
    Sort.INT: (-2, -1, 0, 1, 2, 3),
    Sort.REAL: (Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2)),
    Sort.BOOL: (False, True),
}
_TRIES = 30


def inputs_of(of: Mechanism, rng: random.Random, longest: int = 4) -> dict[str, Any] | None:
    """Inputs that satisfy ``requires``; None if none were found."""
    for _ in range(_TRIES):
        found = {item.name: _given(item, rng, longest) for item in of.parameters}
        if Run(of, found, iter(())).at(of.requires):
            return found
    return None


def _given(item: Parameter, rng: random.Random, longest: int) -> Any:
    values = _VALUES[item.sort]
    if item.kind is ParameterKind.SCALAR:
        return rng.choice(values)
    if item.kind is ParameterKind.FUNCTION:
        table: dict[tuple[Any, ...], Any] = {}
        return lambda *places: table.setdefault(places, rng.choice(values))
    return tuple(rng.choice(values) for _ in range(rng.choice((2, rng.randint(0, longest)))))
