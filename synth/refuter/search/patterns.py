"""Patterns of inputs that are known to be worst: where the entries lie, and which way they move."""

from __future__ import annotations

from collections.abc import Callable

Sign = Callable[[int, int], tuple[int, int]]
"""Of place and length: the base (in units of the distance) and the direction of the change."""

TURNS: tuple[Sign, ...] = (lambda i, n: (0, -1 if i % 2 else 1), lambda i, n: (0, 1 if i % 2 else -1))
"""Equal entries that move up and down by turns."""

HALVES: tuple[Sign, ...] = (
    lambda i, n: (0, 1 if i < n // 2 else -1),
    lambda i, n: (0, -1 if i < n // 2 else 1),
)
"""Equal entries of which the first half moves one way, and the second the other one."""

CROSSED: tuple[Sign, ...] = (
    lambda i, n: (i % 2, -1 if i % 2 else 1),
    lambda i, n: (1 - i % 2, 1 if i % 2 else -1),
)
"""Two values by turns that become each other."""

ALL: tuple[Sign, ...] = (lambda i, n: (0, 1),)
"""Equal entries that all move up."""

APART: tuple[Sign, ...] = (
    lambda i, n: (-5, -1) if i % 2 else (5, 1),
    lambda i, n: (5, 1) if i % 2 else (-5, -1),
)
"""Entries far apart by turns, and moving further."""

PROBES_OF_REALS = (HALVES[0], *ALL, HALVES[1], *TURNS, *APART, *CROSSED)
PROBES_OF_INTEGERS = (*TURNS, *HALVES, *CROSSED, *ALL, *APART)

ENDS: tuple[Sign, ...] = (
    lambda i, n: (0, 1),
    lambda i, n: (1, 1),
    lambda i, n: (0, -1),
    lambda i, n: (1, -1),
)
"""Where only one entry is not like the others, it is the first or the last one; flags are all alike, too."""

_NEAR: tuple[Sign, ...] = (
    lambda i, n: (0, 1),
    lambda i, n: (0, -1 if i == n - 1 else 1),
    TURNS[1],
    CROSSED[0],
    lambda i, n: (0, -1),
    lambda i, n: (0, 1 if i == n - 1 else -1),
    *reversed(HALVES),
    lambda i, n: (0, 1 if i == 0 else 0),
    lambda i, n: (0, -1 if i == 0 else 0),
    lambda i, n: (1, -1 if i == 0 else 0),
    lambda i, n: (0, 1 if i == n - 1 else 0),
    CROSSED[1],
    lambda i, n: (-i, 1 if i == 0 else -1),
    lambda i, n: (i, -1 if i == 0 else 1),
)
"""Entries close together."""

_FAR: tuple[Sign, ...] = (
    lambda i, n: (-5, -1) if i == n - 1 else (5, 1),
    lambda i, n: (5, 1) if i < n // 2 else (-5, -1),
    lambda i, n: (-5, -1) if i in (n // 2 - 1, n - 1) else (5, 1),
    lambda i, n: (-5, -1) if i % 2 else (5, 1),
    lambda i, n: (5, 1),
    lambda i, n: (-15, -1) if i == n - 1 else (15, 1),
    lambda i, n: (15, 1) if i < n // 2 else (-15, -1),
    lambda i, n: (-15, -1) if i in (n // 2 - 1, n - 1) else (15, 1),
    lambda i, n: (-15, -1) if i % 2 else (15, 1),
    lambda i, n: (15, 1),
    lambda i, n: (-5, -1),
    lambda i, n: (5, 1) if i == n - 1 else (-5, -1),
    lambda i, n: (5, 1) if i == n - 1 else (0, -1),
)
"""Entries far apart, and moving further: outputs that are unlikely at every entry."""

_LONG = 8


def signs(length: int) -> tuple[Sign, ...]:
    """The patterns for inputs of a length, the most promising first."""
    if length >= _LONG:
        return tuple(dict.fromkeys((HALVES[0], TURNS[0], CROSSED[0], *_FAR, *_NEAR)))
    return (*_NEAR[:4], *_FAR[:3], *_NEAR[4:], *_FAR[3:])
