"""Python's operators on values, by what Python's own do."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

from synth.validation import uniforms
from synth.validation.runs import Run
from synth.validation.values import (
    Array,
    Instance,
    LibraryObject,
    NotComputed,
    NumpyNumber,
    Uniform,
    Unknown,
    UnknownText,
    Value,
    cast,
    is_number,
    kind_of,
    plain,
)

_LARGE = 1e8
"""Sums of larger numbers that aren't known exactly are not known at all."""

_MOST_BITS = 4096
_LONGEST = 2_000
_CLOSE = 1e-9


SYMBOLS: dict[type[ast.operator | ast.cmpop], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.MatMult: "@",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}

_METHODS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "&": "and",
    "|": "or",
    "^": "xor",
    "<<": "lshift",
    ">>": "rshift",
    "@": "matmul",
    "==": "eq",
    "!=": "ne",
    "<": "lt",
    "<=": "le",
    ">": "gt",
    ">=": "ge",
}

_PYTHON = (int, Fraction, float, str, list, tuple, dict, set, frozenset, range, type(None))
"""Types whose operators are those of Python's own."""

_HOST: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "%": operator.mod,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
_IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.iadd,
    "*": operator.imul,
    "&": operator.iand,
    "|": operator.ior,
    "-": operator.isub,
    "^": operator.ixor,
}


# --- arithmetic ---------------------------------------------------------------------------------


def binary(run: Run, symbol: str, left: Value, right: Value) -> Value:
    """``left symbol right``.  Raises what Python raises, and NotComputed."""
    _check_known(left, right)
    match left, right:
        case (Uniform(), _) | (_, Uniform()) if not isinstance(left, Array) and not isinstance(right, Array):
            return uniforms.scaled(symbol, left, right)
        case (Array(), _) | (_, Array()):
            return _by_entry(run, symbol, left, right)
        case (NumpyNumber(), _) | (_, NumpyNumber()) if is_number(left) and is_number(right):
            return NumpyNumber(_of_arrays(run, symbol, plain(left), plain(right)))
        case (NumpyNumber(), _) | (_, NumpyNumber()):
            raise NotComputed("a number of an array with something else")
        case (Instance(), _) | (_, Instance()):
            return _of_instances(run, symbol, left, right)
        case _, LibraryObject(after=found) if found is not None and symbol == ">>":
            return found(run, left, right)
    if is_number(left) and is_number(right):
        return _numbers(symbol, left, right)
    if isinstance(left, str) and symbol == "%":
        raise NotComputed("a text with numbers")
    if symbol == "*" and isinstance(plain(left), int) | isinstance(plain(right), int):
        _check_length(left, right)
    if not isinstance(left, _PYTHON) or not isinstance(right, _PYTHON):
        raise NotComputed(f"{symbol} of something else")
    if symbol not in _HOST:
        raise TypeError(f"unsupported operand for {symbol}")
    return bounded(_HOST[symbol](_host(left), _host(right)))


def taken(run: Run, values: Value) -> list[Value]:
    """All entries of what is gone through at once.  Raises NotComputed."""
    if isinstance(values, Iterator):
        raise NotComputed("an iterator that may look at what it changes")
    return list(run.each(run.entries(values)))


def bounded(value: Value) -> Value:
    """The value, if it isn't long.  Raises NotComputed."""
    if isinstance(value, str | list | tuple | dict | set) and len(value) > _LONGEST:
        raise NotComputed("a long list")
    return value


def in_place(run: Run, symbol: str, left: Value, right: Value) -> Value:
    """``left symbol= right``: the same object where Python changes it."""
    match left:
        case list() if symbol in ("+", "*"):
            _check_known(right)
            if isinstance(right, Array | NumpyNumber | Instance):
                raise NotComputed("an array or an object in place")
            if symbol == "+":
                return bounded(_IN_PLACE[symbol](left, taken(run, right)))
            _check_length(left, right)
            return _IN_PLACE[symbol](left, _host(right))
        case set() | dict() if symbol in _IN_PLACE and isinstance(right, set | frozenset | dict):
            return _IN_PLACE[symbol](left, right)
        case Array():
            found = binary(run, symbol, left, right)
            if left.seen or not isinstance(found, Array) or len(found.entries) != len(left.entries):
                raise NotComputed("an array that is changed in place")
            if "bif".index(found.kind) > "bif".index(left.kind):
                raise TypeError("an array can't be changed to another type in place")
            left.entries[:] = [_cast(entry, left.kind) for entry in found.entries]
            return left
        case Instance() if left.type.find(f"__i{_METHODS[symbol]}__") is not None:
            raise NotComputed("an operator in place")
    return binary(run, symbol, left, right)


