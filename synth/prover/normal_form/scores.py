"""Scores of a draw by weights, as a public rate times a score that stands by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import reduce

from synth.trusted.normal_form.decision_trees import ONE, product
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

Asks = Callable[[ir.Expression], bool]
Signed = tuple[ir.Expression, bool]


def rated(law: ir.Weights, is_public: Asks, is_alike: Asks) -> ir.Weights:
    """Public factors of the score belong to the rate, signs to the score.

    Of a sum, what is alike in both runs is a base measure: it is divided by the rate of all other parts.
    """
    parts = list(_addends(law.score, False))
    base = [part for part in parts if is_alike(part[0])]
    moving = [_stripped(part, is_public) for part in parts if part not in base]
    if not base or not moving or any(rate != moving[0][1] for _, rate in moving):
        whole, rate = _stripped((law.score, False), is_public)
        return replace(law, score=_with_sign(whole), rate=product(law.rate, rate))
    rate = moving[0][1]
    shares = [(builders.divide(part, rate), negative) for part, negative in base]
    score = reduce(_added, shares, _with_sign(moving[0][0]))
    for part, _ in moving[1:]:
        score = _added(score, part)
    return replace(law, score=score, rate=product(law.rate, rate))


def _added(score: ir.Expression, part: Signed) -> ir.Expression:
    return (builders.subtract if part[1] else builders.add)(score, part[0])


def _with_sign(part: Signed) -> ir.Expression:
    return builders.opposite(part[0]) if part[1] else part[0]


def _addends(score: ir.Expression, negative: bool) -> Iterator[Signed]:
    """The parts of a sum, each with whether it is taken off."""
    match score:
        case ir.Operation(operator=ir.Operator.ADD, operands=(first, second)):
            yield from _addends(first, negative)
            yield from _addends(second, negative)
        case ir.Operation(operator=ir.Operator.SUBTRACT, operands=(first, second)):
            yield from _addends(first, negative)
            yield from _addends(second, not negative)
        case ir.Operation(operator=ir.Operator.NEGATE, operands=(first,)):
            yield from _addends(first, not negative)
        case _:
            yield score, negative


def _stripped(part: Signed, is_public: Asks) -> tuple[Signed, ir.Expression]:
    """What is left of a part without its public factors, and their product without its sign."""
    (score, negative), factors = part, list[ir.Expression]()
    while isinstance(score, ir.Operation):
        match score:
            case ir.Operation(operator=ir.Operator.MULTIPLY, operands=(first, second)) if is_public(first):
                score, factors = second, [*factors, first]
            case ir.Operation(operator=ir.Operator.MULTIPLY, operands=(first, second)) if is_public(second):
                score, factors = first, [*factors, second]
            case ir.Operation(operator=ir.Operator.DIVIDE, operands=(first, second)) if is_public(second):
                score, factors = first, [*factors, builders.divide(ONE.value, second)]
            case ir.Operation(operator=ir.Operator.NEGATE, operands=(first,)):
                score, negative = first, not negative
            case _:
                break
    rate = ONE.value
    for factor in factors:
        size, opposite = _unsigned(factor)
        rate, negative = product(rate, size), negative ^ opposite
    return (score, negative), rate


def _unsigned(factor: ir.Expression) -> Signed:
    """A factor without the minus signs that it is written with, and whether they make one."""
    match factor:
        case ir.Constant(value=value) if value < 0:
            return builders.magnitude(factor), True
        case ir.Operation(operator=ir.Operator.NEGATE, operands=(inner,)):
            size, negative = _unsigned(inner)
            return size, not negative
        case ir.Operation(operator=ir.Operator.MULTIPLY | ir.Operator.DIVIDE, operands=(first, second)):
            (one, left), (other, right) = _unsigned(first), _unsigned(second)
            return replace(factor, operands=(one, other)), left ^ right
        case _:
            return factor, False
