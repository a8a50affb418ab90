"""Small changes of a pair of inputs: an entry moves or comes again, lists grow, public numbers change."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from fractions import Fraction

from synth.refuter.exact.forms import Exact
from synth.refuter.exact.inputs import Datum, Pair, is_adjacent
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import names

MAX_LENGTH = 24
"""Lists grow up to so many entries."""

_STEPS = (-2, -1, 1, 2)
_LEAPS = (-20, -5, 5, 20)
_FACTORS = (2, 4, Fraction(1, 2))

Rows = Callable[[tuple[Datum, ...]], tuple[Datum, ...]]


def changed(
    mechanism: ir.Mechanism, pair: Pair, rng: random.Random, held: Collection[str] = ()
) -> Pair | None:
    """The pair after a small change; None if that isn't adjacent.

    The public parameters that are ``held`` keep their values.
    """
    move = rng.choice((_moved, _moved, _moved, _repeated, _repeated, _grown, _shortened, _public, _public))
    found = move(mechanism, pair, rng, held)
    return found if found is not None and is_adjacent(mechanism, found.left, found.right) else None


# --- private entries ------------------------------------------------------------------------


def _moved(mechanism: ir.Mechanism, pair: Pair, rng: random.Random, held: Collection[str]) -> Pair | None:
    """One private entry moves on both sides, or on one."""
    private = [item for item in mechanism.parameters if item.metric is not None]
    if not private:
        return None
    parameter = rng.choice(private)
    left, right = dict(pair.left), dict(pair.right)
    sides = rng.choice(((left, right), (left,), (right,)))
    step = rng.choice(_STEPS + _LEAPS if len(sides) == 2 else _STEPS)
    place = rng.random()
    for side in sides:
        side[parameter.name] = _stepped(side[parameter.name], place, step, parameter.sort)
    return Pair(left, right)


def _stepped(datum: Datum, place: float, step: int, sort: ir.Sort) -> Datum:
    if isinstance(datum, tuple):
        if not datum:
            return datum
        at = int(place * len(datum))
        inner = (place * len(datum)) % 1
        return (*datum[:at], _stepped(datum[at], inner, step, sort), *datum[at + 1 :])
    return not datum if sort is ir.Sort.BOOL else datum + step


# --- lengths --------------------------------------------------------------------------------


def _repeated(mechanism: ir.Mechanism, pair: Pair, rng: random.Random, held: Collection[str]) -> Pair | None:
    """A few entries come once more."""
    length = _length(mechanism, pair)
    if not 0 < length < MAX_LENGTH:
        return None
    first = rng.randrange(length)
    last = min(length, first + min(rng.choice((1, 1, 2, 3)), MAX_LENGTH - length))
    return _with_rows(mechanism, pair, lambda rows: rows[:last] + rows[first:])


def _grown(mechanism: ir.Mechanism, pair: Pair, rng: random.Random, held: Collection[str]) -> Pair | None:
    """Each entry, or all of them from some place on, comes twice."""
    length = _length(mechanism, pair)
    if not 0 < 2 * length <= MAX_LENGTH:
        return None
    first = rng.randrange(min(length, 2))
    if rng.random() < 0.5:
        return _with_rows(mechanism, pair, lambda rows: rows + rows[first:])
    return _with_rows(
        mechanism, pair, lambda rows: rows[:first] + tuple(item for item in rows[first:] for _ in range(2))
    )


def _shortened(mechanism: ir.Mechanism, pair: Pair, rng: random.Random, held: Collection[str]) -> Pair | None:
    """One entry goes."""
    length = _length(mechanism, pair)
    if length < 2:
        return None
    place = rng.randrange(length)
    return _with_rows(mechanism, pair, lambda rows: rows[:place] + rows[place + 1 :])


def _length(mechanism: ir.Mechanism, pair: Pair) -> int:
    """How long the lists are, if all are as long; else 0."""
    lengths = {len(_rows(pair.left[item.name])) for item in _lists(mechanism)}
    return lengths.pop() if len(lengths) == 1 else 0


def _lists(mechanism: ir.Mechanism) -> list[ir.Parameter]:
    return [item for item in mechanism.parameters if item.kind is ir.ParameterKind.SEQUENCE]


def _rows(datum: Datum) -> tuple[Datum, ...]:
    assert isinstance(datum, tuple)
    return datum


def _with_rows(mechanism: ir.Mechanism, pair: Pair, change: Rows) -> Pair | None:
    """The pair with the same change in all lists."""
    if any(item.arity > 1 for item in mechanism.parameters):
        return None
    names = {item.name for item in _lists(mechanism)}
    left, right = (
        {name: change(_rows(datum)) if name in names else datum for name, datum in side.items()}
        for side in (pair.left, pair.right)
    )
    return Pair(left, right)


# --- public numbers -------------------------------------------------------------------------


def _public(mechanism: ir.Mechanism, pair: Pair, rng: random.Random, held: Collection[str]) -> Pair | None:
    """A public number is another one: a real some times as large, an integer by 1."""
    free = [
        item
        for item in mechanism.parameters
        if item.metric is None and not item.arity and item.sort is not ir.Sort.BOOL and item.name not in held
    ]
    if not free:
        return None
    claimed = names(mechanism.epsilon) if mechanism.epsilon is not None else set()
    parameter = rng.choice([item for item in free if item.name in claimed] + free)
    value = pair.left[parameter.name]
    assert not isinstance(value, tuple)
    other = _other(value, parameter.sort, rng)
    return Pair({**pair.left, parameter.name: other}, {**pair.right, parameter.name: other})


def _other(value: Exact, sort: ir.Sort, rng: random.Random) -> Exact:
    if sort is ir.Sort.INT or value == 0:
        return value + rng.choice((-1, 1))
    product = value * rng.choice(_FACTORS)
    return int(product) if product.denominator == 1 else product
