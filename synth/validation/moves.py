"""Values of parameters that differ from others in one number: a parameter, an entry, a length."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from synth.trusted.core.expressions import Given
from synth.trusted.program import syntax as ir
from synth.validation.descent import Move

Core = Mapping[str, Given]
CoreMove = Move[Core]

_LONGEST = 1_000
_STEP = Fraction(1, 4)
"""Of reals."""


def core_moves(mechanism: ir.Mechanism) -> list[CoreMove]:
    """Give the numbers that can be changed, each as what changes it by steps; lengths are first."""
    coded = {name for labels in mechanism.labels for name in labels.parameters}
    found: list[CoreMove] = []
    if any(item.kind is ir.ParameterKind.SEQUENCE for item in mechanism.parameters):
        found.append(partial(_of_length, mechanism))
    for item in mechanism.parameters:
        if item.name not in coded:
            found += [partial(change, item) for change in _changes(item)]
    return found


def _of_length(mechanism: ir.Mechanism, core: Core, by: int) -> Core | None:
    changed = dict(core)
    for item in mechanism.parameters:
        values = core[item.name]
        if item.kind is not ir.ParameterKind.SEQUENCE or not isinstance(values, tuple):
            continue
        length = len(values) + by
        if not values or not 0 <= length <= _LONGEST:
            return None
        changed[item.name] = tuple(values[place % len(values)] for place in range(length))
    return changed


def _changes(item: ir.Parameter) -> Iterator[Callable[..., Core | None]]:
    match item.kind:
        case ir.ParameterKind.SCALAR:
            yield _scalar
        case ir.ParameterKind.SEQUENCE:
            yield from (_entries, _first, _last)
        case _:
            yield _table


def _scalar(item: ir.Parameter, core: Core, by: int) -> Core:
    return {**core, item.name: _number(core[item.name], by)}


def _entries(item: ir.Parameter, core: Core, by: int) -> Core | None:
    values = core[item.name]
    assert isinstance(values, tuple)
    return {**core, item.name: tuple(_number(value, by) for value in values)} if values else None


def _first(item: ir.Parameter, core: Core, by: int) -> Core | None:
    values = core[item.name]
    assert isinstance(values, tuple)
    return {**core, item.name: (_number(values[0], by), *values[1:])} if values else None


def _last(item: ir.Parameter, core: Core, by: int) -> Core | None:
    values = core[item.name]
    assert isinstance(values, tuple)
    return {**core, item.name: (*values[:-1], _number(values[-1], by))} if values else None


def _table(item: ir.Parameter, core: Core, by: int) -> Core:
    values = core[item.name]
    assert callable(values)
    return {**core, item.name: lambda *places: _number(values(*places), by)}


def _number(value: Any, by: int) -> Any:
    match value:
        case bool():
            return value != bool(by % 2)
        case int():
            return value + by
        case Fraction():
            return value + by * _STEP
    return value
