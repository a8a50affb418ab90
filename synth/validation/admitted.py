"""Whether a mechanism admits an input, and how far it is from that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from synth.trusted.core.expressions import Inexact, Malformed, NoValue, State, evaluate, start
from synth.trusted.program import syntax as ir
from synth.validation.approximations import GIVEN, approximated
from synth.validation.core_laws import rounded
from synth.validation.moves import Core

_FAR = float("inf")
_ORDER = (ir.Operator.LESS, ir.Operator.LESS_EQUAL, ir.Operator.EQUAL)
_NEXT = 1.0
"""What is added to the distance of numbers: where these are equal, it isn't 0."""


@dataclass(frozen=True)
class Admission:
    """What a mechanism asks of its inputs."""

    mechanism: ir.Mechanism

    def violation(self, core: Core, slope: float = 1.0) -> float:
        """How far values are from what the precondition and the domains ask for: 0 where they are admitted.

        Of conditions that are joined by ``and``, each counts so many times as much as the one before it.
        """
        try:
            return _violation(self.mechanism, core, slope)
        except Inexact:
            with suppress(Inexact):
                return _violation(self._approximated, {**core, **GIVEN}, slope)
            return _FAR

    @cached_property
    def _approximated(self) -> ir.Mechanism:
        return approximated(self.mechanism)


def _violation(mechanism: ir.Mechanism, core: Core, slope: float) -> float:
    try:
        state = start(mechanism, core)
        return _missing(mechanism.requires, state, slope) + sum(_outside(mechanism, core, state))
    except (Malformed, NoValue, OverflowError):
        return _FAR


def _missing(condition: ir.Expression, state: State, slope: float) -> float:
    """How far a condition is from being true."""
    match condition:
        case ir.Operation(operator=ir.Operator.AND, operands=operands):
            missing = (_missing(operand, state, slope) for operand in operands)
            return sum(slope**place * distance for place, distance in enumerate(missing))
        case ir.Operation(operator=ir.Operator.OR, operands=operands):
            return min(_missing(operand, state, slope) for operand in operands)
    if evaluate(condition, state):
        return 0.0
    match condition:
        case ir.Operation(operator=symbol, operands=(left, right)) if symbol in _ORDER:
            return _NEXT + abs(rounded(evaluate(left, state)) - rounded(evaluate(right, state)))
    return _NEXT


def _outside(mechanism: ir.Mechanism, core: Core, state: State) -> Iterator[float]:
    """How far each value that has a domain is outside of it."""
    for domain in mechanism.domains:
        others = {
            two
            for records in mechanism.records
            for one, two in zip(records.columns, records.others, strict=False)
            if one == domain.parameter
        }
        low, high = (
            None if end is None else rounded(evaluate(end, state)) for end in (domain.low, domain.high)
        )
        for name in (domain.parameter, *others):
            given = core[name]
            for value in map(rounded, given if isinstance(given, Sequence) else (given,)):  # type: ignore[arg-type]
                if low is not None and value < low:
                    yield _NEXT + low - value
                if high is not None and value > high:
                    yield _NEXT + value - high
