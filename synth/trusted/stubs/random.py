"""random: the module, Random and SystemRandom."""

import synth.lang as lang
from numpy import ndarray
from random._drawn import _drawn_from
from synth.stubs import floating, generator, in_place, shown
from synth.stubs import uniform as unit

Random = SystemRandom = generator()  # their methods are the functions of this file


@floating
def gauss(mu: float = 0.0, sigma: float = 1.0) -> float:
    """draws from the normal law"""
    return lang.gaussian(mu, sigma)


@floating
def normalvariate(mu: float = 0.0, sigma: float = 1.0) -> float:
    """draws from the normal law"""
    return lang.gaussian(mu, sigma)


@floating
def expovariate(lambd: float) -> float:
    """draws from the exponential law"""
    shown(lambd > 0)
    return lang.exponential(0.0, 1 / lambd)


@floating
def random():
    """draws uniformly from 0 to 1"""
    return unit()


@floating
def uniform(a, b):
    """draws uniformly from a range"""
    return a + (b - a) * unit()


def randint(a: int, b: int) -> int:
    """draws each integer of a range with the same chance"""
    return lang.uniform_int(a, b)


def randrange(start: int, stop: int | None = None) -> int:
    """draws each integer below the end with the same chance"""
    if stop is None:
        return lang.uniform_int(0, start - 1)
    return lang.uniform_int(start, stop - 1)


def getrandbits(k: int, /) -> int:
    """draws each integer of that many bits with the same chance"""
    return lang.uniform_int(0, 2**k - 1)


def choice(seq):
    """draws each entry with the same chance"""
    return seq[lang.uniform_int(0, len(seq) - 1)]


def choices(population, weights=None, *, k: int = 1):
    """draws entries with chances in proportion to their weights"""
    return [population[_index(len(population), weights)]] if k == 1 else _several(population, weights, k)


def sample(population, k: int):
    """draws so many entries without replacement, each order of them with the same chance"""
    shown(not isinstance(population, (dict, ndarray)))
    return _drawn_from(list(population), k)


@in_place
def shuffle(x):
    """puts the entries into each order with the same chance"""
    return _drawn_from(x, len(x))


def _several(population, weights, k: int):
    drawn = []
    for _ in range(k):
        drawn.append(population[_index(len(population), weights)])
    return drawn


def _index(n: int, weights):
    if weights is None:
        return lang.uniform_int(0, n - 1)
    shown(len(weights) == n)
    for weight in weights:
        shown(weight > 0)
    return lang.choice(n, lambda r: lang.log(weights[r]))
