"""Time against size on log axes, as SVG text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth.views.drawing import COLOURS, Tips, label, svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH, _HEIGHT = 480, 340
_PROVED, _OTHER = COLOURS[:2]


@dataclass(frozen=True)
class Point:
    """A member's size and seconds, and whether it was proved with the least bound."""

    size: int
    seconds: float
    proved: bool


def plot(title: str, unit: str, points: Sequence[Point], exponent: float | None, start: float) -> str:
    """An SVG document; ``start`` is what a program takes that has nothing to prove."""
    slope = "no exponent" if exponent is None else f"exponent {exponent:.2f}"

    def draw(figure: Figure, tips: Tips) -> None:
        from matplotlib.ticker import LogLocator

        axes = figure.subplots()
        figure.suptitle(label(title), wrap=True)
        axes.set_title(f"{slope} (time beyond start-up)", fontsize="small", loc="left")
        axes.set_xlabel(label(unit))
        axes.set_ylabel("processor seconds")
        axes.loglog()
        axes.grid(color="#ddd")
        tips.add(axes.axhline(start, color="#777", linestyle="--", label="start-up"), "start", f"{start:.2f} s")
        proved = [item for item in points if item.proved]
        if len(proved) > 1:
            (line,) = axes.plot([item.size for item in proved], [item.seconds for item in proved], color=_PROVED)
            tips.add(line, "line", "proved with the least bound")
        for item in points:
            colour, said = (_PROVED, "proved") if item.proved else (_OTHER, "not proved with the least bound")
            (dot,) = axes.plot([item.size], [item.seconds], "o", color=colour)
            tips.add(dot, "point", f"{item.size}: {item.seconds:.2f} s, {said}")
        sizes = sorted({item.size for item in points})
        axes.set_xticks(sizes, map(str, sizes))
        axes.minorticks_off()
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter("{x:g}")
        axes.legend(frameon=False)

    return svg(_WIDTH, _HEIGHT, draw)
