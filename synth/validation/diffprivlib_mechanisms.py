"""Mechanisms and tools of diffprivlib, by what its manual says of them.

Source: Diffprivlib's documentation, ``diffprivlib.mechanisms`` and ``diffprivlib.tools``; Dwork and Roth 2014
for the scale of the Gaussian mechanism; Holohan, Leith and Mason 2015 for that of the Laplace mechanism with
``delta``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from synth.validation import arrays, laws
from synth.validation.runs import Run
from synth.validation.values import (
    Array,
    Instance,
    LibraryObject,
    Namespace,
    Native,
    NotComputed,
    NumpyNumber,
    Uniform,
    Unknown,
    Value,
    is_number,
    plain,
    raised,
)


def of_mechanisms() -> dict[str, Value]:
    """The classes of ``diffprivlib.mechanisms``."""
    return laws.natives(
        {
            "Laplace": _laplace,
            "LaplaceTruncated": _laplace_truncated,
            "Geometric": _geometric,
            "GeometricTruncated": _geometric_truncated,
            "Gaussian": _gaussian,
            "Exponential": _exponential,
        }
    )


def of_tools() -> dict[str, Value]:
    """The functions of ``diffprivlib.tools``."""
    return laws.natives({"mean": _mean, "count_nonzero": _count_nonzero})


def _made(name: str, randomise: Callable[..., Value]) -> Value:
    member = Native("randomise", randomise, is_library=True)
    return LibraryObject(f"diffprivlib.mechanisms.{name}", {"randomise": member})


# --- what they are given ------------------------------------------------------------------------


def _real(value: Value) -> Any:
    """A number that ``numbers.Real`` takes.  Raises Raised, NotComputed."""
    if isinstance(value, Uniform | Unknown | Instance):
        raise NotComputed("a number that is unknown")
    if not is_number(value) or (isinstance(value, NumpyNumber) and isinstance(value.value, bool)):
        raise raised(TypeError, "must be a number")
    return plain(value)


def _integer(value: Value) -> int:
    """A number that ``numbers.Integral`` takes.  Raises Raised, NotComputed."""
    number = _real(value)
    if not isinstance(number, int):
        raise raised(TypeError, "must be an integer")
    return int(number)


def _checked(epsilon: Value, delta: Value, random_state: Value) -> tuple[Any, Any]:
    """The privacy parameters of a mechanism.  Raises Raised, NotComputed."""
    if not (random_state is None or isinstance(random_state, Namespace)):
        raise NotComputed("a source of draws")
    found = _real(epsilon), _real(delta)
    if found[0] < 0 or not 0 <= found[1] <= 1 or sum(found) == 0:
        raise raised(ValueError, "epsilon and delta")
    return found


def _sensitivity(value: Any) -> Any:
    """A sensitivity by which noise is scaled.  Raises Raised, NotComputed."""
    if value < 0:
        raise raised(ValueError, "sensitivity must be non-negative")
    if value == 0:
        raise NotComputed("no noise")
    return value


def _quotient(one: Any, other: Any) -> Any:
    return one / other if isinstance(one, float) or isinstance(other, float) else Fraction(one) / other


def _between(value: Value, lower: Value, upper: Value) -> Value:
    """The value, or the end that it lies beyond, as that was given."""
    if plain(value) > plain(upper):
        return upper
    return lower if plain(value) < plain(lower) else value


# --- mechanisms ---------------------------------------------------------------------------------


def _laplace(
    run: Run, *, epsilon: Value, delta: Value = 0, sensitivity: Value, random_state: Value = None
) -> Value:
    """Noise of scale ``sensitivity / (epsilon - log(1 - delta))``."""
    rate, slack = _checked(epsilon, delta, random_state)
    if slack == 1:
        raise NotComputed("no noise")
    width = _quotient(_sensitivity(_real(sensitivity)), rate - arrays.logarithm(1 - slack))

    def randomise(run: Run, value: Value) -> Value:
        return NumpyNumber(laws.noisy(run, "laplace", _real(value), width, real=True))

    return _made("Laplace", randomise)


def _laplace_truncated(run: Run, *, lower: Value, upper: Value, **given: Value) -> Value:
    """What is outside of the bounds is moved onto them."""
    if _real(lower) > _real(upper):
        raise raised(ValueError, "lower bound")
    inner = _laplace(run, **given)

    def randomise(run: Run, value: Value) -> Value:
        return _between(run.call(inner.members["randomise"], [value]), lower, upper)

    return _made("LaplaceTruncated", randomise)


def _geometric(run: Run, *, epsilon: Value, sensitivity: Value = 1, random_state: Value = None) -> Value:
    """``exp(-epsilon |k| / sensitivity)`` is in proportion to the chance of k."""
    rate, _ = _checked(epsilon, 0, random_state)
    width = _quotient(_sensitivity(_integer(sensitivity)), rate)

    def randomise(run: Run, value: Value) -> Value:
        return laws.noisy(run, "laplace", _integer(value), width, real=False)

    return _made("Geometric", randomise)


def _geometric_truncated(run: Run, *, lower: Value, upper: Value, **given: Value) -> Value:
    """What is outside of the bounds is moved onto them."""
    first, last = _integer(lower), _integer(upper)
    if first > last:
        raise raised(ValueError, "lower bound")
    inner = _geometric(run, **given)

    def randomise(run: Run, value: Value) -> Value:
        return _between(run.call(inner.members["randomise"], [value]), first, last)

    return _made("GeometricTruncated", randomise)


def _gaussian(
    run: Run, *, epsilon: Value, delta: Value, sensitivity: Value, random_state: Value = None
) -> Value:
    """The standard deviation is ``sqrt(2 log(1.25 / delta)) sensitivity / epsilon``."""
    rate, slack = _checked(epsilon, delta, random_state)
    if rate == 0 or slack == 0 or rate > 1:
        raise raised(ValueError, "epsilon and delta")
    root = math.sqrt(2 * math.log(Fraction(5, 4) / slack))
    width = root * float(_sensitivity(_real(sensitivity))) / float(rate)

    def randomise(run: Run, value: Value) -> Value:
        return NumpyNumber(laws.noisy(run, "gaussian", _real(value), width, real=True))

    return _made("Gaussian", randomise)


def _exponential(
    run: Run,
    *,
    epsilon: Value,
    sensitivity: Value,
    utility: Value,
    monotonic: Value = False,
    candidates: Value = None,
    measure: Value = None,
    random_state: Value = None,
) -> Value:
    """Chances go with ``exp(epsilon u / (2 sensitivity))``, without the 2 if monotonic, times a measure."""
    rate, _ = _checked(epsilon, 0, random_state)
    if not isinstance(utility, list) or not (candidates is None or isinstance(candidates, list)):
        raise raised(TypeError, "must be a list")
    if not (measure is None or isinstance(measure, list)):
        raise raised(TypeError, "must be a list")
    if not utility:
        raise raised(ValueError, "utility must not be empty")
    if any(item is not None and len(item) != len(utility) for item in (candidates, measure)):
        raise raised(ValueError, "lists of unlike lengths")
    scores = [float(_real(item)) for item in utility]
    halves = 1 if run.truth(monotonic) else 2
    factor = float(rate) / float(_sensitivity(_real(sensitivity))) / halves
    masses = [1.0] * len(scores) if measure is None else [float(_real(item)) for item in measure]
    best = max(scores)
    weights = [mass * math.exp(factor * (score - best)) for score, mass in zip(scores, masses, strict=True)]

    def randomise(run: Run, value: Value = None) -> Value:
        place = laws.index(run, weights)
        return candidates[place] if candidates else NumpyNumber(place)

    return _made("Exponential", randomise)


# --- tools --------------------------------------------------------------------------------------


def _mean(
    run: Run, array: Value, epsilon: Value = 1, bounds: Value = None, *, random_state: Value = None
) -> Value:
    """The mean of the entries within bounds, with noise, and within these bounds."""
    if bounds is None:
        raise NotComputed("bounds that are those of data")
    if not isinstance(bounds, tuple):
        raise raised(TypeError, "bounds must be a tuple")
    lower, upper = bounds
    entries = arrays.FUNCTIONS["clip"](run, _vector(run, array), lower, upper)
    width = Fraction(_real(upper)) - Fraction(_real(lower))
    noise = _laplace_truncated(
        run,
        lower=lower,
        upper=upper,
        epsilon=epsilon,
        sensitivity=width / len(entries.entries),
        random_state=random_state,
    )
    return run.call(noise.members["randomise"], [arrays.FUNCTIONS["mean"](run, entries)])


def _count_nonzero(run: Run, array: Value, epsilon: Value = 1, *, random_state: Value = None) -> Value:
    """How many entries are not 0, with noise, and within what is possible."""
    entries = _vector(run, array)
    noise = _geometric_truncated(
        run, lower=0, upper=len(entries.entries), epsilon=epsilon, random_state=random_state
    )
    return run.call(noise.members["randomise"], [arrays.FUNCTIONS["count_nonzero"](run, entries)])


def _vector(run: Run, value: Value) -> Array:
    """The entries in one row.  Raises NotComputed."""
    found = arrays.as_array(run, value)
    if not found.entries or any(isinstance(item, Array) for item in found.entries):
        raise NotComputed("an empty array, or one of several dimensions")
    return found
