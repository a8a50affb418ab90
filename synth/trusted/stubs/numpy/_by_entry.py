"""Functions of numbers, which numpy applies to arrays entry by entry."""

import math

from synth.stubs import cosine, entrywise, to_type


@entrywise
def exp(x, /):
    """is the exponential of each entry"""
    return math.exp(x)


@entrywise
def log(x, /):
    """is the logarithm of each entry"""
    return math.log(x)


@entrywise
def log1p(x, /):
    """is the logarithm of 1 more than each entry"""
    return math.log(1 + x)


@entrywise
def log2(x, /):
    """is the logarithm of each entry to the base 2"""
    return math.log(x) / math.log(2)


@entrywise
def log10(x, /):
    """is the logarithm of each entry to the base 10"""
    return math.log(x) / math.log(10)


@entrywise
def expm1(x, /):
    """is 1 less than the exponential of each entry"""
    return math.exp(x) - 1


@entrywise
def cos(x, /):
    """is the cosine of each entry"""
    return cosine(x)


@entrywise
def sqrt(x, /):
    """is the square root of each entry"""
    return math.sqrt(x)


@entrywise
def square(x, /):
    """is the square of each entry"""
    return x * x


@entrywise
def absolute(x, /):
    """is the absolute value of each entry"""
    return abs(x)


@entrywise
def negative(x, /):
    """is each entry with the other sign"""
    return -x


@entrywise
def floor(x: float, /) -> float:
    """is the largest integer that is not above each entry"""
    return float(math.floor(x))


@entrywise
def ceil(x: float, /) -> float:
    """is the smallest integer that is not below each entry"""
    return float(math.ceil(x))


@entrywise
def rint(x, /) -> float:
    """is the integer next to each entry, or the even one of two"""
    return float(round(x))


@entrywise
def trunc(x: float, /) -> float:
    """is each entry, cut to an integer"""
    return float(int(x))


@entrywise
def sign(x, /):
    """is 1, 0 or -1, the sign of each entry"""
    return to_type(1 if x > 0 else -1 if x < 0 else 0, x)


@entrywise
def clip(a, a_min: None, a_max: None):
    """cuts each entry to an interval, of which one end may be left out"""
    return max(a, a_min) if a_max is None else min(a, a_max) if a_min is None else min(max(a, a_min), a_max)


@entrywise
def maximum(x1, x2, /):
    """is the larger of two entries"""
    return max(x1, x2)


@entrywise
def minimum(x1, x2, /):
    """is the smaller of two entries"""
    return min(x1, x2)


@entrywise
def where(condition: object, x: object, y: object, /):
    """takes each entry from one of two arrays"""
    return x if condition else y


@entrywise
def add(x1, x2, /):
    """adds entries"""
    return x1 + x2


@entrywise
def subtract(x1, x2, /):
    """subtracts entries"""
    return x1 - x2


@entrywise
def multiply(x1, x2, /):
    """multiplies entries"""
    return x1 * x2


@entrywise
def divide(x1, x2, /):
    """divides entries"""
    return x1 / x2


@entrywise
def logical_and(x1: object, x2: object, /):
    """says whether both entries are true"""
    return bool(x1) and bool(x2)


@entrywise
def logical_xor(x1: object, x2: object, /):
    """says whether just one of two entries is true"""
    return bool(x1) != bool(x2)


@entrywise
def logical_or(x1: object, x2: object, /):
    """says whether one of two entries is true"""
    return bool(x1) or bool(x2)


@entrywise
def logical_not(x: object, /):
    """says whether each entry is false"""
    return not x


@entrywise
def isnan(x, /) -> bool:
    """is False: numbers are finite"""
    return False


@entrywise
def isinf(x, /) -> bool:
    """is False: numbers are finite"""
    return False


@entrywise
def isposinf(x, /) -> bool:
    """is False: numbers are finite"""
    return False


@entrywise
def isneginf(x, /) -> bool:
    """is False: numbers are finite"""
    return False


@entrywise
def isclose(a, b, rtol: float = 1e-05, atol: float = 1e-08):
    """says whether two entries are about the same"""
    return abs(a - b) <= atol + rtol * abs(b)


@entrywise
def isfinite(x, /) -> bool:
    """is True: numbers are finite"""
    return True


@entrywise
def nan_to_num(x):
    """changes nothing: numbers are finite"""
    return x
