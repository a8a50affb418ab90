"""What Python's values are here: its own where they are exact, a fraction for each finite float."""

from __future__ import annotations

import ast
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import total_ordering
from typing import Any

Value = Any
"""A value of the program: bool, int, str, None, list, tuple, dict, set, range, a fraction for a float, a
float for one that isn't known exactly, and what is defined here.
"""


class NotComputed(Exception):
    """Something that is not computed here: the runs are not compared."""


class Raised(Exception):
    """The program raises an exception, which is an :class:`ExceptionValue`."""

    def __init__(self, value: ExceptionValue) -> None:
        super().__init__(value)
        self.value = value


@dataclass(frozen=True, eq=False)
class ExceptionValue:
    """An exception: its class, one of Python's or of the program's, and its arguments."""

    type: type[BaseException] | ClassValue
    arguments: tuple[Value, ...] = ()


def raised(kind: type[BaseException], message: str = "") -> Raised:
    """An exception of Python's."""
    return Raised(ExceptionValue(kind, (message,)))


# --- what programs define -----------------------------------------------------------------------


@dataclass(eq=False)
class Scope:
    """Names of a function, a class, a module or a comprehension, and those around it.

    ``local`` are the names that it binds, ``outer`` those that it says are another scope's.
    """

    module: dict[str, Value]
    parent: Scope | None = None
    local: frozenset[str] = frozenset()
    outer: Mapping[str, bool] = field(default_factory=dict)
    names: dict[str, Value] = field(default_factory=dict)
    is_class: bool = False


@dataclass(frozen=True, eq=False)
class Function:
    """A function of the program with the values of its defaults."""

    node: ast.FunctionDef | ast.Lambda
    scope: Scope
    defaults: tuple[Value, ...]
    keyword_defaults: Mapping[str, Value]
    owner: ClassValue | None = None


@dataclass(frozen=True, eq=False)
class Bound:
    """A function with its first argument."""

    function: Value
    first: Value


@dataclass(frozen=True, eq=False)
class Marked:
    """A function of a class that is no plain method: ``static``, ``class`` or ``property``."""

    kind: str
    function: Value


@dataclass(eq=False)
class ClassValue:
    """A class of the program.  ``fields`` are those of a dataclass, with whether each has a default."""

    name: str
    bases: tuple[Value, ...]
    names: dict[str, Value]
    fields: tuple[str, ...] | None = None
    is_enum: bool = False

    def line(self) -> Iterator[Value]:
        """The class and those that it inherits from, nearest first."""
        yield self
        for base in self.bases:
            if isinstance(base, ClassValue):
                yield from base.line()
            else:
                yield base

    def find(self, name: str) -> Value | None:
        """What the class has of that name; None if nothing, as also for the value None."""
        return self.names_above.get(name)

    def has(self, name: str) -> bool:
        """Whether it has something of that name."""
        return name in self.names_above

    @property
    def names_above(self) -> Mapping[str, Value]:
        """The names of the class and of those that it inherits from, the nearest first."""
        return ChainMap(*(item.names for item in self.line() if isinstance(item, ClassValue)))

    def inherits(self, other: Value) -> bool:
        """Whether it is that class, or has it among its bases."""
        return any(
            item is other or (isinstance(item, type) and isinstance(other, type) and issubclass(item, other))
            for item in self.line()
        )


@dataclass(eq=False)
class Instance:
    """An object of a class of the program."""

    type: ClassValue
    names: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Member:
    """A member of an Enum; ``owner`` is the identity of the Enum, as those of two files may have one name."""

    type: str
    name: str
    value: Value = field(compare=False)
    owner: int = 0


class NamedTuple(tuple[Value, ...]):
    """A tuple of a class with names for its components."""

    type: NamedTupleType


@dataclass(frozen=True, eq=False)
class NamedTupleType:
    """Such a class; ``names`` are its methods, and the defaults of fields."""

    name: str
    fields: tuple[str, ...]
    names: Mapping[str, Value] = field(default_factory=dict)


# --- what libraries have ------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Native:
    """A function of Python, or of a library: of that not everything is known (``is_library``)."""

    name: str
    run: Callable[..., Value]
    is_library: bool = False


@dataclass(frozen=True, eq=False)
class LibraryObject:
    """An object of a library: what is known of its attributes, of its call, and of ``left >> it``."""

    name: str
    members: Mapping[str, Value] = field(default_factory=dict)
    call: Callable[..., Value] | None = None
    after: Callable[..., Value] | None = None


@dataclass(frozen=True, eq=False)
class Namespace:
    """A module, or a source of draws, with what is known of it."""

    name: str
    members: dict[str, Value]


@dataclass(frozen=True)
class Unknown:
    """What is not known of a library; it may be named, and not be used."""

    name: str


class UnknownText:
    """A text with numbers, which isn't written out."""


@total_ordering
@dataclass(frozen=True, eq=False)
class NumpyNumber:
    """A number that is an entry of an array."""

    value: bool | int | Fraction | float

    def __eq__(self, other: object) -> bool:
        return bool(self.value == plain(other))

    def __lt__(self, other: Any) -> bool:
        return bool(self.value < plain(other))

    def __hash__(self) -> int:
        return hash(self.value)

    def __index__(self) -> int:
        if isinstance(self.value, int) and not isinstance(self.value, bool):
            return self.value
        raise TypeError("no integer")


KINDS = "bif"
"""Kinds of arrays: truth values, integers, floats."""


@dataclass(eq=False)
class Array:
    """An array of one or more dimensions; its rows are arrays, too.

    One that is ``seen`` elsewhere (a slice, or what it is a slice of) is not changed.
    """

    entries: list[Value]
    kind: str
    seen: bool = False


@dataclass(eq=False)
class Source:
    """A uniform draw, as far as it is decided: between two numbers."""

    low: Fraction | float = Fraction(0)
    high: Fraction | float = Fraction(1)


@dataclass(frozen=True, eq=False)
class Uniform:
    """``factor`` times a uniform draw, plus ``offset``."""

    source: Source
    factor: Fraction | float = Fraction(1)
    offset: Fraction | float = Fraction(0)


def plain(value: Value) -> Value:
    """The number, without a note that it is of an array."""
    return value.value if isinstance(value, NumpyNumber) else value


def is_number(value: Value) -> bool:
    """Whether it is a number of Python's or of an array."""
    return isinstance(plain(value), bool | int | Fraction | float)


def kind_of(value: Value) -> str:
    """The kind of an array of such entries.  Raises NotComputed."""
    match plain(value):
        case bool():
            return "b"
        case int():
            return "i"
        case Fraction() | float():
            return "f"
    raise NotComputed("an array of other things than numbers")


def cast(value: Value, kind: str) -> Value:
    """The number as an array of that kind has it.  Raises NotComputed."""
    number = plain(value)
    kind_of(number)
    match kind:
        case "b":
            return bool(number)
        case "i":
            return int(number)
        case _:
            return number if isinstance(number, float) else Fraction(number)
