"""Concrete inputs: values of all parameters, adjacency, and how both are written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

from synth.refuter.exact.arithmetic import UndefinedError
from synth.refuter.exact.evaluation import Compiler
from synth.refuter.exact.forms import Exact, Form, Value
from synth.refuter.exact.laws import Enclosure
from synth.refuter.exact.states import DroppedMass, State
from synth.trusted.errors import UsageError
from synth.trusted.program import syntax as ir
from synth.trusted.program.builders import conjuncts

Datum = Exact | tuple[Any, ...]
"""A value of a parameter; a sequence is a tuple, a function too: entry r is its value at r."""

Inputs = Mapping[str, Datum]


@dataclass(frozen=True)
class Pair:
    """Two inputs of one mechanism."""

    left: Inputs
    right: Inputs

    def swapped(self) -> Pair:
        """The same pair in the other order."""
        return Pair(self.right, self.left)


def entries(parameter: ir.Parameter, value: Datum) -> dict[tuple[int, ...], Exact]:
    """The entries of a sequence, or the values of a function, by index."""
    return dict(_entries(value, parameter.arity, ()))


def _entries(value: Datum, depth: int, place: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Exact]]:
    if depth == 0:
        assert not isinstance(value, tuple)
        yield place, value
        return
    assert isinstance(value, tuple)
    for number, item in enumerate(value):
        yield from _entries(item, depth - 1, (*place, number))


def lengths(mechanism: ir.Mechanism, inputs: Inputs) -> dict[str, int]:
    """The lengths of all sequence parameters."""
    return {
        item.name: len(entries(item, inputs[item.name]))
        for item in mechanism.parameters
        if item.kind is ir.ParameterKind.SEQUENCE
    }


def families(mechanism: ir.Mechanism, inputs: Inputs) -> dict[str, dict[tuple[int, ...], Exact]]:
    """The entries of all sequences and functions."""
    return {
        item.name: entries(item, inputs[item.name])
        for item in mechanism.parameters
        if item.kind is not ir.ParameterKind.SCALAR
    }


def scalars(mechanism: ir.Mechanism, inputs: Inputs) -> dict[str, Exact]:
    """The values of all scalar parameters."""
    found = {}
    for item in mechanism.parameters:
        value = inputs[item.name]
        if item.kind is ir.ParameterKind.SCALAR:
            assert not isinstance(value, tuple)
            found[item.name] = value
    return found


# --- public facts ---------------------------------------------------------------------------


def public_value(mechanism: ir.Mechanism, expression: ir.Expression, inputs: Inputs) -> Exact | Enclosure:
    """The value of an expression over public parameters.  Raises UndefinedError."""
    compiler = Compiler((families(mechanism, inputs),), lengths(mechanism, inputs))
    values: dict[str, Value] = dict(scalars(mechanism, inputs))
    try:
        value = compiler.compile(expression)(State(0, values, arb(1)))
    except DroppedMass:
        raise UndefinedError("a comparison of irrational numbers that are very close") from None
    assert not isinstance(value, Form)
    return value


def is_admissible(mechanism: ir.Mechanism, inputs: Inputs) -> bool:
    """Whether ``requires`` holds."""
    try:
        return bool(public_value(mechanism, mechanism.requires, inputs))
    except UndefinedError:
        return False


def is_excluded(mechanism: ir.Mechanism, given: Inputs) -> bool:
    """Whether a part of ``requires`` that speaks of these scalars alone does not hold."""
    values = {name: value for name, value in given.items() if not isinstance(value, tuple)}
    for part in conjuncts(mechanism.requires):
        atoms = [item for item in ir.subexpressions(part) if not isinstance(item, ir.Constant | ir.Operation)]
        if all(isinstance(item, ir.Variable) and item.name in values for item in atoms):
            try:
                if not Compiler(({},), {}).compile(part)(State(0, dict(values), arb(1))):
                    return True
            except (UndefinedError, DroppedMass):
                return True
    return False


def is_adjacent(mechanism: ir.Mechanism, left: Inputs, right: Inputs) -> bool:
    """Whether the two inputs are admissible, agree on what is public, and are as near as stated."""
    if not (is_admissible(mechanism, left) and is_admissible(mechanism, right)):
        return False
    try:
        return all(
            _related(mechanism, item, left, right[item.name], left[item.name])
            for item in mechanism.parameters
        )
    except UndefinedError:
        return False


def _related(
    mechanism: ir.Mechanism, parameter: ir.Parameter, public: Inputs, one: Datum, two: Datum
) -> bool:
    first, second = entries(parameter, one), entries(parameter, two)
    if first.keys() != second.keys():
        return False
    differences = [Fraction(second[place]) - Fraction(first[place]) for place in first]
    metric = parameter.metric
    if metric is None:
        return not any(differences)
    if metric.kind is ir.MetricKind.DISCRETE:
        return True
    if metric.bound is None:
        return sum(1 for item in differences if item) <= 1
    bound = public_value(mechanism, metric.bound, public)
    return _within(metric, differences, bound.low if isinstance(bound, Enclosure) else Fraction(bound))


def _within(metric: ir.Metric, differences: list[Fraction], bound: Fraction) -> bool:
    """Whether differences are as the metric allows, with that bound."""
    sizes = [abs(item) for item in differences]
    if any(size > bound for size in sizes):
        return False
    if metric.kind is ir.MetricKind.L1:
        return sum(sizes) <= bound
    if metric.kind is ir.MetricKind.L2:
        return sum(size * size for size in sizes) <= bound * bound
    if metric.kind is ir.MetricKind.CHANGE_ONE:
        return sum(1 for size in sizes if size) <= 1
    if metric.monotone:
        return all(item >= 0 for item in differences) or all(item <= 0 for item in differences)
    return True


# --- written --------------------------------------------------------------------------------


def read_datum(parameter: ir.Parameter, content: object) -> Datum:
    """A value from JSON: numbers, booleans, fractions as strings, lists.  Raises UsageError."""
    datum = _read(parameter, content, parameter.arity)
    if parameter.arity > 1 and len({len(row) for row in _rows(datum)}) > 1:
        raise UsageError(f"{parameter.name}: rows of different lengths")
    return datum


def _rows(datum: Datum) -> tuple[Any, ...]:
    return tuple(item for item in datum if isinstance(item, tuple)) if isinstance(datum, tuple) else ()


def _read(parameter: ir.Parameter, content: object, depth: int) -> Datum:
    if depth:
        if not isinstance(content, (list, tuple)):
            raise UsageError(f"{parameter.name}: a list is needed, not {content!r}")
        return tuple(_read(parameter, item, depth - 1) for item in content)
    if parameter.sort is ir.Sort.BOOL:
        if content in (True, False):
            return bool(content)
        raise UsageError(f"{parameter.name}: True or False is needed, not {content!r}")
    try:
        if isinstance(content, (list, tuple, dict)) or content is None:
            raise ValueError
        number = Fraction(str(content))
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"{parameter.name}: a number is needed, not {content!r}") from None
    if number.denominator == 1:
        return int(number)
    if parameter.sort is ir.Sort.INT:
        raise UsageError(f"{parameter.name}: an integer is needed, not {content!r}")
    return number


def written(datum: Datum) -> Any:
    """A value as JSON: integers, floats where they are exact, else fractions as strings."""
    if isinstance(datum, tuple):
        return [written(item) for item in datum]
    if isinstance(datum, Fraction):
        if datum.denominator == 1:
            return int(datum)
        return _float(datum) or str(datum)
    return datum


def _float(number: Fraction) -> float | None:
    """The float that is written as a number is, if there is one."""
    try:
        near = float(number)
    except OverflowError:
        return None
    return near if Fraction(str(near)) == number else None


def indices(sizes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All indices of a table of those sizes."""
    return product(*(range(size) for size in sizes))
