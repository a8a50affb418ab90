"""What the definition of the core language says of two programs that should mean the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from synth.trusted.core.exponential_numbers import Number, enclosure
from synth.trusted.core.expressions import Given, Inexact, Value
from synth.trusted.core.interpreter import Distribution, Ended, Undefined, Violated, distribution
from synth.trusted.program import syntax as ir

MOST = 2
"""How far from its centre noise is followed."""

FUEL = 20_000
"""Steps of all runs together."""


class Differ(Exception):
    """The two programs don't mean the same."""


def law(of: ir.Mechanism, inputs: Mapping[str, Any]) -> Distribution | None:
    """The chances of outcomes on one input, functions as tables; None where they are no such numbers."""
    try:
        return distribution(of, given(of, inputs), MOST, FUEL)
    except Inexact:
        return None


def given(of: ir.Mechanism, inputs: Mapping[str, Any]) -> dict[str, Given]:
    """Inputs as the definition takes them: functions that are tables become functions."""
    return {item.name: _given(item, inputs[item.name]) for item in of.visible}


def compare(one: Distribution | None, other: Distribution | None) -> str | None:
    """How far the laws before and after a rewriting were compared; None if not at all.

    A rewriting may ask for more than before.  Raises Differ.
    """
    if one is None or other is None:
        return None
    kinds = {type(outcome) for outcome in one.outcomes}, {type(outcome) for outcome in other.outcomes}
    if Undefined in kinds[0]:
        raise Differ(f"before, something has no value: {one.outcomes.keys()}")
    if Violated in kinds[0]:
        return None
    if Undefined in kinds[1]:
        raise Differ(f"something has no value any more: {other.outcomes.keys()}")
    if Violated in kinds[1]:
        return "asks for more"
    left = one.beyond + one.unfinished, other.beyond + other.unfinished
    before, after = _chances(one), _chances(other)
    if (before, left[0]) == (after, left[1]):
        return "the same"
    for outcome in before.keys() | after.keys():
        here, there = before.get(outcome, 0), after.get(outcome, 0)
        if here > there + left[1] or there > here + left[0]:
            raise Differ(
                f"{outcome} has the chance {_shown(here)}, then {_shown(there)}, but for {_shown(*left)}"
            )
    return "the same but for what was left out"


def _chances(found: Distribution) -> dict[object, Number]:
    """By what is told apart: of runs that end without output, only that."""
    ended = sum(chance for outcome, chance in found.outcomes.items() if isinstance(outcome, Ended))
    return {**found.outputs, **({Ended: ended} if ended != 0 else {})}


def _shown(*numbers: Number) -> str:
    return ", ".join(str(float(enclosure(number, 30)[0])) for number in numbers)


def _given(parameter: ir.Parameter, value: Any) -> Given:
    if parameter.kind is not ir.ParameterKind.FUNCTION:
        return value
    return _of_table(value, False if parameter.sort is ir.Sort.BOOL else 0)


def _of_table(table: Any, otherwise: Value) -> Callable[..., Value]:
    """The function that a nested tuple is; it has another value outside."""

    def value(*places: int) -> Value:
        found = table
        for place in places:
            if not 0 <= place < len(found):
                return otherwise
            found = found[place]
        return found

    return value
