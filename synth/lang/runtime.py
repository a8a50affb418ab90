"""What a program file imports: decorator, metrics, functions of ``math``, samplers that really sample.

``from synth.lang import *`` is the first line of a program.  The prover reads such a file and
never runs it; run by plain Python, the same file samples, exactly so with the extra ``sampling``
installed (see :mod:`synth.lang.samplers`).  Numbers of type ``int`` stand for mathematical integers,
those of type ``float`` for ideal reals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import wraps
from inspect import signature
from math import ceil, exp, floor, log, sqrt
from numbers import Integral, Real
from types import FunctionType
from typing import ParamSpec, TypeVar, cast, overload

from synth.lang import samplers
from synth.lang.definition_text import remember
from synth.lang.idealized_source import Samplers, prepare

__all__ = [
    "Callable",
    "absolute_distance",
    "add_remove_distance",
    "bernoulli",
    "ceil",
    "change_one_distance",
    "choice",
    "discrete_distance",
    "exp",
    "exponential",
    "exponential_mechanism",
    "floor",
    "gaussian",
    "hamming_distance",
    "insert_delete_distance",
    "l1_distance",
    "l2_distance",
    "laplace",
    "linf_distance",
    "log",
    "mechanism",
    "randomized_response",
    "sparse_distance",
    "sqrt",
    "uniform_int",
]

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


# --- metrics --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Metric:
    """What may differ between the two runs: ``name`` as it is called, ``bound`` by how much.

    The bound is a number or an expression over public parameters, None where any two values are
    related.
    """

    name: str
    bound: float | str | None
    monotone: bool = False
    entries: float | str | None = None


def _metric(name: str, bound: float | str, monotone: bool = False) -> Metric:
    if isinstance(bound, str):
        if not bound.strip():
            raise ValueError(f"the bound of {name} is an empty text")
    elif not _number(bound, f"the bound of {name}") >= 0:
        raise ValueError(f"the bound of {name} must not be negative, but is {_shown(bound)}")
    return Metric(name, bound, monotone)


def absolute_distance(c: float | str) -> Metric:
    """Numbers x1, x2 with abs(x1 - x2) <= c.  Raises ValueError for a negative bound."""
    return _metric("absolute_distance", c)


def linf_distance(c: float | str, monotone: bool = False) -> Metric:
    """Sequences or functions that differ by at most c everywhere; with ``monotone`` all
    differences have one sign.  Raises ValueError for a negative bound.
    """
    return _metric("linf_distance", c, monotone)


def l1_distance(c: float | str) -> Metric:
    """Sequences whose differences sum up to at most c.  Raises ValueError for a negative bound."""
    return _metric("l1_distance", c)


def l2_distance(c: float | str) -> Metric:
    """Sequences of which the squares of the differences sum up to at most c².

    Raises ValueError for a negative bound.
    """
    return _metric("l2_distance", c)


def sparse_distance(k: int | str, each: float | str) -> Metric:
    """Sequences of which at most k entries differ, each by at most ``each``.

    Raises ValueError for a negative bound.
    """
    return replace(_metric("sparse_distance", each), entries=_metric("sparse_distance", k).bound)


def change_one_distance(c: float | str | None = None) -> Metric:
    """Sequences that differ in at most one entry, by at most c; without c, in any way.

    Raises ValueError for a negative bound.
    """
    return Metric("change_one_distance", None) if c is None else _metric("change_one_distance", c)


def add_remove_distance(k: int | str = 1) -> Metric:
    """Lists of which one results from the other by at most k insertions and deletions of records.

    Raises ValueError for a negative bound.
    """
    return _metric("add_remove_distance", k)


def insert_delete_distance(k: int | str = 1) -> Metric:
    """Return what ``add_remove_distance`` does, which OpenDP calls so.

    Raises ValueError for a negative bound.
    """
    return _metric("insert_delete_distance", k)


def hamming_distance(k: int | str = 1) -> Metric:
    """Lists of one length of which at most k records differ, in any way.

    Raises ValueError for a negative bound.
    """
    return _metric("hamming_distance", k)


def discrete_distance() -> Metric:
    """Any two values."""
    return Metric("discrete_distance", None)


# --- mechanisms -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Claim:
    """What the decorator of a mechanism says; strings are expressions over public parameters."""

    adjacent: Mapping[str, Metric] = field(default_factory=dict)
    requires: str = "True"
    epsilon: str | float | None = None
    delta: str | float = 0
    facts: Sequence[str] = ()
    ghosts: Mapping[str, object] = field(default_factory=dict)
    gdp: str | float | None = None
    zcdp: str | float | None = None


def mechanism(
    *,
    adjacent: Mapping[str, Metric] | None = None,
    requires: str = "True",
    epsilon: str | float | None = None,
    delta: str | float = 0,
    gdp: str | float | None = None,
    zcdp: str | float | None = None,
    facts: Sequence[str] = (),
    ghosts: Mapping[str, object] | None = None,
) -> Callable[[Callable[_Parameters, _Result]], Callable[_Parameters, _Result]]:
    """Declare a mechanism: which parameters are private, what is claimed, and what is assumed of functions.

    Claimed is ``epsilon`` (in nats), maybe with ``delta``; or ``gdp``, the μ of Gaussian differential
    privacy; or ``zcdp``, the ρ of zero-concentrated differential privacy.
    The result is the function, with the claim as its attribute ``claim``; calling it samples.
    Before its first call, sums with a draw are moved into the centre of the draw, which only the
    source can tell from sums with a variable that holds one; otherwise a float would be added to
    integer noise, and keep its fraction.  A centre that the prover takes for real becomes a float,
    whatever Python made of the data (see :mod:`synth.lang.idealized_source`).

    Raises ValueError if ``adjacent`` names something that is no parameter, or no metric for it.
    """
    claim = Claim(dict(adjacent or {}), requires, epsilon, delta, tuple(facts), dict(ghosts or {}), gdp, zcdp)

    def decorate(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
        _check(function, claim)
        remember(cast(FunctionType, function))

        @wraps(function)
        def run(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
            prepare(cast(FunctionType, function), _SAMPLERS)
            return function(*args, **kwargs)

        vars(run)["claim"] = claim
        return run

    return decorate


def _check(function: Callable[..., object], claim: Claim) -> None:
    parameters = signature(function).parameters
    for names, metric in claim.adjacent.items():
        for name in names.split(","):
            if name.strip() not in parameters:
                raise ValueError(f"adjacent names {name.strip()!r}, which is no parameter")
        if not isinstance(metric, Metric):
            raise ValueError(f"adjacent gives {metric!r} for {names!r}, which is no metric")


# --- samplers -------------------------------------------------------------------------------


@overload
def laplace(center: int, scale: float) -> int: ...
@overload
def laplace(center: float, scale: float) -> float: ...
@overload
def laplace(center: list[int], scale: float) -> list[int]: ...
@overload
def laplace(center: list[float], scale: float) -> list[float]: ...
def laplace(center: float | list[int] | list[float], scale: float) -> float | list[int] | list[float]:
    """Laplace noise around the centre: Pr[v] proportional to exp(-abs(v - center) / scale).

    An integer centre gives an integer (the discrete law), a float a float, and a list a list, with
    independent noise on each entry.  Raises ValueError unless the scale is positive and both are finite.
    """
    width = _positive(scale, "the scale of laplace")

    def one(entry: float) -> float:
        if isinstance(entry, Integral):
            return int(entry) + samplers.integer_laplace(width)
        return samplers.real_laplace(_center(entry, "laplace"), _width(width, "laplace"))

    return _around(center, one)


@overload
def exponential(center: int, scale: float) -> int: ...
@overload
def exponential(center: float, scale: float) -> float: ...
@overload
def exponential(center: list[int], scale: float) -> list[int]: ...
@overload
def exponential(center: list[float], scale: float) -> list[float]: ...
def exponential(center: float | list[int] | list[float], scale: float) -> float | list[int] | list[float]:
    """One-sided Laplace noise: Pr[v] proportional to exp(-(v - center) / scale) for v >= center.

    An integer centre gives an integer, a float a float, and a list a list, with independent noise on
    each entry.  Raises ValueError unless the scale is positive and both are finite.
    """
    width = _positive(scale, "the scale of exponential")

    def one(entry: float) -> float:
        if isinstance(entry, Integral):
            return int(entry) + samplers.integer_exponential(width)
        return samplers.real_exponential(_center(entry, "exponential"), _width(width, "exponential"))

    return _around(center, one)


@overload
def gaussian(center: int, sigma: float) -> int: ...
@overload
def gaussian(center: float, sigma: float) -> float: ...
@overload
def gaussian(center: list[int], sigma: float) -> list[int]: ...
@overload
def gaussian(center: list[float], sigma: float) -> list[float]: ...
def gaussian(center: float | list[int] | list[float], sigma: float) -> float | list[int] | list[float]:
    """Normal noise around the centre: Pr[v] proportional to exp(-(v - center)**2 / (2 sigma**2)).

    An integer centre gives an integer (the discrete law), a float a float, and a list a list, with
    independent noise on each entry.  Raises ValueError unless sigma is positive and both are finite.
    """
    width = _positive(sigma, "the sigma of gaussian")

    def one(entry: float) -> float:
        if isinstance(entry, Integral):
            return int(entry) + samplers.integer_gaussian(width)
        return samplers.real_gaussian(_center(entry, "gaussian"), _width(width, "gaussian"))

    return _around(center, one)


def bernoulli(p: float) -> bool:
    """True with probability p.  Raises ValueError unless 0 <= p <= 1."""
    probability = _number(p, "the probability of bernoulli")
    if not 0 <= probability <= 1:
        raise ValueError(f"the probability of bernoulli must be between 0 and 1, but is {_shown(p)}")
    return samplers.coin(probability)


def randomized_response(bit: bool, epsilon: float) -> bool:
    """The bit with probability e^epsilon / (1 + e^epsilon), else its negation.

    Raises ValueError unless epsilon is finite and not negative.
    """
    rate = _number(epsilon, "the epsilon of randomized_response")
    if rate < 0:
        raise ValueError(f"the epsilon of randomized_response must not be negative, but is {_shown(rate)}")
    return bool(bit) ^ bool(samplers.weighted_index((rate, Fraction(0))))


def uniform_int(lo: int, hi: int) -> int:
    """Uniform on lo..hi, both included.  Raises ValueError if there is no such integer."""
    low, high = _integer(lo, "lo of uniform_int"), _integer(hi, "hi of uniform_int")
    if low > high:
        raise ValueError(f"uniform_int has nothing to draw from: {_shown(low)} is above {_shown(high)}")
    return samplers.uniform(low, high)


def choice(n: int, log_weight: Callable[[int], float]) -> int:
    """Index r in 0..n-1 with probability proportional to exp(log_weight(r)).

    Raises ValueError if n is not positive or a weight not finite.
    """
    count = _integer(n, "the number of candidates")
    if count < 1:
        raise ValueError(f"there must be a candidate to choose, but n is {_shown(count)}")
    weights = [_number(log_weight(index), f"the log weight of {index}") for index in range(count)]
    return samplers.weighted_index(weights)


def exponential_mechanism(n: int, score: Callable[[int], float], epsilon: float, sensitivity: float) -> int:
    """Index r in 0..n-1 with probability proportional to exp(epsilon*score(r)/(2*sensitivity)).

    Raises ValueError unless n, epsilon and sensitivity are positive and all scores finite.
    """
    rate = _positive(epsilon, "the epsilon of exponential_mechanism")
    rate /= 2 * _positive(sensitivity, "the sensitivity of exponential_mechanism")

    def log_weight(index: int) -> Fraction:
        return rate * _number(score(index), f"the score of {index}")

    return choice(n, cast(Callable[[int], float], log_weight))


_SAMPLERS = Samplers(
    every=frozenset(
        {
            laplace,
            exponential,
            gaussian,
            bernoulli,
            randomized_response,
            uniform_int,
            choice,
            exponential_mechanism,
        }
    ),
    centred=frozenset({laplace, exponential, gaussian}),
    symmetric=frozenset({laplace, gaussian}),
)


# --- arguments ------------------------------------------------------------------------------


def _number(value: float, what: str) -> Fraction:
    """A number, exactly.  Raises ValueError if it is none, or not finite."""
    if isinstance(value, Integral):
        return Fraction(int(value))
    if isinstance(value, Fraction):
        return value
    if not isinstance(value, Real) or not math.isfinite(value):
        raise ValueError(f"{what} must be a finite number, but is {_shown(value)}")
    return Fraction(float(value))


def _positive(value: float, what: str) -> Fraction:
    number = _number(value, what)
    if number <= 0:
        raise ValueError(f"{what} must be positive, but is {_shown(value)}")
    return number


def _integer(value: int, what: str) -> int:
    if not isinstance(value, Integral):
        raise ValueError(f"{what} must be an integer, but is {_shown(value)}")
    return int(value)


def _around(
    center: float | list[int] | list[float], one: Callable[[float], float]
) -> float | list[int] | list[float]:
    """The draw around a number, or those around the entries of a list or array."""
    if isinstance(center, Iterable):
        return cast(list[float], [one(entry) for entry in center])
    return one(center)


def _center(center: float, what: str) -> float:
    """Raises ValueError if no float is as large."""
    return _rounded(_number(center, f"the centre of {what}"), f"the centre of {what}")


def _width(width: Fraction, what: str) -> float:
    """Raises ValueError if no float is as large, or so small."""
    rounded = _rounded(width, f"the scale of {what}")
    if not rounded:
        raise ValueError(f"the scale of {what} is so small that its float is 0")
    return rounded


def _rounded(number: Fraction, what: str) -> float:
    try:
        return float(number)
    except OverflowError:
        raise ValueError(f"{what} is larger than any float") from None


def _shown(value: object) -> str:
    try:
        return repr(value)
    except ValueError:  # Python writes no integers of more than 4,300 digits
        return "a number of thousands of digits"