def _cast(entry: Value, kind: str) -> Value:
    return entry if isinstance(entry, Array) else NumpyNumber(cast(entry, kind))


def _host(value: Value) -> Value:
    """The value for an operator of Python's on texts, lists and the like."""
    return plain(value)


def _check_known(*values: Value) -> None:
    if any(isinstance(item, Unknown | UnknownText) for item in values):
        raise NotComputed("an unknown value")


def _check_length(left: Value, right: Value) -> None:
    for one, other in ((left, right), (right, left)):
        if isinstance(one, str | list | tuple) and isinstance(plain(other), int):
            if len(one) * plain(other) > _LONGEST:
                raise NotComputed("a long list")


def _numbers(symbol: str, left: Any, right: Any) -> Value:
    """Arithmetic of Python's numbers: a fraction stands for a float."""
    real = isinstance(left, Fraction | float) or isinstance(right, Fraction | float)
    match symbol:
        case "/":
            known = not isinstance(left, float) and not isinstance(right, float)
            found = Fraction(left) / right if known else left / right
            return _bounded(found)
        case "//" | "%" if real:
            if isinstance(left, float) or isinstance(right, float):
                raise NotComputed("a remainder of a number that isn't known exactly")
            return Fraction(left // right) if symbol == "//" else Fraction(left % right)
        case "//":
            return left // right
        case "**":
            return _power(left, right)
        case "<<" | ">>" if not real:
            if right > _MOST_BITS:
                raise NotComputed("a large number")
        case "+" | "-" if isinstance(left, float) or isinstance(right, float):
            return _added(_HOST[symbol](left, right), max(abs(left), abs(right)))
        case "@":
            raise TypeError("unsupported operand for @")
    if symbol in ("&", "|", "^", "<<", ">>") and real:
        raise TypeError(f"unsupported operand for {symbol}")
    return _bounded(_HOST[symbol](left, right))


def _added(found: float, largest: float) -> float:
    """A sum that is known about.  Raises NotComputed where its digits are lost."""
    if largest > _LARGE or 0 < abs(found) < 1 / _LARGE:
        raise NotComputed("a number that isn't known exactly")
    return found


def _power(base: Any, exponent: Any) -> Value:
    real = isinstance(base, Fraction | float) or isinstance(exponent, Fraction | float)
    if not real and exponent >= 0:
        if max(1, int(base).bit_length()) * exponent > _MOST_BITS:
            raise NotComputed("a large number")
        return base**exponent
    if base == 0 and exponent < 0:
        raise ZeroDivisionError("zero to a negative power")
    if not isinstance(base, float) and not isinstance(exponent, float) and exponent == int(exponent):
        if abs(exponent) > 64:
            raise NotComputed("a large power")
        return Fraction(base) ** int(exponent)
    if base < 0:
        raise NotComputed("a complex number")
    return float(base) ** float(exponent)


def _bounded(value: Value) -> Value:
    parts = (value.numerator, value.denominator) if isinstance(value, int | Fraction) else ()
    if any(part.bit_length() > _MOST_BITS for part in parts):
        raise NotComputed("a large number")
    return value


def _of_arrays(run: Run, symbol: str, left: Value, right: Value) -> Value:
    """Arithmetic of numpy's numbers, where it is that of Python's.  Raises NotComputed elsewhere."""
    if symbol in ("/", "//", "%") and right == 0:
        raise NotComputed("numpy divides by 0")
    if symbol == "**" and (right < 0 or isinstance(left, bool)):
        raise NotComputed("a power of numpy's")
    if isinstance(left, bool) and isinstance(right, bool) and symbol not in ("&", "|", "^"):
        raise NotComputed("arithmetic of numpy's truth values")
    return _numbers(symbol, left, right)


def _by_entry(run: Run, symbol: str, left: Value, right: Value) -> Value:
    pairs = list(broadcast(left, right))
    if symbol == "@":
        raise NotComputed("a product of matrices")
    found = [binary(run, symbol, one, other) for one, other in pairs]
    return array_of(found, _kind(symbol, left, right))


def _kind(symbol: str, left: Value, right: Value) -> str:
    """The kind of an array that may be empty."""
    kinds = [item.kind if isinstance(item, Array) else "i" for item in (left, right)]
    return "f" if symbol == "/" else max(kinds, key="bif".index)


def broadcast(left: Value, right: Value) -> Iterator[tuple[Value, Value]]:
    """Give the entries that numpy brings together, of one dimension.  Raises ValueError."""
    match left, right:
        case (list(), _) | (_, list()) | (tuple(), _) | (_, tuple()):
            raise NotComputed("an array with a list")
        case Array(), Array():
            if _depth(left) != _depth(right):
                raise NotComputed("arrays of several dimensions")
            if len(left.entries) != len(right.entries):
                if 1 in (len(left.entries), len(right.entries)):
                    raise NotComputed("an array with one entry")
                raise ValueError("operands could not be broadcast together")
            yield from zip(left.entries, right.entries, strict=True)
        case Array(), _:
            yield from ((entry, right) for entry in left.entries)
        case _:
            yield from ((left, entry) for entry in right.entries)


def _depth(array: Array) -> int:
    return 1 + (_depth(array.entries[0]) if array.entries and isinstance(array.entries[0], Array) else 0)


def array_of(values: list[Value], when_empty: str = "f", kind: str | None = None) -> Array:
    """An array of these entries.  Raises NotComputed."""
    if any(isinstance(item, Uniform) for item in values):
        return Array(list(values), "f")
    if values and all(isinstance(item, Array) for item in values):
        if len({len(item.entries) for item in values}) != 1:
            raise NotComputed("rows of unlike lengths")
        return Array(list(values), values[0].kind)
    kind = kind or max((kind_of(item) for item in values), key="bif".index, default=when_empty)
    return Array([NumpyNumber(cast(item, kind)) for item in values], kind)


def _of_instances(run: Run, symbol: str, left: Value, right: Value) -> Value:
    for first, other, name in ((left, right, _METHODS[symbol]), (right, left, f"r{_METHODS[symbol]}")):
        method = first.type.find(f"__{name}__") if isinstance(first, Instance) else None
        if method is not None:
            return run.call(method, [first, other])
    raise TypeError(f"unsupported operand for {symbol}")


def unary(run: Run, node: ast.unaryop, value: Value) -> Value:
    """The operator before a value."""
    _check_known(value)
    match node, value:
        case ast.Not(), _:
            return not run.truth(value)
        case ast.USub(), Uniform():
            return Uniform(value.source, -value.factor, -value.offset)
        case _, Array():
            if isinstance(node, ast.Invert) and value.kind != "b":
                raise NotComputed("bits of an array")
            found = [unary(run, node, entry) for entry in value.entries]
            return array_of(found, value.kind)
        case ast.Invert(), NumpyNumber(value=bool()):
            return NumpyNumber(not value.value)
        case ast.USub() | ast.UAdd(), NumpyNumber(value=bool()):
            raise NotComputed("the sign of a truth value of numpy's")
        case _, NumpyNumber():
            return NumpyNumber(unary(run, node, value.value))
        case _, Instance():
            raise NotComputed("an operator of an object")
    host: Any = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}[type(node)]
    if isinstance(node, ast.Invert) and isinstance(value, Fraction | float):
        raise TypeError("bad operand for ~")
    return host(value)


