"""Python's own functions."""

from __future__ import annotations

import builtins as python
import math
from collections.abc import Callable, Iterator
from fractions import Fraction

from synth.validation import uniforms
from synth.validation.attributes import get
from synth.validation.items import index, key
from synth.validation.operators import binary, compare, exact, ordered
from synth.validation.runs import Run
from synth.validation.values import (
    Array,
    ClassValue,
    ExceptionValue,
    Function,
    Instance,
    Marked,
    Member,
    NamedTuple,
    NamedTupleType,
    Native,
    NotComputed,
    NumpyNumber,
    Raised,
    Uniform,
    Unknown,
    UnknownText,
    Value,
    is_number,
    plain,
)

_LONGEST = 2_000
_NOTHING = object()


def _sorted(run: Run, iterable: Value, /, *, key: Value = None, reverse: Value = False) -> list[Value]:
    return ordered(run, iterable, key, reverse)


def _len(run: Run, value: Value, /) -> Value:
    match value:
        case Array():
            return len(value.entries)
        case Instance() if value.type.find("__len__") is not None:
            return run.call(value.type.find("__len__"), [value])
        case ClassValue(is_enum=True):
            return sum(1 for _ in set(run.entries(value)))
        case Unknown() | UnknownText():
            raise NotComputed("len")
        case list() | tuple() | dict() | set() | frozenset() | str() | range():
            return len(value)
    raise TypeError("no len()")


def _sum(run: Run, iterable: Value, /, start: Value = 0) -> Value:
    total = start
    for item in run.each(run.entries(iterable)):
        total = binary(run, "+", total, item)
    return total


def _extreme(symbol: str) -> Callable[..., Value]:
    def found(run: Run, *given: Value, key: Value = None, default: Value = _NOTHING) -> Value:
        values = list(run.each(run.entries(given[0]))) if len(given) == 1 else list(given)
        if not values:
            if default is _NOTHING:
                raise ValueError("empty")
            return default
        keys = [run.call(key, [item]) for item in values] if key is not None else values
        if any(isinstance(item, Uniform) for item in keys):
            raise NotComputed("an extreme of uniform draws")
        best = 0
        for place in range(1, len(values)):
            if run.truth(compare(run, symbol, keys[place], keys[best])):
                best = place
        return values[best]

    return found


def _any(run: Run, iterable: Value, /) -> bool:
    return any(run.truth(item) for item in run.each(run.entries(iterable)))


def _all(run: Run, iterable: Value, /) -> bool:
    return all(run.truth(item) for item in run.each(run.entries(iterable)))


def _range(run: Run, *given: Value) -> range:
    found = range(*map(index, given))
    if len(found) > _LONGEST:
        raise NotComputed("a long range")
    return found


def _enumerate(run: Run, iterable: Value, start: Value = 0) -> Iterator[Value]:
    return enumerate(run.entries(iterable), start)


def _zip(run: Run, *iterables: Value, strict: bool = False) -> Iterator[Value]:
    return zip(*(run.entries(item) for item in iterables), strict=strict)


def _map(run: Run, function: Value, /, *iterables: Value) -> Iterator[Value]:
    return (
        run.call(function, list(row)) for row in zip(*(run.entries(item) for item in iterables), strict=False)
    )


def _filter(run: Run, function: Value, iterable: Value, /) -> Iterator[Value]:
    def kept(item: Value) -> bool:
        return run.truth(item if function is None else run.call(function, [item]))

    return (item for item in run.entries(iterable) if kept(item))


def _reversed(run: Run, value: Value, /) -> Iterator[Value]:
    if isinstance(value, list | tuple | range | str | dict):
        return reversed(value)
    if isinstance(value, Array):
        return iter(value.entries[::-1])
    raise NotComputed("reversed")


def _abs(run: Run, value: Value, /) -> Value:
    match value:
        case NumpyNumber():
            return NumpyNumber(_abs(run, value.value))
        case Array():
            return Array([_abs(run, item) for item in value.entries], value.kind)
        case Uniform() | Instance():
            raise NotComputed("abs")
    return abs(value)


def _round(run: Run, value: Value, /, ndigits: Value = None) -> Value:
    match value:
        case Uniform():
            raise NotComputed("round")
        case NumpyNumber() if ndigits is not None or not isinstance(value.value, Fraction):
            raise NotComputed("round")
    number = exact(plain(value))
    if not is_number(number):
        raise TypeError("round")
    if ndigits is None:
        return round(number)
    found = round(Fraction(number), ndigits)
    return int(found) if isinstance(number, int) else Fraction(found)


def _divmod(run: Run, left: Value, right: Value, /) -> Value:
    return binary(run, "//", left, right), binary(run, "%", left, right)


def _pow(run: Run, base: Value, exp: Value, mod: Value = None) -> Value:
    if mod is not None:
        raise NotComputed("pow")
    return binary(run, "**", base, exp)


# --- types --------------------------------------------------------------------------------------


def _int(run: Run, value: Value = 0, /) -> Value:
    match value:
        case Uniform():
            return uniforms.floor_of(value, run.draw) if _is_positive(value) else _unknown("int")
        case Array(entries=[_]):
            raise NotComputed("an array as a number")
        case Array():
            raise TypeError("int")
        case str():
            return int(value)
        case _ if is_number(value):
            return int(exact(plain(value)))
        case Unknown() | Instance() | UnknownText():
            raise NotComputed("int")
    raise TypeError("int")


def _is_positive(value: Uniform) -> bool:
    ends = (value.source.low, value.source.high)
    return min(value.factor * end + value.offset for end in ends) >= 0


