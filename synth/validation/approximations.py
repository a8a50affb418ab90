"""Logarithms and roots in core programs as fractions that are near: the definition knows only exact ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from synth.trusted.core.exponential_numbers import Number, enclosure
from synth.trusted.core.expressions import Given, NoValue
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import changed
from synth.trusted.program.substitution import mapped

_BITS = 60


def _near(value: Number) -> float:
    return float(value) if isinstance(value, int | Fraction) else float(enclosure(value, _BITS)[0])


def _logarithm(value: Number) -> Fraction:
    if value <= 0:
        raise NoValue("domain")
    return Fraction(math.log(_near(value)))


def _square_root(value: Number) -> Fraction:
    if value < 0:
        raise NoValue("domain")
    return Fraction(math.sqrt(_near(value)))


_FUNCTIONS: Mapping[ir.Operator, tuple[str, Callable[[Number], Fraction]]] = {
    ir.Operator.LOGARITHM: ("log%", _logarithm),
    ir.Operator.SQUARE_ROOT: ("sqrt%", _square_root),
}
"""What stands for them: functions that are parameters, by names that no program has."""


GIVEN: Mapping[str, Given] = dict(_FUNCTIONS.values())
"""What these functions are, as inputs."""


def approximated(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The mechanism where logarithms and roots are calls of functions that are given."""
    parameters = [
        ir.Parameter(name, ir.ParameterKind.FUNCTION, ir.Sort.REAL, 1, None, mechanism.span)
        for name, _ in _FUNCTIONS.values()
    ]
    return replace(
        mechanism,
        parameters=(*mechanism.parameters, *parameters),
        requires=_in_expression(mechanism.requires),
        body=_in_body(mechanism.body),
    )


def _in_body(body: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...]:
    return tuple(changed(item, _in_expression, _in_body) for item in body)


def _in_expression(expression: ir.Expression) -> ir.Expression:
    return mapped(expression, _call)


def _call(part: ir.Expression) -> ir.Expression | None:
    match part:
        case ir.Operation(operator=operator, operands=(operand,)) if operator in _FUNCTIONS:
            name, _ = _FUNCTIONS[operator]
            return ir.Read(name, (_in_expression(operand),), ir.Sort.REAL)
    return None
