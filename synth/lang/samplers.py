"""Noise that really is random: exact samplers, by OpenDP where it is installed.

Integer noise and choices are exact: rational arithmetic on bits of the operating system, no
floating point (Canonne, Kamath & Steinke 2020, "The Discrete Gaussian for Differential Privacy",
Algorithms 1 to 3).  Real noise can only be exact up to the rounding of the result, which OpenDP
does on the exact sum of centre and noise.  Without OpenDP real noise is computed in floating
point, whose low bits can tell the centre (Mironov 2012): fine to try a program, not to publish.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from random import SystemRandom
from typing import Any

_SAMPLING = (__name__, "synth.lang.runtime")
FALLBACK = "idealized sampling: pip install opendp for exact samplers"
"""What the first draw of noise says, once, when OpenDP is not installed: real noise is then
idealized; integer noise is exact all the same, but by no vetted library and not in constant time.
"""

_MAX_INTEGER = 2.0**53  # OpenDP's integers have 64 bits and saturate: far enough below
_random = SystemRandom()


# --- coins and choices ----------------------------------------------------------------------


def coin(p: Fraction) -> bool:
    """True with probability p, 0 <= p <= 1."""
    return _random.randrange(p.denominator) < p.numerator


def exponential_coin(gamma: Fraction) -> bool:
    """True with probability exp(-gamma), gamma >= 0 (Algorithm 1)."""
    while gamma > 1:
        if not exponential_coin(Fraction(1)):
            return False
        gamma -= 1
    k = 1
    while coin(gamma / k):
        k += 1
    return k % 2 == 1


def uniform(low: int, high: int) -> int:
    """Uniform on low..high, both included; low <= high."""
    return _random.randint(low, high)


def weighted_index(log_weights: Sequence[Fraction]) -> int:
    """Index r with probability proportional to exp(log_weights[r]): accept or draw again."""
    largest = max(log_weights)
    while True:
        index = _random.randrange(len(log_weights))
        if exponential_coin(largest - log_weights[index]):
            return index


# --- integer noise --------------------------------------------------------------------------


def _geometric(scale: Fraction) -> int:
    """v >= 0 with probability proportional to exp(-v / scale) (within Algorithm 2)."""
    length, step = scale.numerator, scale.denominator
    while True:
        rest = _random.randrange(length)
        if exponential_coin(Fraction(rest, length)):
            break
    periods = 0
    while exponential_coin(Fraction(1)):
        periods += 1
    return (rest + length * periods) // step


def integer_exponential(scale: Fraction) -> int:
    """v >= 0 with probability proportional to exp(-v / scale)."""
    measurement = _measurement("laplace", "i64", float(scale)) if scale < _MAX_INTEGER else None
    while measurement is not None:
        drawn = int(measurement(0))
        if drawn >= 0:
            return drawn
    return _geometric(scale)


def integer_laplace(scale: Fraction) -> int:
    """v with probability proportional to exp(-abs(v) / scale) (Algorithm 2)."""
    measurement = _measurement("laplace", "i64", float(scale)) if scale < _MAX_INTEGER else None
    if measurement is not None:
        return int(measurement(0))
    while True:
        size, negative = _geometric(scale), coin(Fraction(1, 2))
        if size or not negative:
            return -size if negative else size


def integer_gaussian(sigma: Fraction) -> int:
    """v with probability proportional to exp(-v**2 / (2 sigma**2)) (Algorithm 3)."""
    measurement = _measurement("gaussian", "i64", float(sigma)) if sigma < _MAX_INTEGER else None
    if measurement is not None:
        return int(measurement(0))
    variance, scale = sigma**2, math.floor(sigma) + 1
    while True:
        size, sign = _geometric(Fraction(scale)), _random.choice((-1, 1))
        if not size and sign < 0:
            continue
        if exponential_coin((size - variance / scale) ** 2 / (2 * variance)):
            return sign * size


# --- real noise -----------------------------------------------------------------------------


def real_laplace(center: float, scale: float) -> float:
    """The centre plus noise of density proportional to exp(-abs(x) / scale), rounded."""
    measurement = _measurement("laplace", "f64", scale)
    if measurement is not None:
        return float(measurement(center))
    return center + _random.choice((-scale, scale)) * _random.expovariate(1.0)


def real_exponential(center: float, scale: float) -> float:
    """The centre plus noise x >= 0 of density proportional to exp(-x / scale), rounded."""
    measurement = _measurement("laplace", "f64", scale)
    while measurement is not None:
        drawn = float(measurement(center))
        if drawn >= center:
            return drawn
    return center + scale * _random.expovariate(1.0)


def real_gaussian(center: float, sigma: float) -> float:
    """The centre plus noise of density proportional to exp(-x**2 / (2 sigma**2)), rounded."""
    measurement = _measurement("gaussian", "f64", sigma)
    if measurement is not None:
        return float(measurement(center))
    return center + sigma * _random.normalvariate(0.0, 1.0)


# --- OpenDP ---------------------------------------------------------------------------------


@cache
def _opendp() -> Any:
    """OpenDP's module, None if it is not installed; that is said once."""
    try:
        import opendp.prelude as opendp
    except ImportError:
        warnings.warn(FALLBACK, RuntimeWarning, stacklevel=_outside())
        return None
    # Its samplers are behind an opt-in for code that their authors have not yet all proved.
    opendp.enable_features("contrib")
    return opendp


def _outside() -> int:
    """The ``stacklevel`` of a warning, given by the caller, that is about the program that draws."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals["__name__"] in _SAMPLING:
        level, frame = level + 1, frame.f_back
    return level


@lru_cache(maxsize=256)
def _measurement(law: str, sort: str, scale: float) -> Callable[[float], float] | None:
    """Adds noise of that law and scale to a number of that sort; None without OpenDP."""
    opendp = _opendp()
    if opendp is None:
        return None
    make = getattr(opendp.m, f"make_{law}")
    nan = {"nan": False} if sort == "f64" else {}
    domain = opendp.atom_domain(T=sort, **nan)
    made: Callable[[float], float] = make(domain, opendp.absolute_distance(T=sort), scale=scale)
    return made
