"""Arrays of numpy: their entries, attributes and functions, for one dimension and for rows."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from synth.validation import operators
from synth.validation.runs import Run
from synth.validation.values import (
    Array,
    Native,
    NotComputed,
    NumpyNumber,
    Uniform,
    Unknown,
    Value,
    cast,
    is_number,
    kind_of,
    plain,
)

_LONGEST = 2_000
_LARGEST_POWER = 700


def _index(place: Value) -> int:
    number = plain(place)
    if isinstance(number, bool) or not isinstance(number, int):
        if isinstance(number, Fraction | float):
            raise IndexError("only integers are indices")
        raise NotComputed("an index of an array")
    return number


def read(array: Array, place: Value) -> Value:
    """``array[place]``.  Raises IndexError, NotComputed."""
    match place:
        case slice():
            ends = [None if item is None else _index(item) for item in (place.start, place.stop, place.step)]
            array.seen = True
            return Array(array.entries[slice(*ends)], array.kind, seen=True)
        case Array(kind="b"):
            if len(place.entries) != len(array.entries):
                raise IndexError("boolean index did not match")
            kept = [e for e, flag in zip(array.entries, place.entries, strict=True) if plain(flag) is True]
            return Array(kept, array.kind)
        case Array(kind="i") | list():
            rows = place if isinstance(place, list) else place.entries
            if any(isinstance(plain(item), bool) for item in rows):
                raise NotComputed("truth values as indices")
            return Array([array.entries[_index(item)] for item in rows], array.kind)
        case (slice() as rows, column) if not isinstance(column, slice):
            if rows != slice(None):
                raise NotComputed("a column of rows")
            return Array([row.entries[_index(column)] for row in _rows(array)], array.kind, seen=True)
        case (row, column) if not isinstance(row, slice):
            found = read(array, row)
            if not isinstance(found, Array):
                raise IndexError("too many indices")
            return read(found, column)
        case tuple():
            raise NotComputed("indices of an array")
    found = array.entries[_index(place)]
    if isinstance(found, Array):
        found.seen = array.seen = True
    return found


def _rows(array: Array) -> list[Array]:
    if not all(isinstance(item, Array) for item in array.entries):
        raise IndexError("too many indices")
    array.seen = True
    return list(array.entries)


def write(array: Array, place: Value, value: Value) -> None:
    """``array[place] = value``."""
    if array.seen or any(isinstance(item, Array) for item in array.entries):
        raise NotComputed("an array that is seen elsewhere is changed")
    match place:
        case slice():
            ends = [None if item is None else _index(item) for item in (place.start, place.stop, place.step)]
            places = list(range(len(array.entries)))[slice(*ends)]
        case Array(kind="b"):
            if len(place.entries) != len(array.entries):
                raise IndexError("boolean index did not match")
            places = [at for at, flag in enumerate(place.entries) if plain(flag) is True]
        case Array() | list() | tuple():
            raise NotComputed("indices of an array")
        case _:
            places = [range(len(array.entries))[_index(place)]]
            if isinstance(value, Array | list):
                raise NotComputed("an array as an entry")
    values = value.entries if isinstance(value, Array) else [value] * len(places)
    if isinstance(value, list | tuple) or len(values) != len(places):
        raise NotComputed("a list into an array")
    for at, item in zip(places, values, strict=True):
        array.entries[at] = entry(item, array.kind)


def entry(value: Value, kind: str) -> Value:
    """A number as an entry of an array."""
    return value if isinstance(value, Uniform) and kind == "f" else NumpyNumber(cast(value, kind))


def attribute(array: Array, name: str) -> Value:
    """An attribute or a method of an array."""
    match name:
        case "size" | "shape":
            if any(isinstance(item, Array) for item in array.entries):
                raise NotComputed(name)
            return len(array.entries) if name == "size" else (len(array.entries),)
        case "item" if len(array.entries) == 1 and not isinstance(array.entries[0], Array):
            return Native(name, lambda _: plain(array.entries[0]), is_library=True)
        case "tolist":
            return Native(name, lambda _: to_list(array), is_library=True)
        case "copy" | "flatten":
            return Native(name, lambda _: copied(array), is_library=True)
        case "astype":
            return Native(name, lambda _, dtype: typed(array, dtype), is_library=True)
        case _ if name in METHODS:
            return Native(name, lambda run, *given, **named: METHODS[name](run, array, *given, **named))
    raise NotComputed(f"{name} of an array")


def to_list(array: Array) -> list[Value]:
    """The entries as Python's numbers."""
    return [to_list(item) if isinstance(item, Array) else plain(item) for item in array.entries]


