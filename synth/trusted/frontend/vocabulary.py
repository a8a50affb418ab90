"""The names a program may use: what each import brings, and what is built in."""

from __future__ import annotations

import builtins
import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum


class Role(Enum):
    """What a name stands for."""

    DISTRIBUTION = "distribution"
    METRIC = "metric"
    DECORATOR = "decorator"
    FUNCTION = "function"
    MODULE = "module"
    TYPE = "type"
    STUB = "function of a stub"
    STUB_CLASS = "class of a stub"
    MARK = "decorator of a stub"
    GENERATOR = "type of sources of draws"
    SOURCE = "source of draws"
    CLASS_TOOL = "class tool"
    OWN = "what another file of the user defines"
    OWN_CLASS = "class of another file of the user"
    OWN_MODULE = "another file of the user"
    INFINITY = "infinity"
    NUMBER = "the base of the natural logarithm"
    SHOWING = "function that shows something"
    LOGGER = "logger"
    PI = "pi"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True)
class Known:
    """A name with its role; ``name`` is what it is called where it is defined.

    Of a source of draws that is the module which has its methods, and ``kind`` is its class; what makes one
    ``takes`` sources of these kinds, "None", and its argument by a name that ends with "=".
    """

    role: Role
    name: str
    kind: str = field(default="", compare=False)
    takes: tuple[str, ...] = field(default=(), compare=False)


NOISES = {
    "laplace": ("center", "scale"),
    "exponential": ("center", "scale"),
    "gaussian": ("center", "sigma"),
}
"""Noise around a centre, with the names of the arguments."""

CHOICES = {
    "bernoulli": ("p",),
    "randomized_response": ("bit", "epsilon"),
    "uniform_int": ("lo", "hi"),
    "choice": ("n", "log_weight"),
    "exponential_mechanism": ("n", "score", "epsilon", "sensitivity"),
}
"""Distributions on finitely many values, with the names of the arguments."""

FUNCTIONS_OF_AN_INDEX = ("choice", "exponential_mechanism", "by_index")
"""Distributions that take a function of the index, which may be a lambda."""

FUNCTIONS_WITH_KEYS = ("max", "min", "sorted")
"""Functions of Python that take a function of an entry."""

METRICS = (
    "absolute_distance",
    "linf_distance",
    "l1_distance",
    "l2_distance",
    "sparse_distance",
    "change_one_distance",
    "hamming_distance",
    "add_remove_distance",
    "insert_delete_distance",
    "discrete_distance",
)
MATH_FUNCTIONS = ("exp", "log", "sqrt", "floor", "ceil")
BUILTIN_FUNCTIONS = (
    "len",
    "abs",
    "min",
    "max",
    "round",
    "int",
    "float",
    "bool",
    "range",
    "enumerate",
    "zip",
    "reversed",
    "list",
    "isinstance",
    "str",
)
CLASS_TOOLS = {
    "dataclasses": ("dataclass", "field"),
    "collections": ("namedtuple", "Counter", "defaultdict"),
    "abc": ("ABC", "ABCMeta", "abstractmethod"),
    "enum": ("Enum", "auto", "unique"),
}
"""What modules have of which classes are made."""

TYPES_OF_VALUES = {
    "numbers": ("Number", "Complex", "Real", "Rational", "Integral"),
    "numpy": ("generic", "number", "integer", "floating", "bool_", "ndarray"),
}
"""What modules have of types that values are tested for."""

OTHERS = ("functools", "logging", "numbers", "warnings")
"""Other modules of which the reader knows some names."""

LOGGER = Known(Role.LOGGER, "logger")
"""A logger of the module."""

ALIAS = Known(Role.TYPE, "alias of a type")
"""Another name of a type, which the module gives it."""

LEVELS = ("debug", "info", "warning", "warn", "error", "exception", "critical", "log")
"""Functions of ``logging`` that write to a log, which loggers have as methods."""

WARN = "warnings.warn"
"""What shows a text once, or each time."""

TRACEBACK = "logging.exception"
"""What shows where an exception comes from."""

SHOWING = {"print", WARN, *(f"logging.{level}" for level in LEVELS)}
"""Functions that only show their arguments to somebody."""

