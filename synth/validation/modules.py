"""What the modules have that programs import, as far as it is known here."""

from __future__ import annotations

import ast
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from importlib import import_module
from itertools import accumulate, chain, combinations, pairwise, product, repeat, zip_longest
from typing import Any

from synth.validation import (
    arrays,
    classes,
    diffprivlib_mechanisms,
    numpy_samplers,
    opendp_chains,
    samplers,
    scipy_laws,
    searches,
    uniforms,
)
from synth.validation.builtin_functions import BUILTINS
from synth.validation.items import DefaultDict, get, index, key
from synth.validation.operators import binary, compare, exact, ordered, unary
from synth.validation.runs import Run
from synth.validation.values import (
    Array,
    Instance,
    NamedTupleType,
    Namespace,
    Native,
    NotComputed,
    NumpyNumber,
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


def shown(module: Namespace) -> dict[str, Value]:
    """What a star takes of a module."""
    if module.name not in sys.stdlib_module_names:
        return dict(module.members)
    real = import_module(module.name)
    names = getattr(real, "__all__", [name for name in vars(real) if not name.startswith("_")])
    return {name: member(module.name, name) for name in names}


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
    if isinstance(value, Uniform | Array | Instance):
        raise NotComputed("a function of a uniform draw, an array or an object")
    if not is_number(value):
        raise TypeError("must be a number")
    return plain(value)


def _of_number(function: Callable[[Any], Any]) -> Callable[..., Value]:
    return lambda run, x, /: function(_number(x))


def _floor(run: Run, x: Value, /) -> Value:
    if isinstance(x, Uniform):
        return uniforms.floor_of(x, run.draw)
    return math.floor(exact(_number(x)))


def _trunc(run: Run, x: Value, /) -> Value:
    if isinstance(x, NumpyNumber) and isinstance(x.value, int):
        raise TypeError("numpy's integers have no __trunc__")
    return int(exact(_number(x)))


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
                "trunc": _trunc,
                "fabs": _of_number(lambda x: abs(x) if isinstance(x, float) else Fraction(abs(x))),
                "log1p": _of_number(lambda x: arrays.logarithm(1 + x)),
                "expm1": _of_number(lambda x: arrays.exponential(x) - 1),
                "log": _log,
                "pow": lambda run, x, y, /: binary(run, "**", Fraction(_number(x)), Fraction(_number(y))),
                "fsum": lambda run, seq, /: sum(
                    (Fraction(_number(item)) for item in run.entries(seq)), Fraction(0)
                ),
                "isqrt": _of_number(math.isqrt),
                "prod": _product,
            }
        ),
        "inf": math.inf,
        "pi": math.pi,
        "e": math.e,
    }


def _product(run: Run, iterable: Value, /, *, start: Value = 1) -> Value:
    total = start
    for item in run.each(run.entries(iterable)):
        total = binary(run, "*", total, item)
    return total


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


def _shown(run: Run, *_: Value, **__: Value) -> None:
    """What only shows something."""


def _logging() -> dict[str, Value]:
    names = ("debug", "info", "warning", "warn", "error", "exception", "critical", "log")
    levels: dict[str, Value] = dict.fromkeys(names, Native("log", _shown, is_library=True))
    made = Native("getLogger", lambda run, name=None: Namespace("logging.Logger", levels), is_library=True)
    return {**levels, "getLogger": made}


def _warnings() -> dict[str, Value]:
    return {"warn": Native("warn", _shown, is_library=True)}


def _random() -> dict[str, Value]:
    found = samplers.of_random()
    made = Native("Random", lambda run, *_: samplers.source("random.Random", found))
    return {**found, "Random": made, "SystemRandom": made}


def _numpy_random() -> dict[str, Value]:
    found = numpy_samplers.of_numpy()
    made = Native("Generator", lambda run, *_, **__: samplers.source("numpy.random.Generator", found))
    makers = ("default_rng", "RandomState", "Generator", "PCG64", "MT19937", "Philox")
    return {**found, **dict.fromkeys(makers, made)}


