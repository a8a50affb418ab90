"""Arguments of the library's functions, checked and brought into one form."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral, Rational
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias

from synth.app.asker import Asker
from synth.app.library.results import Mechanism
from synth.app.numerals import read_number
from synth.app.stated import Stated
from synth.liftings.distributions import EQUALITY, Distributions, DistributionsError, checked, probability
from synth.trusted.errors import CertificateError, UsageError

if TYPE_CHECKING:
    import sympy

Target = str | os.PathLike[str] | Mechanism | Callable[..., Any]
"""A file, ``FILE::NAME``, a mechanism that was read, or a function with the decorator ``mechanism``."""

Expression: TypeAlias = "str | int | float | Fraction | sympy.Expr"
"""A claim, or a number; a text is read like a claim in a program."""

Datum = Any
"""A value of a parameter: a number, a truth value, or a list of such."""

Mass: TypeAlias = "Fraction | int | float | str"
"""A probability."""

Number: TypeAlias = "Fraction | int | float | str"
"""An exact number."""

_MAX_WORKERS = 1024
_MAX_SHOWN_BITS = 128
"""Bits of a number that messages show; Python refuses to write very large ones."""

_MEMORY = (64, 1 << 20)


def target(given: Target, specified: bool = False) -> str:
    """``FILE|DIR[::NAME]``, as the command line has it.

    A function needs no decorator if all is ``specified`` beside it.  Raises UsageError.
    """
    match given:
        case Mechanism():
            return f"{given.file}::{given.name}"
        case str():
            return given
        case os.PathLike():
            return path(given, "the target")
        case _ if callable(given):
            return _of_function(given, specified)
    raise UsageError(f"the target is a path, FILE::NAME or a mechanism, not {_kind(given)}")


def _of_function(given: Callable[..., Any], specified: bool) -> str:
    """The place of a function, whose file is read anew; the function itself is not called."""
    function = _undecorated(given)
    if not isinstance(function, FunctionType):
        raise UsageError(f"the target is a function of a program file, not {_kind(given)}")
    if not specified and "claim" not in vars(given):
        raise UsageError("the target is a function without the decorator synth.lang.mechanism")
    name, file = function.__qualname__, function.__code__.co_filename
    if not name.isidentifier():
        raise UsageError(f"the target {name} is not at the top level of a file, where mechanisms are read")
    if not os.path.isfile(file):
        raise UsageError(f"the target {name} is in no file: write it to one (in a notebook with %%writefile)")
    if function.__globals__.get(name) is not given or hasattr(function, "__wrapped__"):
        raise UsageError(f"the target is not what {name} names in {file}: a proof of that says nothing of it")
    return f"{os.path.abspath(file)}::{name}"


def _undecorated(given: Callable[..., Any]) -> Callable[..., Any]:
    """The function below the decorator ``mechanism``, or a compiled one's; other wrappers may do anything."""
    runtime = sys.modules.get("synth.lang.runtime")
    own = isinstance(given, FunctionType) and given.__code__.co_filename == getattr(runtime, "__file__", None)
    compiled = type(given).__module__.partition(".")[0] == "numba"
    return given.__wrapped__ if own or compiled else given  # type: ignore[attr-defined]


def path(given: str | os.PathLike[str], what: str) -> str:
    """A path as text.  Raises UsageError."""
    text = os.fspath(given) if isinstance(given, str | os.PathLike) else given
    if not isinstance(text, str):
        raise UsageError(f"{what} is a path, not {_kind(given)}")
    return text


def paths(given: Iterable[str | os.PathLike[str]], option: str) -> tuple[Path, ...]:
    """Several files.  Raises UsageError."""
    if isinstance(given, str | os.PathLike):
        raise UsageError(f"{option} is a list of files, not one")
    return tuple(Path(path(item, f"each of {option}")) for item in given)


def claim(given: Expression | None, option: str) -> str | None:
    """What is claimed, as text that will be read like a claim in a program.  Raises UsageError."""
    match given:
        case None | str():
            return given
        case bool():
            pass
        case int() | Fraction():
            return str(given)
        case float() as number if math.isfinite(number):
            return str(number)
        case _ if "sympy" in sys.modules and isinstance(given, sys.modules["sympy"].Expr):
            return str(given)
    raise UsageError(f"{option} is a number, or an expression over public parameters, not {_kind(given)}")


def stated(
    epsilon: Expression | None,
    delta: Expression | None,
    gdp: Expression | None = None,
    zcdp: Expression | None = None,
) -> Stated:
    """What a call claims.  Raises UsageError."""
    given = {"epsilon": epsilon, "delta": delta, "gdp": gdp, "zcdp": zcdp}
    return Stated(**{name: claim(item, name) for name, item in given.items()}, asker=Asker.CALL)


def seconds(given: float, option: str = "timeout") -> float:
    """A limit of time.  Raises UsageError."""
    number = isinstance(given, int | float | Fraction) and not isinstance(given, bool)
    if not number or not 0 < given < math.inf:
        raise UsageError(f"{option} is a positive number of seconds, not {_kind(given)}")
    return float(given)


def whole(given: int | None, option: str, low: int = 1, high: int = _MAX_WORKERS) -> int | None:
    """A whole number within limits, or None.  Raises UsageError."""
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int) or not low <= given <= high:
        raise UsageError(f"{option} is a whole number from {low} to {high}, not {_kind(given)}")
    return given


def memory(given: int) -> int:
    """A limit of memory in MiB.  Raises UsageError."""
    found = whole(given, "memory", *_MEMORY)
    if found is None:
        raise UsageError("memory is a whole number of MiB, not None")
    return found


def flag(given: bool, option: str) -> bool:
    """A truth value.  Raises UsageError."""
    if not isinstance(given, bool):
        raise UsageError(f"{option} is True or False, not {_kind(given)}")
    return given


