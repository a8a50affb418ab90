"""The distributions of a mechanism's outputs as what a plot shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from synth.app.probabilities import Table, loss_ends
from synth.support.floats import estimate
from synth.views.console.witness import output_text
from synth.views.plots import Bar, Plot

if TYPE_CHECKING:
    from synth.refuter.output_table import Line
    from synth.trusted.program import syntax as ir

_MAX_LINES = 40


def plot_of(
    mechanism: ir.Mechanism, inputs: Sequence[dict[str, Any]], table: Table, most: int = _MAX_LINES
) -> Plot:
    """Return the plot of the likeliest outputs, at most so many; numbers are in their order."""
    listed = table.lines[:most]
    shown = sorted(listed, key=_place) if _in_line(listed) else listed
    hidden = len(table.lines) - len(shown)
    remarks = [f"and {hidden} less likely outputs"] if hidden > 0 else []
    if table.adjacent is False:
        remarks.append("the two inputs are not adjacent")
    title, *sides = _titles(mechanism, inputs)
    return Plot(
        title=title,
        sides=tuple(sides),
        bars=tuple(map(_bar, shown)),
        remark="; ".join(remarks),
        claim=table.claim if table.adjacent else None,
    )


def _titles(mechanism: ir.Mechanism, inputs: Sequence[dict[str, Any]]) -> list[str]:
    """The mechanism with the parameters on which the inputs agree, and each input's own."""
    from synth.refuter.exact.label_texts import with_texts

    inputs = [with_texts(mechanism, item) for item in inputs]
    differing = {name for name in inputs[0] if any(item[name] != inputs[0][name] for item in inputs)}
    shared = [f"{name} = {value}" for name, value in inputs[0].items() if name not in differing]
    title = ", ".join([mechanism.name, *shared])
    if len(inputs) == 1:
        return [title, "probability"]
    owns = (", ".join(f"{name} = {item[name]}" for name in sorted(differing)) for item in inputs)
    sides = (f"{side}: {own}" if own else side for side, own in zip(("left", "right"), owns, strict=True))
    return [title, *sides]


def _in_line(lines: Sequence[Line]) -> bool:
    """Whether all outputs are numbers, so that they have places on a line."""
    return all(_number(line.output) is not None for line in lines)


def _place(line: Line) -> float:
    return _number(line.output) or 0.0


def _number(output: Any) -> float | None:
    """An output that is a number, or the lower end of a range of numbers; roughly, if it is large."""
    match output:
        case {"from": low, "to": _}:
            return -math.inf if low is None else _number(low)
        case bool() | int() | float() | str():
            return estimate(Fraction(output))
    return None


def _bar(line: Line) -> Bar:
    return Bar(output_text(line.output), line.probabilities, loss_ends(line))
