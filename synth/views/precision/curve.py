"""What finite precision adds to ε, against L, as an SVG: one line for each number of bits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth.views.drawing import COLOURS, Tips, label
from synth.views.drawing import svg as drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 640, 420
_MAX_TICKS = 8


@dataclass(frozen=True)
class Curve:
    """Points (L, ε') under a name, in increasing L."""

    name: str
    points: tuple[tuple[float, float], ...]


def svg(title: str, exact: float, curves: Sequence[Curve]) -> str:
    """The plot of ε′ - ε, where ε is that of exact reals (all in nats); both axes are logarithmic.

    What is 0 lies on the lower edge.
    """
    added = [epsilon - exact for curve in curves for _, epsilon in curve.points]
    least = min((item for item in added if item > 0), default=1.0)

    def draw(figure: Figure, tips: Tips) -> None:
        axes = figure.subplots()
        axes.set_title(label(title))
        axes.set_xlabel("cell width L")
        axes.set_ylabel(f"ε′ − ε (nats), with ε = {exact:.6g}")
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:.6g}")
        axes.grid(axis="y", color="#ddd")
        for number, curve in enumerate(curves):
            colour = COLOURS[number % len(COLOURS)]
            cells, heights = zip(
                *((cell, max(epsilon - exact, least)) for cell, epsilon in curve.points), strict=True
            )
            (line,) = axes.plot(cells, heights, color=colour, label=label(curve.name))
            tips.add(line, "curve", curve.name)
            for (cell, epsilon), height in zip(curve.points, heights, strict=True):
                (point,) = axes.plot([cell], [height], ".", color=colour)
                tips.add(point, "point", f"{curve.name}: L = {_label(cell)}, ε′ = {epsilon:.6g}")
        ticks = sorted({cell for curve in curves for cell, _ in curve.points})
        ticks = ticks[:: 1 + len(ticks) // _MAX_TICKS]
        axes.set_xticks(ticks, map(_label, ticks))
        axes.minorticks_off()
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)

    return drawn(WIDTH, HEIGHT, draw)


def _label(cell: float) -> str:
    exponent = math.log2(cell)
    return f"2^{int(exponent)}" if exponent == int(exponent) and not 1 <= cell <= 1024 else f"{cell:.4g}"
