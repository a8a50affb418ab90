"""Attributes and methods of values."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any

from synth.validation import arrays, classes, items
from synth.validation.operators import bounded, equal, ordered, taken
from synth.validation.runs import Run
from synth.validation.values import (
    Array,
    Bound,
    ClassValue,
    ExceptionValue,
    Function,
    Instance,
    LibraryObject,
    Marked,
    Member,
    NamedTuple,
    NamedTupleType,
    Namespace,
    Native,
    NotComputed,
    NumpyNumber,
    Raised,
    Unknown,
    Value,
)


@dataclass(frozen=True, eq=False)
class Above:
    """What ``super()`` gives: the attributes of the classes behind one, for an object."""

    type: ClassValue
    first: Value


_METHODS: dict[type, frozenset[str]] = {
    list: frozenset(
        ["append", "extend", "insert", "pop", "remove", "clear", "reverse", "copy", "count", "index"]
    ),
    tuple: frozenset(["count", "index"]),
    str: frozenset(
        [
            "upper",
            "lower",
            "strip",
            "lstrip",
            "rstrip",
            "startswith",
            "endswith",
            "split",
            "join",
            "replace",
            "isdigit",
            "isalpha",
            "title",
            "capitalize",
            "removeprefix",
            "removesuffix",
            "count",
            "find",
            "index",
            "isupper",
            "islower",
        ]
    ),
    dict: frozenset(
        ["keys", "values", "items", "get", "pop", "setdefault", "update", "clear", "copy", "popitem"]
    ),
    set: frozenset(
        [
            "add",
            "remove",
            "discard",
            "union",
            "intersection",
            "difference",
            "copy",
            "clear",
            "update",
            "issubset",
            "issuperset",
        ]
    ),
    frozenset: frozenset(["union", "intersection", "difference", "issubset", "issuperset"]),
    range: frozenset(["count", "index"]),
}
"""Methods of Python's own that do here what they do there."""

_PYTHON = (*_METHODS, int, Fraction, float, type(None))
"""Types of which all attributes are known by their names."""

_SEARCHED = {"count", "index", "remove"}
"""Methods of lists that compare."""

_KEYED = {"get", "pop", "setdefault", "add", "remove", "discard"}
"""Methods of dicts and sets of which the first argument is a key."""


def get(run: Run, value: Value, name: str) -> Value:
    """The attribute of a value.  Raises Raised, NotComputed."""
    match value:
        case Namespace():
            return value.members[name] if name in value.members else modules_member(value, name)
        case Unknown():
            return Unknown(f"{value.name}.{name}")
        case LibraryObject():
            if name not in value.members:
                raise NotComputed(f"{name} of {value.name}")
            return value.members[name]
        case Instance():
            return _of_instance(run, value, name)
        case ClassValue():
            return _of_class(value, name)
        case Above(kind, first):
            found = next((base.find(name) for base in kind.bases if isinstance(base, ClassValue)), None)
            if found is None and name == "__init__":
                return Native("__init__", lambda *_, **__: None)
            if isinstance(found, Marked) and found.kind == "class":
                return Bound(found.function, first if isinstance(first, ClassValue) else first.type)
            if not isinstance(found, Function):
                raise NotComputed("super")
            return Bound(found, first)
        case Member():
            if name in ("name", "value"):
                return value.name if name == "name" else value.value
            raise NotComputed("an attribute of a member of an Enum")
        case NamedTuple():
            if name in value.type.fields:
                return value[value.type.fields.index(name)]
            found = value.type.names.get(name)
            if isinstance(found, Function):
                return Bound(found, value)
            if isinstance(found, Marked) and found.kind == "property":
                return run.call(found.function, [value])
            if found is not None and not isinstance(found, Marked):
                return found
            raise NotComputed(f"{name} of a named tuple")
        case NamedTupleType() if name in value.names and name not in value.fields:
            return value.names[name]
        case NamedTupleType() | type():
            raise NotComputed(f"{name} of a class")
        case Array():
            return arrays.attribute(value, name)
        case NumpyNumber() if name == "item":
            return Native("item", lambda _: value.value)
        case ExceptionValue() if name == "args":
            return value.arguments
    return _of_python(run, value, name)


