"""A program and its core program, line by line, for people who compare them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table

from synth.views.console.results import line_of, plain_table, write

Numbered = Sequence[tuple[int, str]]
"""Lines with their numbers."""


def numbered(text: str, numbers: Sequence[int] = ()) -> Numbered:
    """Return the lines of a text, with these numbers or their own, without empty ones at the end."""
    lines = text.rstrip("\n").split("\n")
    return list(zip(numbers or range(1, len(lines) + 1), lines, strict=False))


def write_compared(target: Console, headings: tuple[str, str], left: Numbered, right: Numbered) -> None:
    """Print two texts side by side where both fit, else one under the other."""
    tables = [_listing(heading, lines) for heading, lines in zip(headings, (left, right), strict=True)]
    if target.is_terminal and _width(left) + _width(right) + 2 <= target.width:
        both = Table.grid(padding=(0, 2))
        both.add_row(*tables)
        write(target, both)
    else:
        write(target, tables[0], "", tables[1])


def write_listing(target: Console, heading: str, lines: Numbered) -> None:
    """Print a text with the numbers of its lines."""
    write(target, _listing(heading, lines))


def _listing(heading: str, lines: Iterable[tuple[int, str]]) -> Table:
    table = plain_table("", heading)
    table.columns[0].justify = "right"
    for number, text in lines:
        table.add_row(line_of(str(number), "dim"), line_of(text))
    return table


def _width(lines: Numbered) -> int:
    return max((len(text) + len(str(number)) + 4 for number, text in lines), default=0)
