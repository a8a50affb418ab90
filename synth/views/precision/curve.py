"""ε' against L as a plain SVG: one line for each number of bits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from synth.support.display import shown

WIDTH, HEIGHT = 640, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 150, 40, 60
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_TICKS = 5


@dataclass(frozen=True)
class Curve:
    """Points (L, ε') under a name, in increasing L."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class _Frame:
    """From numbers to places on the page; L is logarithmic."""

    left: float
    right: float
    bottom: float
    top: float

    def x(self, cell: float) -> float:
        share = (math.log2(cell) - self.left) / (self.right - self.left)
        return _LEFT + share * (WIDTH - _LEFT - _RIGHT)

    def y(self, epsilon: float) -> float:
        share = (epsilon - self.bottom) / (self.top - self.bottom)
        return HEIGHT - _BOTTOM - share * (HEIGHT - _TOP - _BOTTOM)


def svg(title: str, exact: float, curves: Sequence[Curve]) -> str:
    """The plot, with a dashed line at the ε of exact reals (all ε in nats)."""
    frame = _frame(exact, curves)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="22" font-size="14">{escape(shown(title))}</text>',
        *_axes(frame, curves),
        *_reference(frame, exact),
        *(line for number, curve in enumerate(curves) for line in _curve(frame, curve, number)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _frame(exact: float, curves: Sequence[Curve]) -> _Frame:
    cells = [math.log2(cell) for curve in curves for cell, _ in curve.points] or [0.0]
    heights = [exact, *(epsilon for curve in curves for _, epsilon in curve.points)]
    spare = (max(heights) - min(heights)) * 0.05 or abs(exact) * 0.05 or 1.0
    wide = 0.0 if max(cells) > min(cells) else 1.0
    return _Frame(min(cells) - wide, max(cells) + wide, min(heights) - spare, max(heights) + spare)


def _axes(frame: _Frame, curves: Sequence[Curve]) -> Iterator[str]:
    bottom, right = HEIGHT - _BOTTOM, WIDTH - _RIGHT
    yield f'<path d="M{_LEFT} {_TOP}V{bottom}H{right}" fill="none" stroke="black"/>'
    cells = sorted({cell for curve in curves for cell, _ in curve.points})
    for cell in cells[:: 1 + len(cells) // 8]:
        x = frame.x(cell)
        yield f'<path d="M{x:.1f} {bottom}v5" stroke="black"/>'
        yield f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{_label(cell)}</text>'
    for number in range(_TICKS + 1):
        height = frame.bottom + (frame.top - frame.bottom) * number / _TICKS
        y = frame.y(height)
        yield f'<path d="M{_LEFT} {y:.1f}h-5" stroke="black"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{height:.4g}</text>'
    middle = (_LEFT + right) / 2
    yield f'<text x="{middle}" y="{HEIGHT - 16}" text-anchor="middle">cell width L</text>'
    yield f'<text x="16" y="{(_TOP + bottom) / 2}" text-anchor="middle">ε′</text>'


def _label(cell: float) -> str:
    exponent = math.log2(cell)
    return f"2^{int(exponent)}" if exponent == int(exponent) and not 1 <= cell <= 1024 else f"{cell:.4g}"


def _reference(frame: _Frame, exact: float) -> Iterator[str]:
    y = frame.y(exact)
    yield f'<path d="M{_LEFT} {y:.1f}H{WIDTH - _RIGHT}" stroke="gray" stroke-dasharray="4 4"/>'
    yield f'<text x="{WIDTH - _RIGHT + 8}" y="{y + 4:.1f}" fill="gray">exact: {exact:.4g}</text>'


def _curve(frame: _Frame, curve: Curve, number: int) -> Iterator[str]:
    colour = _COLOURS[number % len(_COLOURS)]
    places = [(frame.x(cell), frame.y(epsilon)) for cell, epsilon in curve.points]
    if places:
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
    for x, y in places:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>'
    y = _TOP + 16 * number
    yield f'<rect x="{WIDTH - _RIGHT + 8}" y="{y - 9}" width="10" height="10" fill="{colour}"/>'
    yield f'<text x="{WIDTH - _RIGHT + 24}" y="{y}">{escape(curve.name)}</text>'
