"""A distribution of outputs, or two side by side with the privacy loss below, as a plain SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from synth.support.display import shown

_LEFT, _RIGHT, _TOP, _GAP = 96, 24, 76, 28
_HEIGHT, _LOSS_HEIGHT = 240, 170
_STEP, _LEAST_WIDTH = 36, 420
_COLOURS = ("#0072b2", "#d55e00")
_LOSS_COLOUR = "#009e73"
_LONGEST, _LETTER = 26, 6.2
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


@dataclass(frozen=True)
class _Axis:
    """From numbers between ``low`` and ``high`` to places between ``bottom`` and ``top`` on the page."""

    low: float
    high: float
    step: float
    top: float
    bottom: float

    def y(self, value: float) -> float:
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.bottom - share * (self.bottom - self.top)

    def ticks(self) -> Iterator[float]:
        first, last = math.ceil(self.low / self.step), math.floor(self.high / self.step + 1e-9)
        return (number * self.step for number in range(first, last + 1))


def svg(plot: Plot) -> str:
    """The plot as an SVG document; labels may hold any text."""
    upper = _probability_axis(plot)
    lower = _loss_axis(plot, upper.bottom + _GAP) if any(bar.loss for bar in plot.bars) else None
    end = upper.bottom if lower is None else lower.bottom
    names = [_shown(bar.label) for bar in plot.bars]
    slanted = any(len(name) * _LETTER > _STEP for name in names)
    below = 20 + (max((len(name) for name in names), default=0) * _LETTER * 0.75 if slanted else 0)
    height, width = round(end + below + 28), _width(plot)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f"<title>{_text(plot.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{_LEFT}" y="22" font-size="14">{_text(_shown(plot.title, _fitting(plot)))}</text>',
        *_legend(plot),
        *_grid(upper, width, "probability"),
        *(part for place, bar in enumerate(plot.bars) for part in _probabilities(plot, upper, place, bar)),
    ]
    if lower is not None:
        parts += _grid(lower, width, "loss (nats)")
        parts += [part for place, bar in enumerate(plot.bars) for part in _loss(lower, place, bar)]
        parts += _claim(lower, width, plot.claim)
    parts += [_label(place, name, end, slanted) for place, name in enumerate(names)]
    parts.append(f'<text x="{_LEFT}" y="{height - 10}" fill="#555">{_text(plot.remark)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


# --- axes -----------------------------------------------------------------------------------


def _width(plot: Plot) -> int:
    return max(_LEAST_WIDTH, _LEFT + _RIGHT + _STEP * len(plot.bars))


def _probability_axis(plot: Plot) -> _Axis:
    most = max((high for bar in plot.bars for _, high in bar.probabilities), default=0.0)
    step = _step(most or 1.0)
    return _Axis(0.0, step * max(1, math.ceil(most / step - 1e-9)), step, _TOP, _TOP + _HEIGHT)


def _loss_axis(plot: Plot, top: float) -> _Axis:
    ends = [abs(end) for bar in plot.bars for end in bar.loss or () if math.isfinite(end)]
    ends += [plot.claim] if plot.claim is not None and math.isfinite(plot.claim) else []
    most = max(ends, default=0.0) or 1.0
    step = _step(2 * most)
    reach = step * (math.floor(most / step + 1e-9) + 1)  # room beyond, for what is infinite
    return _Axis(-reach, reach, step, top, top + _LOSS_HEIGHT)


def _step(length: float) -> float:
    """1, 2 or 5 times a power of 10, about a fifth of the length."""
    power = math.pow(10.0, math.floor(math.log10(length / 5)))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= length / 5 * 0.99)


def _grid(axis: _Axis, width: int, name: str) -> Iterator[str]:
    for tick in axis.ticks():
        y, zero = axis.y(tick), abs(tick) < axis.step / 2
        colour = "#333" if zero else "#ddd"
        yield f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{width - _RIGHT}" y2="{y:.1f}" stroke="{colour}"/>'
        number = "0" if zero else f"{tick:.6g}"
        yield f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{number}</text>'
    middle = (axis.top + axis.bottom) / 2
    yield f'<text transform="translate(16 {middle:.1f}) rotate(-90)" text-anchor="middle">{name}</text>'


def _claim(axis: _Axis, width: int, claim: float | None) -> Iterator[str]:
    if claim is None or not math.isfinite(claim):
        return
    for sign in (1, -1):
        y = axis.y(sign * claim)
        yield (
            f'<line class="claim" x1="{_LEFT}" y1="{y:.1f}" x2="{width - _RIGHT}" y2="{y:.1f}" '
            f'stroke="black" stroke-dasharray="5 3"><title>{"-" if sign < 0 else ""}ε = {sign * claim:.6g}'
            "</title></line>"
        )
    yield f'<text x="{width - _RIGHT}" y="{axis.y(claim) - 3:.1f}" text-anchor="end">claimed ε</text>'


# --- what is drawn --------------------------------------------------------------------------


def _legend(plot: Plot) -> Iterator[str]:
    for number, (colour, side) in enumerate(zip(_COLOURS, plot.sides, strict=False)):
        y = 32 + 17 * number
        yield f'<rect x="{_LEFT}" y="{y}" width="10" height="10" fill="{colour}"/>'
        yield f'<text x="{_LEFT + 15}" y="{y + 9}">{_text(_shown(side, _fitting(plot)))}</text>'


def _fitting(plot: Plot) -> int:
    """How many letters fit into a line."""
    return int((_width(plot) - _LEFT - _RIGHT) / (1.2 * _LETTER))


def _probabilities(plot: Plot, axis: _Axis, place: int, bar: Bar) -> Iterator[str]:
    width = 0.8 * _STEP / max(1, len(bar.probabilities))
    for number, (low, high) in enumerate(bar.probabilities):
        x = _LEFT + (place + 0.1) * _STEP + number * width
        said = f"{plot.sides[number]}: {bar.label}: {_interval(low, high)}"
        yield from _column(axis, x, width, (low, high), _COLOURS[number], said)


def _loss(axis: _Axis, place: int, bar: Bar) -> Iterator[str]:
    if bar.loss is None:
        return
    low, high = bar.loss
    x, width = _LEFT + (place + 0.2) * _STEP, 0.6 * _STEP
    yield from _column(axis, x, width, (low, high), _LOSS_COLOUR, f"{bar.label}: loss {_interval(low, high)}")
    if math.isinf(low) and low == high:
        y = axis.top + 10 if high > 0 else axis.bottom - 2
        sign = "∞" if high > 0 else "−∞"
        yield f'<text x="{x + width / 2:.1f}" y="{y:.1f}" text-anchor="middle" fill="white">{sign}</text>'


def _column(
    axis: _Axis, x: float, width: float, ends: tuple[float, float], colour: str, said: str
) -> Iterator[str]:
    """A bar from 0 to the middle of an interval (or its finite end), and the interval if it can be seen."""
    low, high = (min(max(end, axis.low), axis.high) for end in ends)
    finite = [end for end in ends if math.isfinite(end)]
    zero, tip = axis.y(0), axis.y(finite[0] if len(finite) == 1 else (low + high) / 2)
    yield (
        f'<rect x="{x:.1f}" y="{min(zero, tip):.1f}" width="{width:.1f}" height="{abs(tip - zero):.1f}" '
        f'fill="{colour}"><title>{_text(said)}</title></rect>'
    )
    if high - low > _NARROW * (axis.high - axis.low):
        middle = x + width / 2
        yield (
            f'<line x1="{middle:.1f}" y1="{axis.y(low):.1f}" x2="{middle:.1f}" y2="{axis.y(high):.1f}" '
            f'stroke="black" stroke-width="1.5"/>'
        )


def _label(place: int, name: str, end: float, slanted: bool) -> str:
    x, y = _LEFT + (place + 0.5) * _STEP, end + 16
    turn = f'transform="translate({x:.1f} {y - 4:.1f}) rotate(-50)" text-anchor="end"'
    upright = f'x="{x:.1f}" y="{y:.1f}" text-anchor="middle"'
    return f"<text {turn if slanted else upright}>{_text(name)}</text>"


def _shown(label: str, most: int = _LONGEST) -> str:
    return label if len(label) <= most else f"{label[: most - 1]}…"


def _interval(low: float, high: float) -> str:
    same = low == high or high - low <= 1e-6 * max(abs(low), abs(high))
    return f"{low:.6g}" if same else f"{low:.6g} to {high:.6g}"


def _text(text: str) -> str:
    """Text for XML, which has no place for control characters."""
    return escape(shown(text))