def _unknown(what: str) -> Value:
    raise NotComputed(what)


def _float(run: Run, value: Value = Fraction(0), /) -> Value:
    match value:
        case Uniform():
            return value
        case str():
            found = float(value)
            return Fraction(value) if math.isfinite(found) else found
        case _ if is_number(value):
            number = plain(value)
            return number if isinstance(number, float) else Fraction(number)
        case Unknown() | Instance() | Array() | UnknownText():
            raise NotComputed("float")
    raise TypeError("float")


def _bool(run: Run, value: Value = False, /) -> bool:
    return run.truth(value)


def _str(run: Run, value: Value = "", /) -> Value:
    if type(value) in (str, int, bool) or value is None:
        return str(value)
    return UnknownText()


def _list(run: Run, value: Value = (), /) -> list[Value]:
    return list(run.each(run.entries(value)))


def _tuple(run: Run, value: Value = (), /) -> tuple[Value, ...]:
    return tuple(run.each(run.entries(value)))


def _dict(run: Run, value: Value = (), /, **named: Value) -> dict[Value, Value]:
    if isinstance(value, dict):
        return {**value, **named}
    found: dict[Value, Value] = {}
    for pair in run.each(run.entries(value)):
        name, item = run.entries(pair)
        found[key(name)] = item
    return {**found, **named}


def _set(run: Run, value: Value = (), /) -> set[Value]:
    return {key(item) for item in run.each(run.entries(value))}


def _frozenset(run: Run, value: Value = (), /) -> frozenset[Value]:
    return frozenset(_set(run, value))


def _isinstance(run: Run, value: Value, kind: Value, /) -> bool:
    if isinstance(kind, tuple):
        return any(_isinstance(run, value, item) for item in kind)
    match kind:
        case ClassValue():
            match value:
                case Instance():
                    return value.type.inherits(kind)
                case Member():
                    return kind.is_enum and value.type == kind.name
                case ExceptionValue():
                    return isinstance(value.type, ClassValue) and value.type.inherits(kind)
            return False
        case NamedTupleType():
            return isinstance(value, NamedTuple) and value.type is kind
        case type() if kind is object:
            return True
        case Native(name="int"):
            return isinstance(value, int)
        case Native(name="float"):
            return isinstance(plain(value), Fraction | float | Uniform)
        case Native(name="bool" | "str" | "list" | "tuple" | "dict" | "set" | "frozenset" | "range" as name):
            kinds = {"bool": bool, "str": str, "list": list, "tuple": tuple, "dict": dict, "set": set}
            kinds |= {"frozenset": frozenset, "range": range}
            if isinstance(value, UnknownText):
                return name == "str"
            return isinstance(value, kinds[name])
    raise NotComputed("isinstance")


def _type(run: Run, value: Value, /) -> Value:
    match value:
        case bool():
            return BUILTINS["bool"]
        case int():
            return BUILTINS["int"]
        case Fraction() | float():
            return BUILTINS["float"]
        case Instance():
            return value.type
        case list():
            return BUILTINS["list"]
        case tuple() if not isinstance(value, NamedTuple):
            return BUILTINS["tuple"]
        case str():
            return BUILTINS["str"]
    raise NotComputed("type")


def _callable(run: Run, value: Value, /) -> bool:
    if isinstance(value, Function | Native):
        return True
    raise NotComputed("callable")


def _iter(run: Run, value: Value, /) -> Iterator[Value]:
    return run.entries(value)


def _next(run: Run, value: Value, default: Value = _NOTHING, /) -> Value:
    if not isinstance(value, Iterator):
        raise TypeError("no iterator")
    found = next(value, _NOTHING)
    if found is not _NOTHING:
        return found
    if default is _NOTHING:
        raise StopIteration
    return default


def _print(run: Run, *_: Value, **__: Value) -> None:
    return None


def _marking(kind: str) -> Native:
    return Native(kind, lambda run, function: Marked(kind, function))


def _getattr(run: Run, value: Value, name: str, default: Value = _NOTHING, /) -> Value:
    try:
        return get(run, value, name)
    except Raised as error:
        if default is _NOTHING or error.value.type is not AttributeError:
            raise
        return default


_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "abs": _abs,
    "all": _all,
    "any": _any,
    "bool": _bool,
    "callable": _callable,
    "dict": _dict,
    "divmod": _divmod,
    "enumerate": _enumerate,
    "filter": _filter,
    "float": _float,
    "frozenset": _frozenset,
    "getattr": _getattr,
    "int": _int,
    "isinstance": _isinstance,
    "iter": _iter,
    "len": _len,
    "list": _list,
    "map": _map,
    "max": _extreme(">"),
    "min": _extreme("<"),
    "next": _next,
    "pow": _pow,
    "print": _print,
    "range": _range,
    "reversed": _reversed,
    "round": _round,
    "set": _set,
    "sorted": _sorted,
    "str": _str,
    "sum": _sum,
    "tuple": _tuple,
    "type": _type,
    "zip": _zip,
}

BUILTINS: dict[str, Value] = {name: Native(name, function) for name, function in _FUNCTIONS.items()}
BUILTINS |= {
    "staticmethod": _marking("static"),
    "classmethod": _marking("class"),
    "property": _marking("property"),
    "object": object,
    "Ellipsis": ...,
    "NotImplemented": Unknown("NotImplemented"),
}
BUILTINS |= {
    kind.__name__: kind
    for kind in vars(python).values()
    if isinstance(kind, type) and issubclass(kind, BaseException)
}
