"""Curves over one parameter, as an SVG."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth.views.drawing import COLOURS, Tips, label
from synth.views.drawing import svg as drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH, _HEIGHT = 420, 300
_LONGEST = 60


@dataclass(frozen=True)
class Line:
    """A name, and the values at the places of the plot; what is no finite number is left out."""

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class Curves:
    """What is shown: a title, the parameter and its values, the axis of the curves."""

    title: str
    parameter: str
    places: tuple[float, ...]
    axis: str
    lines: tuple[Line, ...]


def svg(curves: Curves) -> str:
    """The plot as an SVG document; names may hold any text."""

    def draw(figure: Figure, tips: Tips) -> None:
        axes = figure.subplots()
        figure.suptitle(label(curves.title, _LONGEST))
        axes.set_xlabel(label(curves.parameter, _LONGEST))
        axes.set_ylabel(label(curves.axis, _LONGEST))
        axes.grid(color="#ddd")
        for line, colour, style in zip(curves.lines, COLOURS, ("-", "--"), strict=False):
            points = [pair for pair in zip(curves.places, line.values, strict=True) if math.isfinite(pair[1])]
            name = label(line.name, _LONGEST)
            (drawn_line,) = axes.plot(*zip(*points, strict=True), style, color=colour, label=name)
            tips.add(drawn_line, "curve", line.name)
        axes.legend(frameon=False)

    return drawn(_WIDTH, _HEIGHT, draw)
