"""Where in a file the lines of a text stand: their numbers, rising, and the runs of these in documents."""

from __future__ import annotations

from collections.abc import Iterator

MAX_LINES = 1_000_000
LAST_LINE = 10_000_000
"""No program file has so many lines."""


def numbers_of(runs: object, text: str) -> tuple[int, ...]:
    """The number of each line of a text, from runs ``[first, last]`` of lines that follow each other.

    The text is then read as if all other lines of the file were blank.  Raises ValueError for what can't be
    the lines of a text.
    """
    many = len(text.removesuffix("\n").split("\n"))
    wrong = ValueError(f"no rising pairs of a first and a last line for a text of {many} lines")
    found: list[int] = []
    for run in runs if isinstance(runs, list) else ():
        match run:
            case [int(first), int(last)] if (found or [0])[-1] < first <= last <= LAST_LINE:
                if isinstance(first, bool) or last - first >= many - len(found):
                    raise wrong
                found += range(first, last + 1)
            case _:
                raise wrong
    if len(found) != many:
        raise wrong
    return tuple(found)


def numbers_in(runs: object) -> tuple[int, ...]:
    """The numbers in runs of lines, of whatever text.  Raises ValueError for what can't be such runs."""
    many = 0
    for run in runs if isinstance(runs, list) else ():
        match run:
            case [int(first), int(last)] if 0 < first <= last <= LAST_LINE:
                many += last - first + 1
            case _:
                many = LAST_LINE
    if not isinstance(runs, list) or many >= MAX_LINES:
        raise ValueError(f"no rising pairs of a first and a last line, of at most {MAX_LINES} lines")
    return numbers_of(runs, "\n" * many) if runs else ()


def runs_of(numbers: tuple[int, ...]) -> list[list[int]]:
    """The runs ``[first, last]`` of rising numbers, as :func:`numbers_of` takes them."""
    return [[first, last] for first, last in _runs(numbers)]


def _runs(numbers: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    first = 0
    for place, number in enumerate(numbers, start=1):
        if place == len(numbers) or numbers[place] != number + 1:
            yield numbers[first], number
            first = place
