"""What the modules have that programs import, as far as it is known here."""

from __future__ import annotations

import math
import operator as python_operator
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import accumulate, chain, combinations, product
from typing import Any

from synth.validation import arrays, classes, samplers, uniforms
from synth.validation.builtin_functions import BUILTINS
from synth.validation.items import DefaultDict, get, index, key
from synth.validation.operators import binary, exact
from synth.validation.runs import Run
from synth.validation.values import (
    NamedTupleType,
    Namespace,
    Native,
    NotComputed,
    Uniform,
    Unknown,
    Value,
    is_number,
    plain,
)


@cache
def module(name: str) -> Value:
    """The module of that name; Unknown if nothing is known of it."""
    maker = _MAKERS.get(name)
    return Unknown(name) if maker is None else Namespace(name, maker())


def member(of: str, name: str) -> Value:
    """What ``from of import name`` gives."""
    if f"{of}.{name}" in _MAKERS:
        return module(f"{of}.{name}")
    found = module(of)
    if isinstance(found, Namespace):
        return found.members.get(name, Unknown(f"{of}.{name}"))
    return Unknown(f"{of}.{name}")


def _natives(functions: dict[str, Callable[..., Value]]) -> dict[str, Value]:
    return {name: Native(name, function, is_library=True) for name, function in functions.items()}


def _number(value: Value) -> Any:
    if isinstance(value, Uniform):
        raise NotComputed("a function of a uniform draw")
    if not is_number(value):
        raise TypeError("must be a number")
    return plain(value)


def _of_number(function: Callable[[Any], Any]) -> Callable[..., Value]:
    return lambda run, x, /: function(_number(x))


def _floor(run: Run, x: Value, /) -> Value:
    if isinstance(x, Uniform):
        return uniforms.floor_of(x, run.draw)
    return math.floor(exact(_number(x)))


def _log(run: Run, x: Value, base: Value = None, /) -> Value:
    found = arrays.logarithm(_number(x))
    return found if base is None else binary(run, "/", found, arrays.logarithm(_number(base)))


def _math() -> dict[str, Value]:
    return {
        **_natives(
            {
                "exp": _of_number(arrays.exponential),
                "sqrt": _of_number(lambda x: Fraction(r) if (r := arrays.square_root(x)) == 0 else r),
                "floor": _floor,
                "ceil": _of_number(lambda x: math.ceil(exact(x))),
                "trunc": _of_number(lambda x: int(exact(x))),
                "fabs": _of_number(lambda x: abs(x) if isinstance(x, float) else Fraction(abs(x))),
                "log1p": _of_number(lambda x: arrays.logarithm(1 + x)),
                "expm1": _of_number(lambda x: arrays.exponential(x) - 1),
                "log": _log,
                "pow": lambda run, x, y, /: binary(run, "**", Fraction(_number(x)), y),
                "fsum": lambda run, seq, /: sum(
                    (Fraction(_number(item)) for item in run.entries(seq)), Fraction(0)
                ),
                "isqrt": _of_number(math.isqrt),
            }
        ),
        "inf": math.inf,
        "pi": math.pi,
        "e": math.e,
    }


def _language() -> dict[str, Value]:
    of_math = _math()
    names = (
        "mechanism Callable absolute_distance add_remove_distance change_one_distance discrete_distance "
        "hamming_distance insert_delete_distance l1_distance l2_distance linf_distance sparse_distance"
    )
    return {
        **{name: Unknown(f"synth.lang.{name}") for name in names.split()},
        **{name: of_math[name] for name in ("exp", "log", "sqrt", "floor", "ceil")},
        **samplers.of_language(),
    }


def _random() -> dict[str, Value]:
    found = samplers.of_random()
    made = Native("Random", lambda run, *_: samplers.source("random.Random", found))
    return {**found, "Random": made, "SystemRandom": made}


def _numpy_random() -> dict[str, Value]:
    found = samplers.of_numpy()
    made = Native("Generator", lambda run, *_, **__: samplers.source("numpy.random.Generator", found))
    makers = ("default_rng", "RandomState", "Generator", "PCG64", "MT19937", "Philox")
    return {**found, **dict.fromkeys(makers, made)}