# --- comparisons --------------------------------------------------------------------------------


def compare(run: Run, symbol: str, left: Value, right: Value) -> Value:
    """``left symbol right`` for the six comparisons."""
    _check_known(left, right)
    match left, right:
        case (Array(), _) | (_, Array()):
            found = [compare(run, symbol, one, other) for one, other in broadcast(left, right)]
            return array_of(found, "b")
        case (Uniform(), _) | (_, Uniform()):
            return uniforms.compared(symbol, left, right, run.draw)
        case (NumpyNumber(), _) | (_, NumpyNumber()) if is_number(left) and is_number(right):
            return NumpyNumber(_compared(symbol, plain(left), plain(right)))
        case (Instance(), _) | (_, Instance()):
            return _instances_compared(run, symbol, left, right)
    if is_number(left) and is_number(right):
        return _compared(symbol, left, right)
    if symbol in ("==", "!="):
        return equal(run, left, right) == (symbol == "==")
    if isinstance(left, list | tuple) and type(left) is type(right):
        for one, other in zip(left, right, strict=False):
            if not equal(run, one, other):
                return compare(run, symbol, one, other)
        return uniforms.ORDER[symbol](len(left), len(right))
    if not isinstance(left, _PYTHON) or not isinstance(right, _PYTHON):
        raise NotComputed(f"{symbol} of something else")
    return uniforms.ORDER[symbol](left, right)


