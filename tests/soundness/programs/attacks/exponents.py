"""Exponents in which a quotient is shortened, although its divisor may be 0."""

from synth.lang import *


@mechanism(
    adjacent={"b": discrete_distance()},
    requires="0 < p and p < 1/2 and n >= 0 and (n == 0 or exp(n / n) < exp(2 * n / n)) and (n == 0 or 3*p >= 1)",
    epsilon="log(2)",
)
def shortened_exponents(b: bool, n: int, p: float) -> bool:
    """exp(n/n) and exp(2*n/n) are one value at n = 0, not e and its square: then nothing would be known of p.

    True loss: log(9), for n = 0 and p = 1/10.
    """
    return bernoulli(p) != b
