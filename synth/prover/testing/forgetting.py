"""Loops that forget what they add up: a sum is scaled in each iteration, or loses what left a window."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions, names


def changing(mechanism: ir.Mechanism) -> frozenset[str]:
    """Return the lists that may differ at one index."""
    return frozenset(
        item.name
        for item in mechanism.parameters
        if item.metric is not None and item.metric.kind is ir.MetricKind.CHANGE_ONE
    )


def scales_a_sum(loop: ir.Loop) -> bool:
    """Whether an iteration multiplies or divides what a variable was before."""
    return any(
        isinstance(part, ir.Operation)
        and part.operator in (ir.Operator.MULTIPLY, ir.Operator.DIVIDE)
        and statement.target in names(part)
        for statement in ir.statements(loop.body)
        if isinstance(statement, ir.Assign)
        for part in ir.subexpressions(statement.value)
    )


def decays(loop: ir.Loop) -> dict[str, Fraction]:
    """Return the variables that an iteration scales by a number below 1 (whatever its sign), and its size."""
    found: dict[str, set[Fraction]] = {}
    for statement in ir.statements(loop.body):
        if isinstance(statement, ir.Assign) and statement.target in names(statement.value):
            factor = _factor_of(statement.target, statement.value)
            found.setdefault(statement.target, set()).add(abs(factor) if factor is not None else Fraction(1))
    return {name: max(factors) for name, factors in found.items() if 0 < max(factors) < 1}


def _factor_of(name: str, expression: ir.Expression) -> Fraction | None:
    """Return what a value is multiplied by in a sum; None if that isn't seen to be a number."""
    match expression:
        case ir.Variable(name=other):
            return Fraction(int(other == name))
        case ir.Operation(ir.Operator.ADD, operands):
            return _sum([_factor_of(name, item) for item in operands])
        case ir.Operation(ir.Operator.SUBTRACT, (first, second)):
            return _sum([_factor_of(name, first), _times(Fraction(-1), _factor_of(name, second))])
        case ir.Operation(ir.Operator.NEGATE, (only,)):
            return _times(Fraction(-1), _factor_of(name, only))
        case ir.Operation(ir.Operator.MULTIPLY, (ir.Constant(value=value), other)) | ir.Operation(
            ir.Operator.MULTIPLY, (other, ir.Constant(value=value))
        ):
            return _times(Fraction(value), _factor_of(name, other))
        case ir.Operation(ir.Operator.DIVIDE, (other, ir.Constant(value=value))) if value:
            return _times(1 / Fraction(value), _factor_of(name, other))
        case _:
            return Fraction(0) if name not in names(expression) else None


def _times(factor: Fraction, other: Fraction | None) -> Fraction | None:
    return None if other is None else factor * other


def _sum(factors: list[Fraction | None]) -> Fraction | None:
    known = [item for item in factors if item is not None]
    return sum(known, Fraction(0)) if len(known) == len(factors) else None


def reads_a_window(mechanism: ir.Mechanism, loop: ir.Loop) -> bool:
    """Whether a list that may differ at one index is read at several."""
    places: dict[str, set[tuple[ir.Expression, ...]]] = {}
    for read in _reads(loop):
        places.setdefault(read.source, set()).add(read.index)
    return any(len(places.get(name, ())) > 1 for name in changing(mechanism))


def window_sizes(mechanism: ir.Mechanism) -> set[str]:
    """Return the integer parameters that say how far back a list is read that may differ at one index."""
    lists = changing(mechanism)
    integers = {
        item.name
        for item in mechanism.visible
        if item.kind is ir.ParameterKind.SCALAR and item.metric is None and item.sort is ir.Sort.INT
    }
    return integers & {
        name
        for loop in ir.statements(mechanism.body)
        if isinstance(loop, ir.Loop) and reads_a_window(mechanism, loop)
        for read in _reads(loop)
        if read.source in lists
        for index in read.index
        for name in names(index)
    }


def _reads(loop: ir.Loop) -> Iterator[ir.Read]:
    for statement in ir.statements(loop.body):
        for whole in expressions(statement):
            yield from (part for part in ir.subexpressions(whole) if isinstance(part, ir.Read))