def one_of(given: str | None, option: str, choices: Iterable[str]) -> str:
    """A word among some.  Raises UsageError."""
    known = tuple(choices)
    if given not in known:
        raise UsageError(f"{option} is one of {', '.join(known)}, not {_kind(given)}")
    return given


def number(given: Number, option: str) -> Fraction:
    """An exact number: a text like 1/64 or 2^-53, or a float, which stands for the decimal number that Python
    writes.  Raises UsageError.
    """
    if isinstance(given, str):
        return read_number(given, option)
    found = _value(given, option)
    if isinstance(found, bool) or not isinstance(found, int | Fraction):
        raise UsageError(f"{option} is a number, not {_kind(given)}")
    return Fraction(found)


def text(given: str, option: str) -> str:
    """A text.  Raises UsageError."""
    if not isinstance(given, str):
        raise UsageError(f"{option} is a text, not {_kind(given)}")
    return given


def ends(given: tuple[Number, Number], option: str) -> tuple[Fraction, Fraction]:
    """Two numbers, the lower one first.  Raises UsageError."""
    match given:
        case (low, high):
            return number(low, option), number(high, option)
    raise UsageError(f"{option} is a pair of numbers, not {_kind(given)}")


# --- values of parameters -------------------------------------------------------------------


def values(given: Mapping[str, Datum], option: str) -> dict[str, object]:
    """Values by name: a float stands for the decimal number that Python writes.  Raises UsageError."""
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise UsageError(f"{option} is a mapping from names of parameters to values, not {_kind(given)}")
    return {name: _value(value, f"{option}: {name}") for name, value in given.items()}


def _value(given: Datum, place: str) -> object:
    match given:
        case bool() | int() | Fraction():
            return given
        case float() if math.isfinite(given):
            return Fraction(str(given))
        case Integral():
            return int(given)
        case Rational():
            return Fraction(int(given.numerator), int(given.denominator))
        case list() | tuple():
            return [_value(item, place) for item in given]
    if hasattr(given, "tolist"):  # an array of numpy, or a number of it
        return _value(given.tolist(), place)
    raise UsageError(f"{place} is a number, a truth value or a list of such, not {_kind(given)}")


# --- distributions --------------------------------------------------------------------------


def distributions(given: object, other: object, relation: object) -> Distributions[int]:
    """Two distributions and a relation, with numbers for the values, in order.  Raises UsageError."""
    left, right = _masses(given, "left"), _masses(other, "right")
    places = [{value: place for place, value in enumerate(side)} for side in (left, right)]
    one, two = (dict(enumerate(side.values())) for side in (left, right))
    if isinstance(relation, str) and relation == EQUALITY:
        same = tuple((place, places[1][value]) for value, place in places[0].items() if value in places[1])
        return Distributions(one, two, same, True)
    return Distributions(one, two, _pairs(relation, *places), False)


def _masses(given: object, side: str) -> dict[Any, Fraction]:
    if not isinstance(given, Mapping):
        raise UsageError(f"{side} is a mapping from values to probabilities, not {_kind(given)}")
    try:
        return checked({value: _mass(mass, f"{side}: {_kind(value)}") for value, mass in given.items()}, side)
    except DistributionsError as error:
        raise UsageError(str(error)) from None


def _mass(given: Any, place: str) -> Fraction:
    number = given if isinstance(given, str) else _value(given, place)
    return probability(number, place)  # type: ignore[arg-type]


def _pairs(
    relation: object, left: Mapping[Any, int], right: Mapping[Any, int]
) -> tuple[tuple[int, int], ...]:
    if isinstance(relation, str | Mapping) or not isinstance(relation, Iterable):
        raise UsageError(f"relation is '{EQUALITY}' or pairs of values, not {_kind(relation)}")
    found: dict[tuple[int, int], None] = {}
    for number, pair in enumerate(relation, start=1):
        try:
            match pair:
                case [one, two] if one in left and two in right:
                    found[left[one], right[two]] = None
                    continue
        except TypeError:
            pass
        raise UsageError(f"relation: pair {number}: a value of left and one of right are needed")
    return tuple(found)


# --- finite precision -----------------------------------------------------------------------


@dataclass(frozen=True)
class ImplementationArguments:
    """How a mechanism is implemented, as :class:`synth.precision.Implementation` says, and Δ if stated."""

    format: str
    range: tuple[Fraction, Fraction]
    grid: Fraction | None
    sensitivity: Fraction | None
    query_error: Fraction
    uniform_bias: Fraction | None
    noise_error: Fraction | None
    log_error: Fraction
    planar: bool


# --- documents ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Document:
    """A certificate or a witness: its text (None: that of the file), and a path for messages."""

    path: Path
    text: str | None


def document(given: str | os.PathLike[str]) -> Document:
    """A document's text, or the file that holds it.  Raises CertificateError and UsageError."""
    if isinstance(given, os.PathLike):
        return Document(Path(path(given, "the certificate")), None)
    if not isinstance(given, str):
        raise UsageError(
            f"the certificate is a document's text or the pathlib.Path of a file, not {_kind(given)}"
        )
    if "{" not in given:
        raise CertificateError("the certificate's text is no document; a file is named by a pathlib.Path")
    return Document(Path("certificate"), given)


def _kind(given: object) -> str:
    """What was given, in short."""
    if isinstance(given, int) and given.bit_length() > _MAX_SHOWN_BITS:
        return f"a number of {given.bit_length():,} bits"
    if given is None or isinstance(given, bool | int | float):
        return repr(given)[:40]
    text = repr(given) if isinstance(given, str) and len(given) <= 40 else ""
    return text or f"a value of type {type(given).__name__}"
