"""A witness against a claim, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def witness_lines(witness: Mapping[str, Any]) -> Iterator[str]:
    """What is claimed where, the two inputs, the output, and its probabilities; nothing without a witness."""
    if not witness:
        return
    delta = f" and delta {witness['delta']:.6g}" if witness["delta"] else ""
    where = _values(witness["parameters"])
    yield f"the claim is epsilon {witness['epsilon']:.6g}{delta}" + (f" at {where}" if where else "")
    least = witness["epsilon_at_least"]
    yield "no epsilon is enough" if least is None else f"epsilon must be at least {least:.6g}"
    yield f"left    {_values(witness['left'])}"
    yield f"right   {_values(witness['right'])}"
    yield f"output  {output_text(witness['output'])}"
    for side in ("left", "right"):
        low, high = witness[f"probability_{side}"]
        yield f"probability on the {side}: {low:.9g} to {high:.9g}"


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