def _numpy() -> dict[str, Value]:
    return {
        **_natives({**arrays.FUNCTIONS, "searchsorted": searches.searchsorted}),
        "linalg": _numpy_linalg(),
        "random": Namespace("numpy.random", _numpy_random()),
        "inf": math.inf,
        "pi": math.pi,
        "newaxis": Unknown("numpy.newaxis"),
    }


def _numpy_linalg() -> Namespace:
    return Namespace("numpy.linalg", _natives({"norm": arrays.norm}))


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
            "pairwise": lambda run, iterable, /: pairwise(run.entries(iterable)),
            "repeat": lambda run, object, times: repeat(object, index(times)),
            "zip_longest": lambda run, *rows, fillvalue=None: zip_longest(
                *(run.entries(item) for item in rows), fillvalue=fillvalue
            ),
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

    orders = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}

    def of(symbol: str) -> Callable[..., Value]:
        return lambda run, a, b, /: binary(run, symbol, a, b)

    def compared(symbol: str) -> Callable[..., Value]:
        return lambda run, a, b, /: compare(run, symbol, a, b)

    return _natives(
        {
            **{name: of(symbol) for name, symbol in symbols.items()},
            **{name: compared(symbol) for name, symbol in orders.items()},
            "neg": lambda run, a, /: unary(run, ast.USub(), a),
            "itemgetter": by_place,
        }
    )


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

    def median(run: Run, data: Value) -> Value:
        values = ordered(run, data)
        if not values:
            raise ValueError("no median for empty data")
        middle = len(values) // 2
        if len(values) % 2:
            return values[middle]
        return binary(run, "/", binary(run, "+", values[middle - 1], values[middle]), 2)

    def edge(before: int) -> Callable[..., Value]:
        def found(run: Run, data: Value) -> Value:
            values = ordered(run, data)
            if not values:
                raise ValueError("no median for empty data")
            return values[(len(values) - before) // 2]

        return found

    def exact_mean(run: Run, data: Value) -> Value:
        rows = list(run.entries(data))
        if any(isinstance(item, NumpyNumber | bool) for item in rows):
            raise NotComputed("a mean of other numbers")
        found = mean(run, rows)
        whole = all(isinstance(item, int) for item in rows)
        return int(found) if whole and found == int(found) else found

    return _natives(
        {"fmean": mean, "mean": exact_mean, "median": median, "median_low": edge(1), "median_high": edge(0)}
    )


def _bisect() -> dict[str, Value]:
    return _natives(
        {
            "bisect": searches.bisect_right,
            "bisect_left": searches.bisect_left,
            "bisect_right": searches.bisect_right,
        }
    )


_MAKERS: dict[str, Callable[[], dict[str, Value]]] = {
    "__future__": dict,
    "bisect": _bisect,
    "collections": _collections,
    "dataclasses": _dataclasses,
    "diffprivlib": lambda: {name: module(f"diffprivlib.{name}") for name in ("mechanisms", "tools")},
    "diffprivlib.mechanisms": diffprivlib_mechanisms.of_mechanisms,
    "diffprivlib.tools": diffprivlib_mechanisms.of_tools,
    "enum": _enum,
    "functools": _functools,
    "itertools": _itertools,
    "logging": _logging,
    "math": _math,
    "numpy": _numpy,
    "numpy.linalg": lambda: dict(_numpy_linalg().members),
    "numpy.random": _numpy_random,
    "opendp": lambda: {"prelude": module("opendp.prelude")},
    "opendp.prelude": opendp_chains.of_prelude,
    "operator": _operator,
    "random": _random,
    "scipy": lambda: {"stats": module("scipy.stats")},
    "scipy.stats": scipy_laws.of_stats,
    "secrets": lambda: samplers.of_secrets(),
    "statistics": _statistics,
    "synth.lang": _language,
    "typing": _typing,
    "warnings": _warnings,
}
