"""Entries of lists, dicts and arrays."""

from __future__ import annotations

from fractions import Fraction

from synth.validation import arrays
from synth.validation.runs import Run
from synth.validation.values import (
    Array,
    ClassValue,
    Instance,
    Member,
    Native,
    NotComputed,
    NumpyNumber,
    Uniform,
    Unknown,
    UnknownText,
    Value,
    plain,
)


class DefaultDict(dict[Value, Value]):
    """A dict that makes what it lacks."""

    factory: Value = None


def key(value: Value) -> Value:
    """The value as a key of a dict.  Raises TypeError, NotComputed."""
    match value:
        case list() | dict() | set() | Array():
            raise TypeError("unhashable")
        case Instance() if value.type.fields is not None or value.type.find("__eq__") is not None:
            raise NotComputed("an object as a key")
        case float() | Uniform() | Unknown() | UnknownText():
            raise NotComputed("a key that isn't known exactly")
        case tuple():
            for item in value:
                key(item)
    return value


def index(value: Value) -> int:
    """The value as an index.  Raises TypeError."""
    number = plain(value)
    if isinstance(number, int) and not (isinstance(number, bool) and value is not number):
        return int(number)
    if isinstance(number, Uniform | Unknown | Instance | Array):
        raise NotComputed("an index that is unknown")
    raise TypeError("indices must be integers")


def _place(value: Value) -> int | slice:
    if isinstance(value, slice):
        ends = [None if item is None else index(item) for item in (value.start, value.stop, value.step)]
        return slice(*ends)
    return index(value)


def get(run: Run, owner: Value, place: Value) -> Value:
    """``owner[place]``.  Raises what Python raises, and NotComputed."""
    match owner:
        case DefaultDict():
            if key(place) not in owner:
                if owner.factory is None:
                    raise KeyError(place)
                owner[place] = run.call(owner.factory, [])
            return owner[place]
        case dict():
            return owner[key(place)]
        case list() | tuple() | str() | range():
            return owner[_place(place)]
        case Array():
            return arrays.read(owner, place)
        case ClassValue(is_enum=True):
            found = owner.names.get(place)
            if not isinstance(found, Member):
                raise KeyError(place)
            return found
        case Instance() if owner.type.find("__getitem__") is not None:
            return run.call(owner.type.find("__getitem__"), [owner, place])
        case Unknown() | Native() | type():
            return Unknown("a type")  # list[int]
        case ClassValue() | Instance():
            raise NotComputed("an entry of an object")
        case Fraction() | int() | float() | None | NumpyNumber() | set():
            raise TypeError("not subscriptable")
    raise NotComputed(f"an entry of {type(owner).__name__}")


def put(run: Run, owner: Value, place: Value, value: Value) -> None:
    """``owner[place] = value``."""
    match owner:
        case dict():
            owner[key(place)] = value
        case list():
            found = _place(place)
            owner[found] = list(run.entries(value)) if isinstance(found, slice) else value
        case Array():
            arrays.write(owner, place, value)
        case Instance() if owner.type.find("__setitem__") is not None:
            run.call(owner.type.find("__setitem__"), [owner, place, value])
        case tuple() | str() | range() | Fraction() | int():
            raise TypeError("no item assignment")
        case _:
            raise NotComputed("an entry of something unknown")


def remove(owner: Value, place: Value) -> None:
    """``del owner[place]``."""
    match owner:
        case dict():
            del owner[key(place)]
        case list():
            del owner[_place(place)]
        case _:
            raise NotComputed("del")
