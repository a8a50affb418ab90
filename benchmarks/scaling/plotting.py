"""Time against size on log axes, as plain SVG text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 480, 340
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 24, 44, 56
_PROVED, _OTHER, _LINE = "#0072b2", "#d55e00", "#777"


@dataclass(frozen=True)
class Point:
    """A member's size and seconds, and whether it was proved with the least bound."""

    size: int
    seconds: float
    proved: bool


@dataclass(frozen=True)
class _Axis:
    """From numbers to places on the page, by logarithms."""

    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + share * (self.end - self.start)


def plot(title: str, unit: str, points: Sequence[Point], exponent: float | None, start: float) -> str:
    """An SVG document; ``start`` is what a program takes that has nothing to prove."""
    seconds = [start, *(item.seconds for item in points)]
    across = _Axis(0.8, 1.25 * max(2, *(item.size for item in points)), _LEFT, _WIDTH - _RIGHT)
    low, high = 10 ** math.floor(math.log10(min(seconds))), 10 ** math.ceil(math.log10(max(seconds) * 1.05))
    up = _Axis(low, high, _HEIGHT - _BOTTOM, _TOP)
    slope = "no exponent" if exponent is None else f"exponent {exponent:.2f}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{_WIDTH}" height="{_HEIGHT}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="20" font-size="14">{escape(title)}</text>',
        f'<text x="{_LEFT}" y="36" fill="#555">{slope} (time beyond start-up)</text>',
        *_horizontal(up),
        *_vertical(across, [item.size for item in points]),
        f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2:.1f}" y="{_HEIGHT - 12}" text-anchor="middle">'
        f"{escape(unit)}</text>",
        '<text transform="translate(16 170) rotate(-90)" text-anchor="middle">processor seconds</text>',
        *_start_line(up, start),
        *_curve(across, up, points),
    ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _horizontal(up: _Axis) -> Iterator[str]:
    for power in range(round(math.log10(up.low)), round(math.log10(up.high)) + 1):
        for factor in (1, 2, 5):
            value = factor * 10.0**power
            if value > up.high * 1.001:
                return
            y = up.place(value)
            yield f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}" stroke="#ddd"/>'
            yield f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>'


def _vertical(across: _Axis, sizes: Sequence[int]) -> Iterator[str]:
    for size in sizes:
        x = across.place(size)
        yield f'<line x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{_HEIGHT - _BOTTOM}" stroke="#eee"/>'
        yield f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{size}</text>'


def _start_line(up: _Axis, start: float) -> Iterator[str]:
    y = up.place(start)
    yield (
        f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}" stroke="{_LINE}" '
        'stroke-dasharray="5 3"/>'
    )
    yield f'<text x="{_WIDTH - _RIGHT}" y="{y + 13:.1f}" text-anchor="end" fill="{_LINE}">start-up</text>'


def _curve(across: _Axis, up: _Axis, points: Sequence[Point]) -> Iterator[str]:
    proved = [item for item in points if item.proved]
    line = " ".join(f"{across.place(item.size):.1f},{up.place(item.seconds):.1f}" for item in proved)
    if len(proved) > 1:
        yield f'<polyline points="{line}" fill="none" stroke="{_PROVED}" stroke-width="1.5"/>'
    for item in points:
        x, y = across.place(item.size), up.place(item.seconds)
        colour, said = (_PROVED, "proved") if item.proved else (_OTHER, "not proved with the least bound")
        yield (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}">'
            f"<title>{item.size}: {item.seconds:.2f} s, {said}</title></circle>"
        )