def _compared(symbol: str, left: Any, right: Any) -> bool:
    if isinstance(left, float) or isinstance(right, float):
        distance = abs(left - right) if math.isfinite(left) and math.isfinite(right) else math.inf
        if math.isnan(left) or math.isnan(right) or distance <= _CLOSE * max(1, abs(left), abs(right)):
            raise NotComputed("a comparison of numbers that aren't known exactly")
    match symbol:
        case "==":
            return bool(left == right)
        case "!=":
            return bool(left != right)
    return uniforms.ORDER[symbol](left, right)


def _instances_compared(run: Run, symbol: str, left: Value, right: Value) -> Value:
    turned = {"<": "gt", "<=": "ge", ">": "lt", ">=": "le", "==": "eq", "!=": "ne"}[symbol]
    for first, other, name in ((left, right, _METHODS[symbol]), (right, left, turned)):
        method = first.type.find(f"__{name}__") if isinstance(first, Instance) else None
        if method is not None:
            return run.call(method, [first, other])
    if symbol in ("==", "!="):
        return equal(run, left, right) == (symbol == "==")
    match left, right:
        case Instance(type=kind), Instance(type=other) if kind is other and kind.names.get("__ordered__"):
            rows = [tuple(item.names[name] for name in kind.fields or ()) for item in (left, right)]
            return compare(run, symbol, *rows)
    raise TypeError(f"'{symbol}' is not supported")


def equal(run: Run, left: Value, right: Value) -> bool:
    """Whether Python says that they are equal, as in lists."""
    if left is right and not isinstance(left, float):
        return True
    match left, right:
        case (Array() | Unknown() | LibraryObject(), _) | (_, Array() | Unknown() | LibraryObject()):
            raise NotComputed("arrays in a comparison")
        case (NumpyNumber(), other) | (other, NumpyNumber()) if not is_number(other) and other is not None:
            raise NotComputed("a number of an array beside something else")
        case (list(), list()) | (tuple(), tuple()):
            return len(left) == len(right) and all(
                equal(run, one, other) for one, other in zip(left, right, strict=True)
            )
        case dict(), dict():
            return left.keys() == right.keys() and all(equal(run, left[key], right[key]) for key in left)
        case Instance(), Instance():
            if left.type.find("__eq__") is not None:
                return run.truth(run.call(left.type.find("__eq__"), [left, right]))
            fields = left.type.fields
            if fields is None or left.type is not right.type:
                return False
            return all(equal(run, left.names.get(name), right.names.get(name)) for name in fields)
        case (Instance(), _) | (_, Instance()):
            return False
    if (is_number(left) and is_number(right)) or isinstance(left, Uniform) or isinstance(right, Uniform):
        return run.truth(compare(run, "==", left, right))
    return bool(left == right)


def contains(run: Run, values: Any, value: Value) -> bool:
    """Whether a value is among others."""
    if isinstance(values, dict | set | frozenset):
        if isinstance(value, float | Uniform | Array | UnknownText):
            raise NotComputed("a key that isn't known exactly")
        return value in values
    if isinstance(values, str):
        return operator.contains(values, value)
    return any(equal(run, one, value) for one in values)


def ordered(run: Run, values: Any, key: Value = None, reverse: Value = False) -> list[Value]:
    """The entries, the smallest first, as ``sorted`` orders them."""
    found = list(run.entries(values))
    keys = [run.call(key, [item]) for item in found] if key is not None else found
    if any(isinstance(item, Uniform) for item in keys):
        raise NotComputed("an order of uniform draws")

    def order(one: int, other: int) -> int:
        if run.truth(compare(run, "<", keys[one], keys[other])):
            return -1
        return 1 if run.truth(compare(run, "<", keys[other], keys[one])) else 0

    if isinstance(plain(reverse), bool | int) and not isinstance(reverse, bool | int):
        raise NotComputed("a number of an array says an order")
    if not isinstance(reverse, int):
        raise TypeError("reverse must be an integer")
    places = sorted(range(len(found)), key=cmp_to_key(order), reverse=bool(reverse))
    return [found[place] for place in places]


def exact(number: Value) -> Value:
    """The number, if it is known well enough to be rounded."""
    if isinstance(number, float) and math.isfinite(number):
        nearest = round(number * 2) / 2
        if abs(number - nearest) < 1e-9:
            raise NotComputed("rounding of a number that isn't known exactly")
    return number