def _numpy() -> dict[str, Value]:
    return {
        **_natives(arrays.FUNCTIONS),
        "random": Namespace("numpy.random", _numpy_random()),
        "inf": math.inf,
        "pi": math.pi,
        "newaxis": Unknown("numpy.newaxis"),
    }


def _collections() -> dict[str, Value]:
    def counter(run: Run, iterable: Value = (), /) -> Value:
        if isinstance(iterable, dict):
            raise NotComputed("a Counter of a dict")
        return Counter(key(item) for item in run.entries(iterable))

    def default_dict(run: Run, factory: Value = None, /) -> Value:
        found = DefaultDict()
        found.factory = factory
        return found

    def named(run: Run, typename: str, field_names: Value) -> Value:
        names = field_names.replace(",", " ").split() if isinstance(field_names, str) else field_names
        return NamedTupleType(typename, tuple(names))

    return _natives({"Counter": counter, "defaultdict": default_dict, "namedtuple": named})


def _itertools() -> dict[str, Value]:
    def accumulated(run: Run, iterable: Value) -> Iterator[Value]:
        return accumulate(run.entries(iterable), lambda one, other: binary(run, "+", one, other))

    return _natives(
        {
            "chain": lambda run, *rows: chain(*(run.entries(item) for item in rows)),
            "product": lambda run, *rows: product(*(run.entries(item) for item in rows)),
            "combinations": lambda run, iterable, r: combinations(run.entries(iterable), index(r)),
            "accumulate": accumulated,
        }
    )


def _functools() -> dict[str, Value]:
    def reduce(run: Run, function: Value, sequence: Value, initial: Value = ..., /) -> Value:
        values = run.entries(sequence)
        total = next(values) if initial is ... else initial
        for item in values:
            total = run.call(function, [total, item])
        return total

    def partial(run: Run, function: Value, /, *given: Value, **named: Value) -> Value:
        return Native(
            "partial", lambda run, *more, **others: run.call(function, [*given, *more], {**named, **others})
        )

    return _natives({"reduce": reduce, "partial": partial, "wraps": lambda run, _: _SAME})


_SAME = Native("decorator", lambda run, function: function)


def _operator() -> dict[str, Value]:
    symbols = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%"}

    def by_place(run: Run, place: Value, /) -> Value:
        return Native("itemgetter", lambda run, owner: get(run, owner, place))

    def of(symbol: str) -> Callable[..., Value]:
        return lambda run, a, b, /: binary(run, symbol, a, b)

    assert all(hasattr(python_operator, name) for name in symbols)
    return _natives({**{name: of(symbol) for name, symbol in symbols.items()}, "itemgetter": by_place})


def _dataclasses() -> dict[str, Value]:
    def field(run: Run, *, default_factory: Value = None, default: Value = ..., repr: Value = True) -> Value:
        if default is not ...:
            return default
        if default_factory is None:
            raise NotComputed("a field")
        return classes.Factory(default_factory)

    return {"dataclass": Native("dataclass", classes.dataclass), **_natives({"field": field})}


def _enum() -> dict[str, Value]:
    return {"Enum": classes.EnumBase, **_natives({"auto": lambda run: classes.Auto()})}


def _typing() -> dict[str, Value]:
    return {
        "NamedTuple": classes.NamedTupleBase,
        "List": BUILTINS["list"],
        "Dict": BUILTINS["dict"],
        "Tuple": BUILTINS["tuple"],
    }


def _statistics() -> dict[str, Value]:
    def mean(run: Run, data: Value) -> Value:
        values = [Fraction(_number(item)) for item in run.entries(data)]
        if not values:
            raise ValueError("mean requires at least one data point")
        return sum(values, Fraction(0)) / len(values)

    return _natives({"fmean": mean})


_MAKERS: dict[str, Callable[[], dict[str, Value]]] = {
    "__future__": dict,
    "collections": _collections,
    "dataclasses": _dataclasses,
    "enum": _enum,
    "functools": _functools,
    "itertools": _itertools,
    "math": _math,
    "numpy": _numpy,
    "numpy.random": _numpy_random,
    "operator": _operator,
    "random": _random,
    "secrets": lambda: samplers.of_secrets(),
    "statistics": _statistics,
    "synth.lang": _language,
    "typing": _typing,
}
