"""Draws with finitely many outcomes: every outcome with its probability, enclosed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from flint import arb

from synth.refuter.exact.arithmetic import OTHERS, UndefinedError, floor
from synth.refuter.exact.evaluation import Evaluate
from synth.refuter.exact.forms import Exact, Form, Value
from synth.refuter.exact.laws import Enclosure, to_arb
from synth.refuter.exact.states import DroppedMass, PrecisionLoss, State
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import names

T = TypeVar("T")

Outcomes = tuple[tuple[Exact, arb], ...]
"""Outcomes with their probabilities; those that surely have none are left out."""

Distribution = Callable[[State], Outcomes]
"""The outcomes in a state.  It raises UndeterminedBranch, PrecisionLoss, DroppedMass, UndefinedError."""

Compile = Callable[[ir.Expression], Evaluate]

MAX_OUTCOMES = 10_000


class UnsupportedError(UndefinedError):
    """A draw that is defined, but not followed here; the message says why."""


def distribution_of(choice: ir.Choose, compiled: Compile) -> Distribution:
    """The outcomes of a sampling site, as a function of the state."""
    match choice.law:
        case ir.Chances() as law:
            return _by_chances(choice, law, compiled)
        case ir.Weights() as law:
            return _by_weights(choice, law, compiled)


def _for_each(state: State, index: str, outcomes: Iterable[Exact], ask: Callable[[State], T]) -> list[T]:
    """The answer for each outcome, put in for the index."""
    answers = []
    try:
        for outcome in outcomes:
            state.values[index] = outcome
            answers.append(ask(state))
    finally:
        state.values.pop(index, None)  # the state is split, and asked again, without it
    return answers


def _number(value: Value) -> Exact | Enclosure:
    if isinstance(value, Form):
        raise PrecisionLoss(value)
    return value


def _supported(number: int) -> int:
    if number > MAX_OUTCOMES:
        raise UnsupportedError(f"a draw with more than {MAX_OUTCOMES} outcomes is not supported")
    return number


# --- outcomes by their probabilities --------------------------------------------------------


def _by_chances(choice: ir.Choose, law: ir.Chances, compiled: Compile) -> Distribution:
    cases = [(compiled(condition), compiled(chance)) for condition, chance in law.outcomes]
    candidates = _candidates(choice, law, compiled)

    def chance_of(state: State) -> arb:
        found = (chance(state) for condition, chance in cases if condition(state))
        return sum((to_arb(_number(value)) for value in found), arb(0))

    def distribution(state: State) -> Outcomes:
        values = candidates(state)
        chances = _for_each(state, choice.index, values, chance_of)
        return tuple(item for item in zip(values, chances, strict=True) if not item[1].is_zero())

    return distribution


def _candidates(choice: ir.Choose, law: ir.Chances, compiled: Compile) -> Callable[[State], Sequence[Exact]]:
    """All values that may have a probability."""
    if choice.sort is ir.Sort.BOOL:
        return lambda state: (True, False)
    conditions = [condition for condition, _ in law.outcomes]

    def candidates(state: State) -> Sequence[Exact]:
        known = _either([_range(item, choice.index, compiled, state) for item in conditions])
        if known.low is None or known.high is None:
            raise UnsupportedError(
                f"the outcomes of {choice.distribution} have no bounds that can be read off"
            )
        _supported(known.high - known.low + 1)
        return range(known.low, known.high + 1)

    return candidates


@dataclass(frozen=True)
class _Bounds:
    """Integers from ``low`` to ``high``; None where there is no end."""

    low: int | None = None
    high: int | None = None


def _either(parts: Sequence[_Bounds]) -> _Bounds:
    """Around all of them."""
    lows = [part.low for part in parts if part.low is not None]
    highs = [part.high for part in parts if part.high is not None]
    low = min(lows) if lows and len(lows) == len(parts) else None
    return _Bounds(low, max(highs) if highs and len(highs) == len(parts) else None)


def _both(parts: Sequence[_Bounds]) -> _Bounds:
    """What is in all of them."""
    lows = [part.low for part in parts if part.low is not None]
    highs = [part.high for part in parts if part.high is not None]
    return _Bounds(max(lows, default=None), min(highs, default=None))


def _range(condition: ir.Expression, index: str, compiled: Compile, state: State) -> _Bounds:
    """Integers outside of which the condition on the index is false."""
    match condition:
        case ir.Operation(operator=ir.Operator.AND, operands=operands):
            return _both([_range(item, index, compiled, state) for item in operands])
        case ir.Operation(operator=ir.Operator.OR, operands=operands):
            return _either([_range(item, index, compiled, state) for item in operands])
        case ir.Operation(operator=ir.Operator.EQUAL, operands=(one, two)):
            ends = (
                _end(ir.Operator.LESS_EQUAL, left, right, index, compiled, state)
                for left, right in ((one, two), (two, one))
            )
            return _both(list(ends))
        case ir.Operation(
            operator=(ir.Operator.LESS | ir.Operator.LESS_EQUAL) as relation, operands=(one, two)
        ):
            return _end(relation, one, two, index, compiled, state)
    return _Bounds()


def _end(
    relation: ir.Operator,
    left: ir.Expression,
    right: ir.Expression,
    index: str,
    compiled: Compile,
    state: State,
) -> _Bounds:
    """The end that ``left REL right`` gives where one side is the index alone."""
    strict = relation is ir.Operator.LESS
    if _is_index(left, index) and index not in names(right):
        value = compiled(right)(state)
        return _Bounds(high=_ceiling(state, value) - 1 if strict else floor(state, value))
    if _is_index(right, index) and index not in names(left):
        value = compiled(left)(state)
        return _Bounds(low=floor(state, value) + 1 if strict else _ceiling(state, value))
    return _Bounds()


def _is_index(expression: ir.Expression, index: str) -> bool:
    match expression:
        case ir.Operation(operator=ir.Operator.TO_REAL, operands=(inner,)):
            return _is_index(inner, index)
        case ir.Variable(name=name):
            return name == index
    return False


def _ceiling(state: State, value: Value) -> int:
    return -floor(state, OTHERS[ir.Operator.NEGATE](state, value))


# --- outcomes by their weights --------------------------------------------------------------


def _by_weights(choice: ir.Choose, law: ir.Weights, compiled: Compile) -> Distribution:
    count, score, rate = (compiled(item) for item in (law.count, law.score, law.rate))
    demands = [(compiled(item.condition), item.reason) for item in law.demands]

    def exponent(state: State) -> Fraction | Enclosure:
        for condition, reason in demands:
            if not condition(state):
                raise UndefinedError(reason)
        found = _number(OTHERS[ir.Operator.MULTIPLY](state, score(state), rate(state)))
        return found if isinstance(found, Enclosure) else Fraction(found)

    def distribution(state: State) -> Outcomes:
        number = floor(state, count(state))
        if number < 1:
            raise UndefinedError("there is no candidate to choose")
        exponents = _for_each(state, choice.index, range(_supported(number)), exponent)
        return tuple(enumerate(_normalised(tuple(exponents))))

    return distribution


@lru_cache(maxsize=1 << 10)
def _normalised(exponents: tuple[Fraction | Enclosure, ...]) -> tuple[arb, ...]:
    """exp of each, divided by the sum.  Raises DroppedMass if that can't be enclosed."""
    balls = [to_arb(item) for item in exponents]
    top = max(ball.mid() for ball in balls)
    weights = [(ball - top).exp() for ball in balls]
    total = sum(weights, arb(0))
    found = tuple(weight / total for weight in weights)
    if not all(item.is_finite() for item in found):
        raise DroppedMass
    return found