TYPING_MODULES = ("typing", "collections.abc", "__future__")
ARRAY_TYPES = ("numpy.ndarray", "numpy.typing.NDArray")
MATH = "math"
LANGUAGE = "synth.lang"
STUBS = "synth.stubs"
SHOWN = "shown"
SOUGHT = "sought"
GENERATOR = "generator"
SOURCE = "source"
UNIFORM = "uniform"
SIGN = "sign"
COSINE = "cosine"
DRAWS, FLOATING, ENTRYWISE, LEAVING, IN_PLACE = "draws", "floating", "entrywise", "leaving", "in_place"
HAVING = {"legacy": ("module", "RandomState"), "modern": ("Generator",), "method": ()}
"""The kinds of sources that alone have a function with such a mark; methods of arrays are nobody's."""
MARKS = (DRAWS, FLOATING, ENTRYWISE, LEAVING, IN_PLACE, *HAVING)
"""What stubs say of their functions: ``size`` and lists are theirs as well; they compute in floats; they are
functions of numbers, and of arrays entry by entry; they are decorators that leave a function what it is; they
put what they give into their argument; some sources lack them."""
MAKER = "function"
"""What makes a source and is no type takes that, too."""
BITS = "bits"
"""The kind of sources of bits, which have no method that draws."""
ARRAY_PRIMITIVES = (
    "by_index",
    "unset_entry",
    "to_array",
    "as_array",
    "one_row",
    "as_numbers",
    "to_list",
    "to_type",
    "shares",
    "sums_to_one",
    "gumbel_noise",
    "uniform_noise",
    "is_gumbel",
    "log_weights",
)
"""What stubs make arrays with."""
TYPED, PLAIN, UNTRIED = "typed", "plain", "untried"


def builtin_names() -> dict[str, Known]:
    """The names that need no import."""
    names = {name: Known(Role.FUNCTION, name) for name in BUILTIN_FUNCTIONS}
    return {**names, "print": Known(Role.SHOWING, "print")}


def language_names() -> dict[str, Known]:
    """What ``from synth.lang import *`` brings; the functions of ``math`` are among it."""
    distributions = (*NOISES, *CHOICES)
    names = {name: Known(Role.DISTRIBUTION, name) for name in distributions}
    names |= {name: Known(Role.METRIC, name) for name in METRICS}
    names |= {name: Known(Role.FUNCTION, name) for name in MATH_FUNCTIONS}
    names["mechanism"] = Known(Role.DECORATOR, "mechanism")
    names["Callable"] = Known(Role.TYPE, "Callable")
    return names


def tools() -> dict[str, Known]:
    """What modules have that the reader knows: tools for functions, and for messages."""
    return {
        "functools.partial": Known(Role.FUNCTION, "functools.partial"),
        "logging.getLogger": Known(Role.LOGGER, "logging.getLogger"),
        **{name: Known(Role.SHOWING, name) for name in SHOWING if "." in name},
    }


def stub_names() -> dict[str, Known]:
    """What stubs import from ``synth.stubs``."""
    names = {name: Known(Role.MARK, name) for name in MARKS}
    names[SOURCE] = Known(Role.TYPE, SOURCE)
    names |= {
        name: Known(Role.FUNCTION, name)
        for name in (
            SHOWN,
            SOUGHT,
            GENERATOR,
            UNIFORM,
            SIGN,
            COSINE,
            TYPED,
            PLAIN,
            UNTRIED,
            *ARRAY_PRIMITIVES,
        )
    }
    return names


def is_of_synth(known: Known) -> bool:
    """Whether a name of a stub is one that synth has, and not the library."""
    roles = (Role.DISTRIBUTION, Role.METRIC, Role.DECORATOR)
    return known.role in roles or known in stub_names().values() or known.name == LANGUAGE


def math_name(name: str) -> Known:
    """What a name of the module ``math`` stands for."""
    if name in MATH_FUNCTIONS or name == "copysign":
        return Known(Role.FUNCTION, name)
    if name == "e":
        return Known(Role.NUMBER, name)
    if name == "inf":
        return Known(Role.INFINITY, name)
    if name == "pi":
        return Known(Role.PI, name)
    return Known(Role.UNSUPPORTED, f"math.{name}")


def is_python_builtin(name: str) -> bool:
    """Whether plain Python knows the name without import."""
    return hasattr(builtins, name)


def suggestion(name: str, candidates: Iterable[str]) -> str:
    """``; did you mean 'x'?`` where a candidate is close, else nothing."""
    close = difflib.get_close_matches(name, list(candidates), n=1, cutoff=0.6)
    return f"; did you mean '{close[0]}'?" if close else ""