def copied(array: Array) -> Array:
    """Another array with the same entries."""
    return Array([copied(item) if isinstance(item, Array) else item for item in array.entries], array.kind)


def typed(array: Array, dtype: Value) -> Array:
    """Another array with entries of a type.  Raises NotComputed."""
    kind = kind_named(dtype, array.kind)
    return Array(
        [typed(item, dtype) if isinstance(item, Array) else entry(item, kind) for item in array.entries], kind
    )


def kind_named(dtype: Value, otherwise: str) -> str:
    """The kind of array that a type stands for."""
    name = dtype.name if isinstance(dtype, Native | Unknown) else dtype
    match name:
        case None:
            return otherwise
        case "int" | "int64" | "i8" | "numpy.int64":
            return "i"
        case "float" | "float64" | "f8" | "numpy.float64":
            return "f"
        case "bool" | "bool_" | "?" | "numpy.bool_":
            return "b"
    raise NotComputed("a type of entries")


# --- functions ----------------------------------------------------------------------------------


def as_array(run: Run, value: Value, dtype: Value = None) -> Array:
    """An array of what numpy takes for one."""
    if isinstance(value, Array):
        return value if dtype is None else typed(value, dtype)
    if not isinstance(value, list | tuple | range):
        raise NotComputed("an array of something else")
    rows: list[Any] = [
        as_array(run, item, dtype) if isinstance(item, list | tuple | Array) else item for item in value
    ]
    kind = None if dtype is None else kind_named(dtype, "f")
    if rows and all(isinstance(item, Array) for item in rows):
        rows = [copied(item) for item in rows]
        kinds = {item.kind for item in rows}
        if len(kinds) > 1:
            raise NotComputed("rows of unlike kinds")
    if any(isinstance(item, Array) for item in rows) and not all(isinstance(item, Array) for item in rows):
        raise NotComputed("a ragged array")
    return operators.array_of(rows, kind or "f", kind if not rows or not isinstance(rows[0], Array) else None)


def _array(run: Run, object: Value, dtype: Value = None) -> Array:
    return copied(as_array(run, object, dtype))


def _filled(number: Value) -> Callable[..., Array]:
    def made(run: Run, shape: Value, dtype: Value = None) -> Array:
        return _full(run, shape, number, dtype)

    return made


def _full(run: Run, shape: Value, fill_value: Value, dtype: Value = None) -> Array:
    if isinstance(shape, tuple) and len(shape) == 1:
        (shape,) = shape
    if isinstance(shape, tuple):
        if len(shape) != 2:
            raise NotComputed("a shape")
        rows = [_full(run, shape[1], fill_value, dtype) for _ in range(_index(shape[0]))]
        return Array(list(rows), rows[0].kind if rows else "f")
    count = _index(shape)
    if count < 0:
        raise ValueError("negative dimensions")
    if count > _LONGEST:
        raise NotComputed("a long array")
    kind = kind_named(dtype, kind_of(fill_value))
    return Array([entry(fill_value, kind)] * count, kind)


def _like(number: Value) -> Callable[..., Array]:
    def made(run: Run, a: Value, dtype: Value = None) -> Array:
        array = _one(as_array(run, a))
        return _full(
            run, len(array.entries), number, dtype or {"b": "bool", "i": "int", "f": "float"}[array.kind]
        )

    return made


def _arange(run: Run, *given: Value, dtype: Value = None) -> Array:
    values = range(*map(_index, given))
    if len(values) > _LONGEST:
        raise NotComputed("a long array")
    kind = kind_named(dtype, "i")
    return Array([entry(item, kind) for item in values], kind)


def _one(array: Array) -> Array:
    """An array of one dimension.  Raises NotComputed."""
    if any(isinstance(item, Array) for item in array.entries):
        raise NotComputed("an array of several dimensions")
    return array


def _row(run: Run, a: Value) -> list[Value]:
    """The entries of an array of one dimension."""
    array = _one(as_array(run, a))
    if any(isinstance(item, Uniform) for item in array.entries):
        raise NotComputed("uniform draws")
    return array.entries


