"""Numbers at which private data that may have any value make a difference: those that the program names."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from synth.prover.testing.interpreter import Number
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions

MAX_LANDMARKS = 12
_LARGEST = 10**9


def is_arbitrary(metric: ir.Metric | None) -> bool:
    """Return whether the metric leaves the size of an entry, or of its change, to the program."""
    if metric is None:
        return False
    if metric.kind is ir.MetricKind.CHANGE_ONE:
        return metric.bound is None
    return metric.kind is ir.MetricKind.LINF and _is_zero(metric.bound)


def _is_zero(bound: ir.Expression | None) -> bool:
    return isinstance(bound, ir.Constant) and bound.value == 0


def landmarks(mechanism: ir.Mechanism, public: Mapping[str, Number]) -> tuple[Number, ...]:
    """Return numbers of the program's text, and values of its public numbers, but -1, 0 and 1."""
    numbers = [value for value in public.values() if not isinstance(value, bool)]
    named: list[Number] = [*_constants(mechanism.body), *numbers]
    apart = (item for item in named if item not in (-1, 0, 1) and -_LARGEST <= item <= _LARGEST)
    return tuple(dict.fromkeys(apart))[:MAX_LANDMARKS]


@lru_cache(maxsize=64)
def _constants(body: tuple[ir.Statement, ...]) -> tuple[Number, ...]:
    found: dict[Number, None] = {}
    for statement in ir.statements(body):
        for expression in expressions(statement):
            for part in ir.subexpressions(expression):
                if isinstance(part, ir.Constant) and part.sort is not ir.Sort.BOOL:
                    found[_plain(Fraction(part.value))] = None
    return tuple(found)


def _plain(number: Fraction) -> Number:
    return int(number) if number.denominator == 1 else number
