"""numpy.random: the module, Generator and RandomState."""

import synth.lang as lang

from random._drawn import _drawn_from
from synth.stubs import (
    as_array,
    draws,
    floating,
    generator,
    gumbel_noise,
    in_place,
    legacy,
    modern,
    shares,
    shown,
    sums_to_one,
    uniform_noise,
)
from synth.stubs import uniform as unit

# their kind, and what they are made of; their methods are the functions of this file
default_rng = generator("Generator", "function", "None", "seed=", "bits", "Generator")
Generator = generator("Generator", "bits")
RandomState = generator("RandomState", "None", "seed=", "bits")
PCG64 = PCG64DXSM = MT19937 = Philox = SFC64 = generator("bits", "None", "seed=")


@floating
@draws
def laplace(loc: float = 0.0, scale: float = 1.0) -> float:
    """draws from the Laplace law"""
    return lang.laplace(loc, scale)


@floating
def gumbel(loc: float = 0.0, scale: float = 1.0, size=None):
    """draws from the Gumbel law"""
    shown(scale > 0)
    return gumbel_noise(loc, scale, size)


@floating
@draws
def normal(loc: float = 0.0, scale: float = 1.0) -> float:
    """draws from the normal law"""
    return lang.gaussian(loc, scale)


@floating
@draws
def standard_normal() -> float:
    """draws from the normal law"""
    return lang.gaussian(0.0, 1.0)


@legacy
@floating
def randn(d0: int | None = None, /):
    """draws from the normal law"""
    return standard_normal(size=d0)


@floating
@draws
def exponential(scale: float = 1.0) -> float:
    """draws from the exponential law"""
    return lang.exponential(0.0, scale)


@floating
@draws
def standard_exponential() -> float:
    """draws from the exponential law"""
    return lang.exponential(0.0, 1.0)


@floating
@draws
def geometric(p: float) -> int:
    """draws from the geometric law on the positive integers"""
    return lang.exponential(1, -1 / lang.log(1 - p))


@legacy
@draws
def randint(low: int, high: int | None = None) -> int:
    """draws each integer below the end with the same chance"""
    if high is None:
        return lang.uniform_int(0, low - 1)
    return lang.uniform_int(low, high - 1)


@modern
@draws
def integers(low: int, high: int | None = None, size=None, dtype=None, endpoint: bool = False) -> int:
    """draws each integer below the end with the same chance"""
    shown(dtype is None)
    if high is None:
        return lang.uniform_int(0, low if endpoint else low - 1)
    return lang.uniform_int(low, high if endpoint else high - 1)


@floating
def random(size=None):
    """draws uniformly from 0 to 1"""
    return unit() if size is None else uniform_noise(size)


@legacy
@floating
def random_sample(size=None):
    """draws uniformly from 0 to 1"""
    return unit() if size is None else uniform_noise(size)


@legacy
@floating
def rand(d0: int | None = None, /):
    """draws uniformly from 0 to 1"""
    return unit() if d0 is None else uniform_noise(d0)


@floating
def uniform(low=0.0, high=1.0, size=None):
    """draws uniformly from a range; several draws are from 0 to 1"""
    shown(size is None or (low == 0 and high == 1))
    shown(low <= high)
    return low + (high - low) * unit() if size is None else uniform_noise(size)


@draws
def binomial(n: int, p: float) -> int:
    """draws 1 with chance p, else 0, for n = 1"""
    shown(n == 1)
    return 1 if lang.bernoulli(p) else 0


def choice(a, size=None, replace: bool = True, p=None):
    """draws each index with its chance"""
    return _one_of(a, p, size=size) if replace or size is None else _different(a, p, size)


@draws
def _one_of(a, p):
    if isinstance(a, int):
        return _index(a, p)
    return a[_index(len(a), p)]


def _different(a, p, size: int):
    shown(p is None)
    return as_array(_drawn_from(a, size))


def permutation(x):
    """draws each order of the entries with the same chance"""
    return as_array(_drawn_from(x, x if isinstance(x, int) else len(x)))


@in_place
def shuffle(x):
    """puts the entries into each order with the same chance"""
    return _drawn_from(x, len(x))


def _index(n: int, p):
    if p is None:
        return lang.uniform_int(0, n - 1)
    shown(len(p) == n)
    weights = shares(p)
    if not sums_to_one(p):
        total = 0
        for chance in p:
            shown(chance > 0)
            total += chance
        shown(abs(total - 1) <= 1e-08)  # otherwise it raises; the chances are divided by their sum
    return lang.choice(n, lambda r: lang.log(weights[r]))