def _sum(run: Run, a: Value, axis: Value = None) -> Value:
    array = as_array(run, a)
    if any(isinstance(item, Array) for item in array.entries):
        if axis is not None:
            raise NotComputed("a sum of an axis")
        return _sum(run, Array([_sum(run, item) for item in array.entries], array.kind))
    if axis not in (None, 0):
        raise NotComputed("an axis")
    total: Any = Fraction(0) if array.kind == "f" else 0
    for item in _row(run, array):
        total += plain(item)
    return NumpyNumber(total)


def _prod(run: Run, a: Value) -> Value:
    array = as_array(run, a)
    total: Any = Fraction(1) if array.kind == "f" else 1
    for item in _row(run, array):
        total *= plain(item)
    return NumpyNumber(total)


def _mean(run: Run, a: Value) -> Value:
    row = _row(run, a)
    if not row:
        raise NotComputed("the mean of nothing")
    total = plain(_sum(run, Array(row, "f")))
    return NumpyNumber(total / len(row) if isinstance(total, float) else Fraction(total) / len(row))


def _var(run: Run, a: Value) -> Value:
    mean = plain(_mean(run, a))
    return _mean(run, Array([NumpyNumber((plain(item) - mean) ** 2) for item in _row(run, a)], "f"))


def _best(symbol: str, place_of: bool) -> Callable[..., Value]:
    def found(run: Run, a: Value, axis: Value = None) -> Value:
        if axis not in (None, 0):
            raise NotComputed("an axis")
        row = _row(run, a)
        if not row:
            raise ValueError("empty")
        best = 0
        for place in range(1, len(row)):
            if run.truth(operators.compare(run, symbol, row[place], row[best])):
                best = place
        return NumpyNumber(best) if place_of else row[best]

    return found


def _truths(every: bool) -> Callable[..., Value]:
    def found(run: Run, a: Value) -> Value:
        row = [run.truth(item) for item in _row(run, a)]
        return NumpyNumber(all(row) if every else any(row))

    return found


def _cumsum(run: Run, a: Value) -> Array:
    array = as_array(run, a)
    total: Any = Fraction(0) if array.kind == "f" else 0
    found = []
    for item in _row(run, array):
        total += plain(item)
        found.append(NumpyNumber(total))
    return Array(found, "f" if array.kind == "f" else "i")


def _sorted(run: Run, a: Value) -> Array:
    return Array(operators.ordered(run, _row(run, a)), as_array(run, a).kind)


