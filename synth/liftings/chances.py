"""The chances of what a mechanism returns as exact numbers, where draws of finitely many values decide it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from typing import Any

from synth.prover.normal_form.pipeline import canonical
from synth.trusted.core.exponential_numbers import Number
from synth.trusted.core.expressions import Inexact, Malformed, NoValue, State, Value, evaluate
from synth.trusted.normal_form.decision_trees import Intractable
from synth.trusted.normal_form.output_distribution import output_law
from synth.trusted.program import syntax as ir

Inputs = Mapping[str, Any]
"""Numbers, and tuples of them (of tuples, for functions of several arguments), by parameter."""


class InexactError(Exception):
    """A value that is no quotient of sums of powers of e, or a law that is not found."""


def chances(
    mechanism: ir.Mechanism, inputs: Inputs, outputs: Sequence[Sequence[bool | int | Fraction]]
) -> list[Number]:
    """The probability of each output (its flat parts) on an input.  Raises InexactError."""
    try:
        law = output_law(canonical(mechanism))
    except Intractable:
        raise InexactError from None
    if any(len(parts) != len(law.values) for parts in outputs):
        raise InexactError
    state = _state(mechanism.parameters, inputs)
    found: list[Number] = []
    for parts in outputs:
        returned = dict(zip((value.name for value in law.values), parts, strict=True))
        here = replace(state, values={**state.values, **returned})
        hits = (chance for condition, chance in law.outcomes if _value(condition, here))
        found.append(next((_value(chance, here) for chance in hits), 0))
    return found


def exact_value(expression: ir.Expression, mechanism: ir.Mechanism, inputs: Inputs) -> Number:
    """The value of an expression over parameters of the mechanism.  Raises InexactError."""
    return _value(expression, _state(mechanism.parameters, inputs))


def _state(parameters: Sequence[ir.Parameter], inputs: Inputs) -> State:
    given = {item.name: inputs[item.name] for item in parameters if item.name in inputs}
    functions = {
        item.name: _function(inputs[item.name])
        for item in parameters
        if item.kind is ir.ParameterKind.FUNCTION and item.name in inputs
    }
    return State((), given, {}, given | functions)


def _function(entries: Any) -> Callable[..., Value]:
    return lambda *places: reduce(_entry, places, entries)


def _entry(entries: Any, place: int) -> Any:
    if not 0 <= place < len(entries):
        raise InexactError
    return entries[place]


def _value(expression: ir.Expression, state: State) -> Number:
    try:
        return evaluate(expression, state)
    except (Inexact, Malformed, NoValue):
        raise InexactError from None
