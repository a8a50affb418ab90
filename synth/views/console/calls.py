"""A witness's two inputs as Python that can be run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from synth.support.records import Record


def call_lines(
    name: str, inputs: Mapping[str, Any], parameters: Mapping[str, Any], target: str | None
) -> Iterator[str]:
    """Yield a call for each input and, with a target, the one that computes both laws of the output.

    Nothing for inputs that have no literal.
    """
    public, left, right = (_literals(item) for item in (parameters, inputs["left"], inputs["right"]))
    if public is None or left is None or right is None:
        return
    yield "the two inputs as calls:"
    for side in (left, right):
        yield f"    {name}({', '.join(f'{key}={value}' for key, value in {**side, **public}.items())})"
    if target is not None:
        yield "the chances of all outputs on both:"
        yield "    import synth"
        if any("Fraction(" in value for side in (public, left, right) for value in side.values()):
            yield "    from fractions import Fraction"
        one, other = (_literals(_plain(inputs[side])) or {} for side in ("left", "right"))
        given = _mapping({**one, **public})
        yield f"    synth.probability({target!r}, {given}, neighbour={_mapping(other)})"


def _plain(value: Any) -> Any:
    """The value with lists in place of records: what is read takes no objects."""
    match value:
        case dict():
            return {key: _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
    return value


def _mapping(values: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{key!r}: {value}" for key, value in values.items()) + "}"


def _literals(values: Mapping[str, Any]) -> dict[str, str] | None:
    found = {key: _literal(value) for key, value in values.items()}
    return None if None in found.values() else {key: str(value) for key, value in found.items()}


def _literal(value: Any) -> str | None:
    """The value in Python; a number that is written as a text is a fraction."""
    match value:
        case bool() | int() | float():
            return repr(value)
        case str():
            try:
                number = Fraction(value)
            except (ValueError, ZeroDivisionError):
                return None
            return f"Fraction({number.numerator}, {number.denominator})"
        case Record(fields=(name, *parts)):
            given = [_literal(item) for item in value]
            named = (f"{part}={item}" for part, item in zip(parts, given, strict=True))
            return None if None in given else f"{name}({', '.join(named)})"
        case list() | tuple():
            entries = [_literal(item) for item in value]
            return None if None in entries else f"[{', '.join(map(str, entries))}]"
    return None
