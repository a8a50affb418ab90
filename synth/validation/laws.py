"""Laws that samplers of libraries have: noise falls on one of two values, other draws on each of theirs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sized
from fractions import Fraction
from typing import Any

from synth.validation import arrays
from synth.validation.runs import Run
from synth.validation.values import (
    Array,
    Native,
    NotComputed,
    Source,
    Uniform,
    Value,
    is_number,
    plain,
)
from synth.validation.ways import Shares

_MOST = 64


def noise(distribution: str, on_integers: bool, scale: float) -> Shares:
    """What noise adds to its centre: of each distribution other values."""
    width: float | int | Fraction = math.ceil(scale - 1e-9) if on_integers else Fraction(scale)
    if distribution == "gaussian":
        width = width + 1 if on_integers else width * Fraction(3, 2)
    return [(0 if distribution == "exponential" else -width, 0.5), (width, 0.5)]


def weighted(weights: Iterable[float]) -> Shares:
    """Indices, in proportion to weights."""
    found = [float(weight) for weight in weights]
    total = sum(found)
    return [(place, weight / total) for place, weight in enumerate(found) if weight > 0]


def noisy(run: Run, distribution: str, center: Any, scale: Any, *, real: bool) -> Value:
    """Noise around a number, real or of the sort of its centre.  Raises ValueError, NotComputed."""
    if not is_number(center) or not is_number(scale):
        raise NotComputed("noise on something else")
    center, scale = plain(center), plain(scale)
    if scale <= 0:
        raise ValueError("scale")
    on_integers = not real and isinstance(center, int)
    offset = run.draw(noise(distribution, on_integers, float(scale)), distribution)
    if isinstance(center, float):
        return center + float(offset)
    return center + offset if on_integers else Fraction(center) + offset


def one_of(run: Run, values: Iterable[Value]) -> Value:
    """Each of the values with the same chance.  Raises ValueError, NotComputed."""
    found = few(values)
    if not found:
        raise ValueError("nothing to draw from")
    return run.draw([(value, 1 / len(found)) for value in found])


def few(values: Iterable[Value]) -> list[Value]:
    """The values of a draw.  Raises NotComputed where there are many."""
    if isinstance(values, Sized) and len(values) > _MOST:
        raise NotComputed("a draw of many values")
    return list(values)


def coin(run: Run, chance: Any) -> bool:
    """True with that chance.  Raises ValueError."""
    chance = float(plain(chance))
    if not -1e-12 <= chance <= 1 + 1e-12:
        raise ValueError("chance")
    return bool(run.draw([(True, chance), (False, 1 - chance)]))


def different(run: Run, entries: Iterable[Value], count: Any) -> list[Value]:
    """So many of the entries, one after the other, each of those that are left.  Raises ValueError."""
    left = list(entries)
    if not 0 <= count <= len(left):
        raise ValueError("more than there are")
    return [left.pop(one_of(run, range(len(left)))) for _ in range(count)]


def index(run: Run, weights: Iterable[Value]) -> int:
    """An index, with chances in proportion to weights.  Raises ValueError."""
    found = [float(plain(weight)) for weight in weights]
    if not found or min(found) < 0 or sum(found) <= 0:
        raise ValueError("weights")
    return int(run.draw(weighted(found)))


def uniform(run: Run, low: Any = Fraction(0), high: Any = Fraction(1)) -> Value:
    """A number of a range.  Raises NotComputed."""
    low, high = plain(low), plain(high)
    if low == high:
        raise NotComputed("an empty range")
    return Uniform(Source(), high - low, low)


def many(run: Run, one: Callable[..., Value], given: tuple[Value, ...], size: Value) -> Value:
    """One draw, or as many as a size or arrays ask for.  Raises NotComputed."""
    if isinstance(size, tuple) and len(size) == 1:
        (size,) = size
    if isinstance(size, tuple) or any(isinstance(item, list | tuple) for item in given):
        raise NotComputed("draws of a shape")
    several = [item for item in given if isinstance(item, Array)]
    if size is None and not several:
        return one(run, *given)
    lengths = {len(item.entries) for item in several}
    if size is not None:
        lengths.add(plain(size))
    if len(lengths) != 1:
        raise NotComputed("draws of unlike lengths")
    (count,) = lengths
    if count > _MOST:
        raise NotComputed("many draws")
    rows = [item.entries if isinstance(item, Array) else [item] * count for item in given]
    drawn = [one(run, *row) for row in zip(*rows, strict=True)] if rows else [one(run) for _ in range(count)]
    if any(isinstance(item, Uniform) for item in drawn):
        return Array(drawn, "f")
    return arrays.as_array(run, drawn)


def natives(functions: dict[str, Callable[..., Value]]) -> dict[str, Value]:
    """Functions of a library, by their names."""
    return {name: Native(name, function, is_library=True) for name, function in functions.items()}
