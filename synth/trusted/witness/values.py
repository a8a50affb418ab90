"""Numbers between exact ends, or without an end, and truth values that may be unknown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import total_ordering
from typing import NoReturn

Exact = int | Fraction
"""A number; no truth value of Python's is one."""


@total_ordering
class Infinity(Enum):
    """Where an interval has no end: below all numbers, or above them.  No number is there."""

    BELOW = -1
    ABOVE = 1

    def __lt__(self, other: End) -> bool:
        return self is not other and self is Infinity.BELOW

    def __neg__(self) -> Infinity:
        return Infinity(-self.value)

    def __add__(self, other: End) -> Infinity:
        if other is -self:  # never of two lower ends, nor of two upper ones
            raise AssertionError("a sum of opposite infinities")
        return self

    __radd__ = __add__

    def __mul__(self, other: End) -> End:
        """However small the other; with 0 it is 0, as all numbers of the interval times 0 are."""
        return 0 if other == 0 else self if other > 0 else -self

    __rmul__ = __mul__


End = Exact | Infinity


@dataclass(frozen=True, slots=True)
class Box:
    """A number between ``low`` and ``high``; ``open`` if it surely is neither."""

    low: End
    high: End
    open: bool = False

    def __post_init__(self) -> None:
        one = self.low == self.high and not self.open and not isinstance(self.low, Infinity)
        if not (self.low < self.high or one):
            raise AssertionError("no number is in the box")


Number = Exact | Box


class Truth(Enum):
    """A truth value, or that it is unknown.  Python can't take it for true or false by itself."""

    FALSE = False
    TRUE = True
    UNKNOWN = None

    def __bool__(self) -> NoReturn:
        raise AssertionError("a truth value that may be unknown is neither true nor false")

    def negated(self) -> Truth:
        """Not this."""
        return self if self is Truth.UNKNOWN else Truth(not self.value)


Value = Number | Truth


def conjunction(truths: Iterable[Truth]) -> Truth:
    """Whether all hold."""
    found = {*truths, Truth.TRUE}
    return Truth.FALSE if Truth.FALSE in found else Truth(len(found) == 1 or None)


def box(value: Number) -> Box:
    """The number as a box."""
    return value if isinstance(value, Box) else Box(value, value)


def simplest(found: Box) -> Number:
    """The number itself if it is the only one."""
    return found if isinstance(found.low, Infinity) or found.low != found.high else found.low


def hull(one: Value, two: Value) -> Value:
    """All between two numbers; the truth value that both are, if they are one."""
    if isinstance(one, Truth) or isinstance(two, Truth):
        return one if one is two else Truth.UNKNOWN
    left, right = box(one), box(two)
    return simplest(Box(min(left.low, right.low), max(left.high, right.high), left.open and right.open))


def plus(one: Number, two: Number) -> Number:
    """The sum."""
    left, right = box(one), box(two)
    return simplest(Box(left.low + right.low, left.high + right.high, left.open or right.open))


def less(one: Number, two: Number, or_equal: bool) -> Truth:
    """Whether one is less than two, as far as the boxes tell."""
    left, right = box(one), box(two)
    apart = left.open or right.open
    if left.high < right.low or (left.high == right.low and (or_equal or apart)):
        return Truth.TRUE
    if left.low > right.high or (left.low == right.high and (not or_equal or apart)):
        return Truth.FALSE
    return Truth.UNKNOWN


def equal(one: Value, two: Value) -> Truth:
    """Whether two numbers, or two truth values, are equal, as far as they are known."""
    if isinstance(one, Truth) or isinstance(two, Truth):
        return Truth(one is two) if {one, two} <= {Truth.FALSE, Truth.TRUE} else Truth.UNKNOWN
    if Truth.TRUE in (less(one, two, False), less(two, one, False)):
        return Truth.FALSE
    left, right = box(one), box(two)
    return Truth.TRUE if left.low == left.high == right.low == right.high else Truth.UNKNOWN