def _median(run: Run, a: Value) -> Value:
    row = [Fraction(plain(item)) for item in _sorted(run, a).entries]
    if not row:
        raise NotComputed("the median of nothing")
    return NumpyNumber((row[(len(row) - 1) // 2] + row[len(row) // 2]) / 2)


def _dot(run: Run, a: Value, b: Value) -> Value:
    left, right = as_array(run, a), as_array(run, b)
    return _sum(run, operators.binary(run, "*", _one(left), _one(right)))


def _concatenate(run: Run, arrays: Value, /) -> Array:
    parts = [_one(as_array(run, item)) for item in run.entries(arrays)]
    if not parts:
        raise ValueError("need at least one array")
    kind = max((item.kind for item in parts), key="bif".index)
    return Array([entry(item, kind) for part in parts for item in part.entries], kind)


def _append(run: Run, arr: Value, values: Value) -> Array:
    return _concatenate(run, [arr, values if isinstance(values, Array | list) else [values]])


def _count(run: Run, a: Value) -> Value:
    return sum(run.truth(item) for item in _row(run, a))


def _where(run: Run, condition: Value, x: Value, y: Value, /) -> Value:
    if not isinstance(condition, Array):
        raise NotComputed("where")
    length = len(_one(condition).entries)
    rows = [item.entries if isinstance(item, Array) else [item] * length for item in (x, y)]
    if any(len(row) != length for row in rows):
        raise NotComputed("where of unlike lengths")
    kinds = [item.kind if isinstance(item, Array) else kind_of(item) for item in (x, y)]
    chosen = [
        one if run.truth(flag) else other for flag, one, other in zip(condition.entries, *rows, strict=True)
    ]
    return operators.array_of(chosen, "f", max(kinds, key="bif".index))


def _clip(run: Run, a: Value, a_min: Value, a_max: Value) -> Value:
    def clipped(value: Value) -> Value:
        real = any(
            isinstance(plain(item), Fraction | float) for item in (value, a_min, a_max) if item is not None
        )
        for bound, symbol in ((a_min, "<"), (a_max, ">")):
            if bound is not None and run.truth(operators.compare(run, symbol, value, bound)):
                value = bound
        return NumpyNumber(cast(value, "f") if real else plain(value))

    if is_number(a):
        return clipped(a)
    if isinstance(a_min, Array | list) or isinstance(a_max, Array | list):
        raise NotComputed("bounds by entry")
    return operators.array_of([clipped(item) for item in _row(run, a)], as_array(run, a).kind)


def _by_entry(of_number: Callable[[Any], Any], *, real: bool = True) -> Callable[..., Value]:
    """A function of numbers that goes through arrays."""

    def found(run: Run, x: Value, /) -> Value:
        match x:
            case Array() | list() | tuple():
                array = as_array(run, x)
                return operators.array_of(
                    [found(run, item) for item in array.entries], "f" if real else array.kind
                )
            case _ if is_number(x):
                number = of_number(plain(x))
                return NumpyNumber(Fraction(number) if real and isinstance(number, int) else number)
        raise NotComputed("a function of something else")

    return found


def _square_root(number: Any) -> Any:
    if number < 0:
        raise NotComputed("a root of a negative number")
    return square_root(number)


def square_root(number: Any) -> Any:
    """The root, exactly where it is rational.  Raises ValueError."""
    if number < 0:
        raise ValueError("math domain error")
    if not isinstance(number, float):
        top, bottom = (math.isqrt(part) for part in Fraction(number).as_integer_ratio())
        if Fraction(top, bottom) ** 2 == number:
            return Fraction(top, bottom)
    return math.sqrt(number)


def logarithm(number: Any) -> Any:
    """The logarithm.  Raises ValueError."""
    if number <= 0:
        raise ValueError("math domain error")
    return Fraction(0) if number == 1 else math.log(number)


def exponential(number: Any) -> Any:
    """e to that power.  Raises NotComputed where no float is as large: numbers are taken to be exact."""
    if number > _LARGEST_POWER:
        raise NotComputed("an exponential above all floats")
    return Fraction(1) if number == 0 else math.exp(number)


def _log(number: Any) -> Any:
    if number <= 0:
        raise NotComputed("numpy's logarithm of 0")
    return logarithm(number)


def _whole(function: Callable[[Any], int]) -> Callable[[Any], Any]:
    def found(number: Any) -> Any:
        return function(operators.exact(number)) if isinstance(number, float) else Fraction(function(number))

    return found


def _of_two(symbol: str) -> Callable[..., Value]:
    def found(run: Run, x1: Value, x2: Value, /) -> Value:
        if not isinstance(x1, Array) and not isinstance(x2, Array):
            if not (is_number(x1) and is_number(x2)):
                raise NotComputed("an extreme of something else")
            chosen = x1 if run.truth(operators.compare(run, symbol, x1, x2)) else x2
            return NumpyNumber(cast(chosen, max(kind_of(x1), kind_of(x2), key="bif".index)))
        pairs = list(operators.broadcast(x1, x2))
        kinds = [item.kind if isinstance(item, Array) else kind_of(item) for item in (x1, x2)]
        rows = [found(run, one, other) for one, other in pairs]
        return operators.array_of(rows, max(kinds, key="bif".index))

    return found


def _sign(number: Any) -> Any:
    return type(number)((number > 0) - (number < 0)) if not isinstance(number, bool) else _refuse()


def _refuse() -> Value:
    raise NotComputed("a truth value of numpy's")


def _diff(run: Run, a: Value) -> Array:
    row, kind = _row(run, a), as_array(run, a).kind
    found = [operators.binary(run, "-", later, one) for one, later in pairwise(row)]
    return operators.array_of(found, kind)


def _flip(run: Run, m: Value) -> Array:
    array = _one(as_array(run, m))
    array.seen = True
    return Array(array.entries[::-1], array.kind, seen=True)


def _type(kind: str, function: Callable[[Any], Any]) -> Callable[..., Value]:
    def found(run: Run, x: Value, /) -> Value:
        if not is_number(x):
            raise NotComputed("a number of something else")
        return NumpyNumber(cast(x, kind))

    return found


def _abs(run: Run, x: Value, /) -> Value:
    if is_number(x):
        return NumpyNumber(abs(plain(x)))
    array = as_array(run, x)
    return Array([_abs(run, item) for item in array.entries], array.kind)


def _std(run: Run, a: Value) -> Value:
    return NumpyNumber(square_root(plain(_var(run, a))))


def _rounded(run: Run, a: Value, decimals: Value = 0) -> Value:
    if decimals != 0:
        raise NotComputed("rounding to digits")
    if is_number(a) and not isinstance(plain(a), bool):
        number = plain(a)
        return NumpyNumber(number if isinstance(number, int) else Fraction(round(operators.exact(number))))
    array = _one(as_array(run, a))
    if array.kind == "b":
        raise NotComputed("rounding of truth values")
    return Array([_rounded(run, item) for item in _row(run, array)], array.kind)


def _bincount(run: Run, x: Value, /, *, minlength: Value = 0) -> Array:
    row, least = _row(run, x), _index(minlength)
    if as_array(run, x).kind != "i":
        raise NotComputed("how often other things than integers occur")
    places = [_index(item) for item in row]
    if least < 0 or min(places, default=0) < 0:
        raise ValueError("negative")
    length = max(least, max(places, default=-1) + 1)
    return Array([NumpyNumber(places.count(place)) for place in range(length)], "i")


def _histogram(run: Run, a: Value, bins: Value = 10, *, range: Value = None) -> tuple[Array, Array]:
    if isinstance(bins, Array | list | tuple) and range is None:
        return _histogram_between(run, a, as_array(run, bins))
    if not isinstance(range, tuple | list) or not isinstance(plain(bins), int):
        raise NotComputed("a histogram")
    low, high = (Fraction(plain(item)) for item in range)
    count = _index(bins)
    if count < 1 or low > high:
        raise ValueError("a histogram")
    if low == high:
        raise NotComputed("a histogram of nothing")
    heights = [0] * count
    for item in _row(run, a):
        number = plain(item)
        if isinstance(number, float):
            raise NotComputed("a histogram of numbers that aren't known exactly")
        if low <= number <= high:
            heights[min(count - 1, math.floor((number - low) * count / (high - low)))] += 1
    ends = [low + (high - low) * Fraction(place, count) for place in [*builtins.range(count), count]]
    return operators.array_of(list(heights), "i"), operators.array_of(list(ends), "f", "f")


def _histogram_between(run: Run, a: Value, bins: Array) -> tuple[Array, Array]:
    """numpy looks for the places of the ends among the entries, of the last one behind its equals."""
    ends = [plain(item) for item in _row(run, bins)]
    entries = sorted(plain(item) for item in _row(run, a))
    if any(isinstance(item, float) for item in (*ends, *entries)):
        raise NotComputed("a histogram of numbers that aren't known exactly")
    if any(left > right for left, right in pairwise(ends)):
        raise ValueError("`bins` must increase monotonically, when an array")
    places = [sum(item < end for item in entries) for end in ends[:-1]]
    places += [sum(item <= end for item in entries) for end in ends[-1:]]
    heights = [right - left for left, right in pairwise(places)]
    return operators.array_of(heights, "i"), bins


def _linspace(run: Run, start: Value, stop: Value, num: Value = 50) -> Array:
    count = _index(num)
    if not 2 <= count <= _LONGEST or not is_number(start) or not is_number(stop):
        raise NotComputed("linspace")
    low, high = Fraction(plain(start)), Fraction(plain(stop))
    return operators.array_of([low + (high - low) * Fraction(i, count - 1) for i in range(count)], "f", "f")


def _tile(run: Run, A: Value, reps: Value) -> Array:
    array, count = _one(as_array(run, A)), _index(reps)
    if not 0 <= count <= _LONGEST:
        raise NotComputed("tile")
    return Array(array.entries * count, array.kind)


def _repeat(run: Run, a: Value, repeats: Value) -> Array:
    count = _index(repeats)
    if not isinstance(a, Array | list | tuple):
        a = [a]
    array = _one(as_array(run, a))
    if not 0 <= count <= _LONGEST:
        raise NotComputed("repeat")
    return Array([entry for entry in array.entries for _ in range(count)], array.kind)


def _hstack(run: Run, tup: Value) -> Array:
    return _concatenate(run, tup)


def _size(run: Run, a: Value) -> int:
    return len(_one(as_array(run, a)).entries)


def _full_like(run: Run, a: Value, fill_value: Value) -> Array:
    array = _one(as_array(run, a))
    return Array([entry(fill_value, array.kind)] * len(array.entries), array.kind)


def _ravel(run: Run, a: Value) -> Array:
    array = _one(as_array(run, a))
    array.seen = True
    return Array(array.entries, array.kind, seen=True)


def _logical(function: Callable[[bool, bool], bool]) -> Callable[..., Value]:
    def found(run: Run, x1: Value, x2: Value, /) -> Value:
        if not isinstance(x1, Array) and not isinstance(x2, Array):
            return NumpyNumber(function(run.truth(x1), run.truth(x2)))
        return operators.array_of([found(run, *pair) for pair in operators.broadcast(x1, x2)], "b")

    return found


def _logical_not(run: Run, x: Value, /) -> Value:
    if isinstance(x, Array):
        return operators.array_of([_logical_not(run, item) for item in x.entries], "b")
    return NumpyNumber(not run.truth(x))


def norm(run: Run, x: Value, ord: Value = None) -> Value:
    """The length of a vector.  Raises NotComputed."""
    row = [plain(item) for item in _row(run, x)]
    if ord not in (None, 1, 2) or isinstance(ord, bool) or isinstance(x, tuple):
        raise NotComputed("a norm")
    if ord == 1:
        total = sum((abs(item) for item in row), Fraction(0))
        return NumpyNumber(total)
    return NumpyNumber(square_root(sum((item * item for item in row), Fraction(0))))


def _operator(symbol: str) -> Callable[..., Value]:
    def found(run: Run, x1: Value, x2: Value, /) -> Value:
        if not isinstance(x1, Array) and not isinstance(x2, Array):
            raise NotComputed("a function of numbers")
        return operators.binary(run, symbol, x1, x2)

    return found


METHODS: dict[str, Callable[..., Value]] = {
    "sum": _sum,
    "std": _std,
    "round": _rounded,
    "prod": _prod,
    "mean": _mean,
    "var": _var,
    "max": _best(">", False),
    "min": _best("<", False),
    "argmax": _best(">", True),
    "argmin": _best("<", True),
    "any": _truths(False),
    "all": _truths(True),
    "cumsum": _cumsum,
    "clip": lambda run, a, min=None, max=None: _clip(run, a, min, max),
    "dot": _dot,
}
"""Methods of arrays that are functions of the module, too."""

FUNCTIONS: dict[str, Callable[..., Value]] = {
    **{name: function for name, function in METHODS.items() if name != "clip"},
    "abs": _abs,
    "absolute": _abs,
    "add": _operator("+"),
    "amax": _best(">", False),
    "amin": _best("<", False),
    "append": _append,
    "arange": _arange,
    "array": _array,
    "asarray": as_array,
    "average": _mean,
    "bincount": _bincount,
    "bool_": _type("b", bool),
    "ceil": _by_entry(_whole(math.ceil)),
    "clip": _clip,
    "concatenate": _concatenate,
    "copy": lambda run, a: copied(as_array(run, a)),
    "count_nonzero": _count,
    "diff": _diff,
    "exp": _by_entry(exponential),
    "flip": _flip,
    "float64": _type("f", Fraction),
    "floor": _by_entry(_whole(math.floor)),
    "full": _full,
    "full_like": _full_like,
    "histogram": _histogram,
    "hstack": _hstack,
    "int64": _type("i", int),
    "linspace": _linspace,
    "log": _by_entry(_log),
    "logical_and": _logical(lambda one, other: one and other),
    "logical_not": _logical_not,
    "logical_or": _logical(lambda one, other: one or other),
    "logical_xor": _logical(lambda one, other: one != other),
    "maximum": _of_two(">"),
    "median": _median,
    "minimum": _of_two("<"),
    "multiply": _operator("*"),
    "ravel": _ravel,
    "ones": _filled(Fraction(1)),
    "ones_like": _like(1),
    "rint": _by_entry(_whole(round)),
    "repeat": _repeat,
    "size": _size,
    "subtract": _operator("-"),
    "tile": _tile,
    "sign": _by_entry(_sign, real=False),
    "sort": _sorted,
    "sqrt": _by_entry(_square_root),
    "square": _by_entry(lambda number: number * number, real=False),
    "where": _where,
    "zeros": _filled(Fraction(0)),
    "zeros_like": _like(0),
}