def modules_member(module: Namespace, name: str) -> Value:
    """What isn't known of a module; that it lacks a name is known of Python's own."""
    if module.name in sys.stdlib_module_names and not hasattr(import_module(module.name), name):
        raise _missing(name)
    if module.name.startswith(("numpy.random", "random.")) or "__package__" in module.members:
        raise NotComputed(f"{name} of {module.name}")
    return Unknown(f"{module.name}.{name}")


def _missing(name: str) -> Raised:
    return Raised(ExceptionValue(AttributeError, (name,)))


def _of_class(value: ClassValue, name: str) -> Value:
    found = value.find(name)
    if isinstance(found, Marked) and found.kind != "property":
        return Bound(found.function, value) if found.kind == "class" else found.function
    if isinstance(found, Marked | classes.Factory) or name.startswith("__"):
        raise NotComputed(f"{name} of a class")
    if not value.has(name):
        raise _missing(name)
    return found


def _of_instance(run: Run, value: Instance, name: str) -> Value:
    found = value.type.find(name)
    if isinstance(found, Marked) and found.kind == "property":
        return run.call(found.function, [value])
    if name in value.names:
        return value.names[name]
    match found:
        case Function():
            return Bound(found, value)
        case Marked(kind="class", function=function):
            return Bound(function, value.type)
        case Marked(function=function):
            return function
        case Native():
            raise NotComputed(f"{name}, which is no function of the program")
    if value.type.has(name):
        return found
    if name == "__class__":
        return value.type
    if name.startswith("__"):
        raise NotComputed(name)
    raise _missing(name)


def _of_python(run: Run, value: Value, name: str) -> Value:
    if isinstance(value, list) and name == "sort":
        return Native("sort", lambda run, *, key=None, reverse=False: _sort(run, value, key, reverse))
    if isinstance(value, Fraction | int | float) and name in ("real", "is_integer"):
        raise NotComputed(name)
    if isinstance(value, Counter) and name == "most_common":
        return Native(name, lambda run, n=None: value.most_common(n))
    for kind, names in _METHODS.items():
        if isinstance(value, kind):
            if isinstance(value, Counter | defaultdict) and name in ("update", "copy"):
                break
            if name in names:
                return Native(name, _method(value, name))
    if not isinstance(value, _PYTHON) or hasattr(0.0 if isinstance(value, Fraction) else value, name):
        raise NotComputed(f"{name} of {type(value).__name__}")
    raise _missing(name)


def _sort(run: Run, value: list[Value], key: Value, reverse: bool) -> None:
    value[:] = ordered(run, value, key, reverse)


def _searched(run: Run, value: Any, name: str, *given: Value) -> Value:
    if len(given) != 1:
        raise NotComputed(f"{name} with more arguments")
    places = [place for place, item in enumerate(value) if equal(run, item, given[0])]
    if name == "count":
        return len(places)
    if not places:
        raise ValueError("not in list")
    if name == "index":
        return places[0]
    del value[places[0]]
    return None


def _method(value: Value, name: str) -> Callable[..., Value]:
    def call(run: Run, *given: Any, **named: Any) -> Value:
        if isinstance(value, list | tuple) and name in _SEARCHED:
            return _searched(run, value, name, *given, **named)
        if isinstance(value, dict | set) and name in _KEYED:
            given = (*map(items.key, given[:1]), *given[1:])
        if name in ("extend", "update", "join", "union", "intersection", "difference") and given:
            given = tuple(item if isinstance(item, dict) else taken(run, item) for item in given)
        if name == "pop" and isinstance(value, list):
            given = tuple(items.index(item) for item in given)
        found = bounded(getattr(value, name)(*given, **named))
        bounded(value)
        return found

    return call


def put(run: Run, owner: Value, name: str, value: Value) -> None:
    """Assign an attribute."""
    match owner:
        case Instance():
            found = owner.type.find(name)
            if isinstance(found, Marked) and found.kind == "property":
                raise AttributeError(name)
            if owner.type.names.get("__frozen__"):
                raise AttributeError(name)
            if owner.type.find("__setattr__") is not None or owner.type.find("__slots__") is not None:
                raise NotComputed(name)
            owner.names[name] = value
        case ClassValue():
            owner.names[name] = value
        case NamedTuple():
            raise AttributeError(name)
        case _:
            raise NotComputed(f"an attribute of {type(owner).__name__}")
