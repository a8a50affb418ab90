"""Draws with finitely many outcomes, for the check: the outcomes with their chances."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import names
from synth.trusted.witness.boxes import Incomplete, Scope, Undefined, bounded, evaluate, number, truth
from synth.trusted.witness.chances import ALWAYS, NEVER, Chance, exponential, of_fraction
from synth.trusted.witness.values import Box, Infinity, Number, Truth, Value, box

_MAX_OUTCOMES = 10_000

Ends = tuple[int | None, int | None]
"""The least and the greatest integer; None where there is none."""


def outcomes(choice: ir.Choose, scope: Scope) -> Iterator[tuple[Value, Chance]]:
    """The outcomes that may come.  Raises Incomplete, Undefined."""
    match choice.law:
        case ir.Chances() as law:
            return _by_chances(choice, law, scope)
        case ir.Weights() as law:
            return _by_weights(choice, law, scope)


def _with_index(choice: ir.Choose, scope: Scope, outcome: Value) -> Scope:
    return Scope({**scope.values, choice.index: outcome}, scope.lists, scope.entries, scope.lengths)


# --- by probabilities -----------------------------------------------------------------------


def _by_chances(choice: ir.Choose, law: ir.Chances, scope: Scope) -> Iterator[tuple[Value, Chance]]:
    for outcome in _candidates(choice, law, scope):
        inner = _with_index(choice, scope, outcome)
        total = NEVER
        for condition, value in law.outcomes:
            found = truth(evaluate(condition, inner))
            if found is not Truth.FALSE:
                chance = _chance(number(evaluate(value, inner)))
                total = total.plus(chance if found is Truth.TRUE else Chance(NEVER.low, chance.high))
        if total.high > 0:
            yield outcome, Chance(total.low, min(total.high, ALWAYS.high))


def _chance(value: Number) -> Chance:
    """A number as a probability; what lies outside of [0, 1] is cut off."""
    content = box(value)
    low, high = (min(max(Fraction(0), bounded(end)), Fraction(1)) for end in (content.low, content.high))
    return Chance(of_fraction(low).low, of_fraction(high).high)


def _candidates(choice: ir.Choose, law: ir.Chances, scope: Scope) -> Iterable[Value]:
    if choice.sort is ir.Sort.BOOL:
        return (Truth.FALSE, Truth.TRUE)
    parts = [_ends(condition, choice.index, scope) for condition, _ in law.outcomes]
    low, high = _around(parts)
    if low is None or high is None:
        raise Incomplete("a draw of integers without bounds")
    if high - low >= _MAX_OUTCOMES:
        raise Incomplete("a draw with very many outcomes")
    return range(low, high + 1)


def _around(parts: list[Ends]) -> Ends:
    lows, highs = ([part[side] for part in parts] for side in (0, 1))
    low = None if None in lows else min((end for end in lows if end is not None), default=0)
    return low, None if None in highs else max((end for end in highs if end is not None), default=-1)


def _common(parts: list[Ends]) -> Ends:
    lows = [low for low, _ in parts if low is not None]
    highs = [high for _, high in parts if high is not None]
    return max(lows, default=None), min(highs, default=None)


def _ends(condition: ir.Expression, index: str, scope: Scope) -> Ends:
    """Where an index that satisfies the condition must lie."""
    if not isinstance(condition, ir.Operation):
        return None, None
    operator, operands = condition.operator, condition.operands
    if operator is ir.Operator.AND:
        return _common([_ends(item, index, scope) for item in operands])
    if operator is ir.Operator.OR:
        return _around([_ends(item, index, scope) for item in operands])
    if operator not in (ir.Operator.LESS, ir.Operator.LESS_EQUAL, ir.Operator.EQUAL):
        return None, None
    step = 1 if operator is ir.Operator.LESS else 0
    low, high = None, None
    for place, other in ((0, 1), (1, 0)):
        if _is_index(operands[place], index) and index not in names(operands[other]):
            limit = box(number(evaluate(operands[other], scope)))
            above, below = place == 1, place == 0
            if (above or operator is ir.Operator.EQUAL) and not isinstance(limit.low, Infinity):
                low = math.floor(limit.low) + 1 if step else math.ceil(limit.low)
            if (below or operator is ir.Operator.EQUAL) and not isinstance(limit.high, Infinity):
                high = math.ceil(limit.high) - 1 if step else math.floor(limit.high)
    return low, high


def _is_index(expression: ir.Expression, index: str) -> bool:
    if isinstance(expression, ir.Operation) and expression.operator is ir.Operator.TO_REAL:
        return _is_index(expression.operands[0], index)
    return isinstance(expression, ir.Variable) and expression.name == index


# --- by weights -----------------------------------------------------------------------------


def _by_weights(choice: ir.Choose, law: ir.Weights, scope: Scope) -> Iterator[tuple[Value, Chance]]:
    count = number(evaluate(law.count, scope))
    if isinstance(count, Box):
        raise Incomplete("a number of candidates that depends on noise")
    if count < 1:
        raise Undefined("there is no candidate to choose")
    if count > _MAX_OUTCOMES:
        raise Incomplete("a choice among very many candidates")
    exponents = [_exponent(law, _with_index(choice, scope, place), scope) for place in range(int(count))]
    top = max(high for _, high in exponents)
    weights = [Chance(exponential(low - top).low, exponential(high - top).high) for low, high in exponents]
    total = NEVER
    for weight in weights:
        total = total.plus(weight)
    for place, weight in enumerate(weights):
        yield place, weight.share(total)


def _exponent(law: ir.Weights, inner: Scope, scope: Scope) -> tuple[Fraction, Fraction]:
    for demand in law.demands:
        found = truth(evaluate(demand.condition, inner))
        if found is Truth.UNKNOWN:
            raise Incomplete("a demand on the candidates that depends on noise")
        if found is Truth.FALSE:
            raise Undefined(demand.reason)
    score, rate = (
        box(number(evaluate(value, where))) for value, where in ((law.score, inner), (law.rate, scope))
    )
    ends = [bounded(one) * bounded(two) for one in (score.low, score.high) for two in (rate.low, rate.high)]
    return min(ends), max(ends)
