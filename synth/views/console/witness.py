"""A witness against a claim, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from typing import Any


def witness_lines(witness: Mapping[str, Any]) -> Iterator[str]:
    """What is claimed where, the two inputs, the output, and its probabilities; nothing without a witness."""
    if not witness:
        return
    delta = f" and delta {witness['delta']:.6g}" if witness["delta"] else ""
    where = _values(witness["parameters"])
    says = f"the claim of {witness['notion']} implies" if witness.get("notion") else "the claim is"
    yield f"{says} epsilon {witness['epsilon']:.6g}{delta}" + (f" at {where}" if where else "")
    least = witness["epsilon_at_least"]
    yield "no epsilon is enough" if least is None else f"epsilon must be at least {floor_text(least, 6)}"
    inputs = witness.get("inputs") or witness
    yield f"left    {_values(inputs['left'])}"
    yield f"right   {_values(inputs['right'])}"
    yield f"output  {output_text(witness['output'])}"
    for side in ("left", "right"):
        low, high = witness[f"probability_{side}"]
        yield f"probability on the {side}: {floor_text(low, 9)} to {_ceiling(high, 9)}"


def lower_bound_lines(bound: Mapping[str, Any]) -> Iterator[str]:
    """What is necessary where; nothing without a bound."""
    if not bound:
        return
    least = bound["epsilon_at_least"]
    said = "no epsilon is enough" if least is None else f"at least {floor_text(least, 6)} is necessary"
    where = f"at {_values(bound['parameters'])} " if bound["parameters"] else ""
    yield f"{where}{said}: output {output_text(bound['output'])}"
    inputs = bound.get("inputs") or bound
    yield f"  on {_values(inputs['left'])} and on {_values(inputs['right'])}"


def floor_text(value: float, digits: int) -> str:
    """Return a number in so many digits that is at most this one: a lower bound stays one."""
    return f"{Context(digits, ROUND_FLOOR).create_decimal(value):g}"


def _ceiling(value: float, digits: int) -> str:
    return f"{Context(digits, ROUND_CEILING).create_decimal(value):g}"


def _values(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def output_text(output: Any) -> str:
    """An output for people; a range is ``low..`` up to, not including, its end."""
    match output:
        case {"from": low, "to": high}:
            return f"[{'-inf' if low is None else low}, {'inf' if high is None else high})"
        case {"any of": items}:
            return "one of " + "; ".join(output_text(item) for item in items)
        case list():
            return "[" + ", ".join(output_text(item) for item in output) + "]"
    return str(output)
