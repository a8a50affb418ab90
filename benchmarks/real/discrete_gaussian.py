"""Exact samplers after IBM's discrete Gaussian repository, written anew, and a count with their noise."""

import random
from fractions import Fraction


def sample_uniform(m, rng):
    assert isinstance(m, int)
    assert m > 0
    return rng.randrange(m)


def sample_bernoulli(p, rng):
    assert isinstance(p, Fraction)
    assert 0 <= p <= 1
    m = sample_uniform(p.denominator, rng)
    if m < p.numerator:
        return 1
    else:
        return 0


def sample_bernoulli_exp1(x, rng):
    assert isinstance(x, Fraction)
    assert 0 <= x <= 1
    k = 1
    while True:
        if sample_bernoulli(x / k, rng) == 1:
            k = k + 1
        else:
            break
    return k % 2


def sample_bernoulli_exp(x, rng):
    assert isinstance(x, Fraction)
    assert x >= 0
    while x > 1:
        if sample_bernoulli_exp1(Fraction(1, 1), rng) == 1:
            x = x - 1
        else:
            return 0
    return sample_bernoulli_exp1(x, rng)


def sample_geometric_exp_slow(x, rng):
    assert isinstance(x, Fraction)
    assert x >= 0
    k = 0
    while True:
        if sample_bernoulli_exp(x, rng) == 1:
            k = k + 1
        else:
            return k


def sample_geometric_exp_fast(x, rng):
    assert isinstance(x, Fraction)
    if x == 0:
        return 0
    assert x > 0
    t = x.denominator
    while True:
        u = sample_uniform(t, rng)
        b = sample_bernoulli_exp(Fraction(u, t), rng)
        if b == 1:
            break
    v = sample_geometric_exp_slow(Fraction(1, 1), rng)
    value = v * t + u
    return value // x.numerator


def sample_dlaplace(scale, rng=None):
    if rng is None:
        rng = random.SystemRandom()
    scale = Fraction(scale)
    assert scale >= 0
    while True:
        sign = sample_bernoulli(Fraction(1, 2), rng)
        magnitude = sample_geometric_exp_fast(1 / scale, rng)
        if sign == 1 and magnitude == 0:
            continue
        return magnitude * (1 - 2 * sign)


def noisy_count(count, scale):
    return count + sample_dlaplace(scale)
