"""What the sizes of factors are compared with where private data are multiplied or divided by."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from synth.bounds.scales import Scales
from synth.prover.normal_form.relative_noise import relative_draws
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis, expressions

MAX_MAGNITUDES = 4
_ONE = ir.Constant(Fraction(1), ir.Sort.REAL)


def magnitudes(analysis: Analysis) -> tuple[ir.Expression, ...]:
    """Return 1 and the numbers and parameters that values are clipped to, if a product needs any.

    So does a centre that is divided by what it may differ by.
    """
    factors = tuple(part for item in _operations(analysis.mechanism) for part in _factors(item))
    private = analysis.tainted(frozenset()) if factors else frozenset[str]()
    needed = any(analysis.is_tainted(part, private) for part in factors)
    if not needed and not relative_draws(analysis.mechanism):
        return ()
    ends = (_size(item) for item in Scales(analysis.mechanism).ends())
    return tuple(dict.fromkeys((_ONE, *(item for item in ends if item is not None))))[:MAX_MAGNITUDES]


def _operations(mechanism: ir.Mechanism) -> Iterator[ir.Operation]:
    for statement in ir.statements(mechanism.body):
        for part in (part for item in expressions(statement) for part in ir.subexpressions(item)):
            if isinstance(part, ir.Operation):
                yield part


def _factors(item: ir.Operation) -> tuple[ir.Expression, ...]:
    """The factors of a product of unknown numbers, or what is divided by."""
    match item.operator if item.sort is ir.Sort.REAL else None:
        case ir.Operator.MULTIPLY if not any(map(_is_number, item.operands)):
            return item.operands
        case ir.Operator.DIVIDE:
            return item.operands[1:]
        case _:
            return ()


def _is_number(operand: ir.Expression) -> bool:
    match operand:
        case ir.Operation(operator=ir.Operator.NEGATE | ir.Operator.TO_REAL, operands=(inner,)):
            return _is_number(inner)
        case _:
            return isinstance(operand, ir.Constant)


def _size(end: ir.Expression) -> ir.Expression | None:
    """A parameter, or a number without its sign; None for 0 and for other expressions."""
    match end:
        case ir.Variable(sort=ir.Sort.REAL):
            return end
        case ir.Constant(value=value) if value:
            return ir.Constant(abs(Fraction(value)), ir.Sort.REAL)
        case _:
            return None
