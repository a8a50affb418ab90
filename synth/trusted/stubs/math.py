"""math: what is no primitive of the reader."""

import synth.lang as lang

from synth.stubs import cosine


def pow(x, y, /):
    """is a power, as a real"""
    return float(x) ** y


def cos(x, /):
    """is a cosine"""
    return cosine(x)


def fabs(x, /):
    """is a magnitude, as a real"""
    return float(abs(x))


def trunc(x, /):
    """cuts to an integer"""
    return int(x)


def log1p(x, /):
    """is the logarithm of 1 + x"""
    return lang.log(1 + x)


def expm1(x, /):
    """is exp(x) - 1"""
    return lang.exp(x) - 1


def fsum(seq, /):
    """adds up, as a real"""
    total = 0.0
    for item in seq:
        total += item
    return total


def prod(iterable, /, *, start=1):
    """multiplies"""
    total = start
    for item in iterable:
        total *= item
    return total
