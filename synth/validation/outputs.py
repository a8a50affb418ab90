"""Outputs of runs, so that those are equal that Python says are."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from synth.trusted.core.exponential_numbers import Irrational, enclosure
from synth.validation.values import Array, Member, NotComputed, NumpyNumber

RAISED = "raised"
"""The outcome of a run that ends without output."""

UNDEFINED = "undefined"
"""The outcome of a run that is not shown to have a value: no verdict says anything of it."""

_PLACES, _DIGITS = 9, 8
"""So many places behind the point are told apart, and so many digits."""


@dataclass(frozen=True)
class Label:
    """A string, or a member of an Enum, as it is written."""

    text: str


def canonical(value: Any) -> Any:
    """An output as Python compares it: lists and tuples are told apart, True is 1.  Raises NotComputed."""
    match value:
        case Array(entries=[Array(), *_] as rows):
            flat = [canonical(item) for row in rows for item in row.entries]
            sizes = canonical((len(rows),)), canonical((len(rows[0].entries),))
            return ("tuple", *sizes, ("list", *flat))  # as the reader flattens it
        case Array():
            return ("list", *map(canonical, value.entries))
        case NumpyNumber():
            return canonical(value.value)
        case Label() | None:
            return value
        case list():
            return ("list", *map(canonical, value))
        case tuple():
            return ("tuple", *map(canonical, value))
        case dict():
            pairs = [(canonical(key), canonical(item)) for key, item in value.items()]
            return ("dict", *sorted(pairs, key=repr))
        case Member():
            return Label(f"{value.type}.{value.name}")
        case str():
            return Label(value)
        case Irrational():
            return canonical(enclosure(value, 40)[0])
        case bool() | int() | float() | Fraction():
            return float(f"{round(float(value), _PLACES):.{_DIGITS}g}") + 0.0
    raise NotComputed(f"an output of {type(value).__name__}")
