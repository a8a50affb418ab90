"""A distribution of outputs, or two side by side with the privacy loss below, as an SVG."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth.views.drawing import COLOURS, Tips, label
from synth.views.drawing import svg as drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_STEP, _LEAST_WIDTH, _MARGIN = 36, 420, 120
_HEIGHT, _LOSS_HEIGHT = 320, 180
_LETTER = 7.5
_LONGEST, _UPRIGHT = 26, 4
_LOSS_COLOUR = COLOURS[2]
_NARROW = 0.005
"""An interval is drawn as one where its width is more than this share of the axis."""


@dataclass(frozen=True)
class Bar:
    """An output: an enclosed probability per input, and the enclosed loss ln(p1/p2) in nats.

    The loss is None for one input, and its ends may be infinite.
    """

    label: str
    probabilities: tuple[tuple[float, float], ...]
    loss: tuple[float, float] | None = None


@dataclass(frozen=True)
class Plot:
    """What is shown: a title, a name per input, the outputs from left to right, a remark below.

    ``claim`` is an ε (in nats) that the loss is compared with; None draws no line.
    """

    title: str
    sides: tuple[str, ...]
    bars: tuple[Bar, ...]
    remark: str = ""
    claim: float | None = None


def svg(plot: Plot) -> str:
    """The plot as an SVG document; labels may hold any text."""
    with_loss = any(bar.loss for bar in plot.bars)
    height = _HEIGHT + (_LOSS_HEIGHT if with_loss else 0)

    def draw(figure: Figure, tips: Tips) -> None:
        rows = figure.subplots(2 if with_loss else 1, 1, sharex=True, squeeze=False)[:, 0]
        figure.suptitle(label(plot.title, _fitting(plot)))
        _draw_probabilities(rows[0], plot, tips)
        if with_loss:
            _draw_losses(rows[1], plot, tips)
        _name_outputs(rows[-1], plot)

    return drawn(_width(plot), height, draw)


def _width(plot: Plot) -> int:
    return max(_LEAST_WIDTH, _MARGIN + _STEP * len(plot.bars))


def _fitting(plot: Plot) -> int:
    """How many letters fit into a line."""
    return int((_width(plot) - _MARGIN / 2) / _LETTER)


def _name_outputs(axes: Axes, plot: Plot) -> None:
    names = [label(bar.label, _LONGEST) for bar in plot.bars]
    axes.set_xticks(range(len(names)), names)
    if any(len(name) > _UPRIGHT for name in names):
        for text in axes.get_xticklabels():
            text.set(rotation=50, ha="right", rotation_mode="anchor")
    axes.set_xlabel(label(plot.remark or "output", _fitting(plot)))


def _draw_probabilities(axes: Axes, plot: Plot, tips: Tips) -> None:
    from matplotlib.patches import Patch

    most = max((high for bar in plot.bars for _, high in bar.probabilities), default=0.0)
    axes.set_ylim(0, 1.05 * most or 1.0)
    axes.set_ylabel("probability")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.3g}")  # no common factor above the legend
    axes.grid(axis="y", color="#ddd")
    width = 0.8 / len(plot.sides)
    for number, (side, colour) in enumerate(zip(plot.sides, COLOURS, strict=False)):
        for place, bar in enumerate(plot.bars):
            low, high = bar.probabilities[number]
            x = place + (number - (len(plot.sides) - 1) / 2) * width
            (column,) = axes.bar([x], [(low + high) / 2], width, color=colour)
            tips.add(column, "probability", f"{side}: {bar.label}: {_interval(low, high)}")
            _draw_interval(axes, x, low, high, most)
    colours = zip(COLOURS, plot.sides, strict=False)
    keys = [Patch(color=colour, label=label(side, _fitting(plot))) for colour, side in colours]
    axes.legend(handles=keys, loc="lower left", bbox_to_anchor=(0, 1), frameon=False, borderaxespad=0)


def _draw_losses(axes: Axes, plot: Plot, tips: Tips) -> None:
    ends = [abs(end) for bar in plot.bars for end in bar.loss or () if math.isfinite(end)]
    claim = plot.claim if plot.claim is not None and math.isfinite(plot.claim) else None
    reach = 1.2 * max([*ends, claim or 0.0]) or 1.0  # room beyond, for what is infinite
    axes.set_ylim(-reach, reach)
    axes.set_ylabel("privacy loss (nats)")
    axes.grid(axis="y", color="#ddd")
    axes.axhline(0, color="#333", linewidth=0.8)
    for place, bar in enumerate(plot.bars):
        if bar.loss is not None:
            _draw_loss(axes, place, bar.label, bar.loss, reach, tips)
    if claim is not None:
        for sign in (1, -1):
            line = axes.axhline(sign * claim, color="black", linestyle="--", linewidth=0.8)
            tips.add(line, "claim", f"{'-' if sign < 0 else ''}ε = {sign * claim:.6g}")
        axes.annotate("claimed ε", (1, claim), (0, 2), ("axes fraction", "data"), "offset points", ha="right")


def _draw_loss(
    axes: Axes, place: int, name: str, loss: tuple[float, float], reach: float, tips: Tips
) -> None:
    """A bar to the middle of the interval, or to its finite end."""
    low, high = (min(max(end, -reach), reach) for end in loss)
    finite = [end for end in loss if math.isfinite(end)]
    tip = finite[0] if len(finite) == 1 else (low + high) / 2
    (column,) = axes.bar([place], [tip], 0.6, color=_LOSS_COLOUR)
    tips.add(column, "loss", f"{name}: loss {_interval(*loss)}")
    _draw_interval(axes, place, low, high, 2 * reach)
    if math.isinf(loss[0]) and loss[0] == loss[1]:
        sign, up = ("∞", "top") if tip > 0 else ("−∞", "bottom")
        axes.text(place, tip, sign, color="white", ha="center", va=up)


def _draw_interval(axes: Axes, x: float, low: float, high: float, length: float) -> None:
    """An interval that can be seen, on an axis so long."""
    if high - low > _NARROW * length:
        axes.vlines([x], [low], [high], color="black", linewidth=1.5)


def _interval(low: float, high: float) -> str:
    same = low == high or high - low <= 1e-6 * max(abs(low), abs(high))
    return f"{low:.6g}" if same else f"{low:.6g} to {high:.6g}"
