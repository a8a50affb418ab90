"""Gaussian noise of which only the least sigma is stated, as in textbooks; four of these claims are wrong."""

from math import log, sqrt

from synth.lang import absolute_distance, change_one_distance, gaussian, laplace, mechanism


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="0 < eps <= 1 and 0 < delta < 1 and sigma >= sqrt(2 * log(1.25 / delta)) / eps",
    epsilon="eps",
    delta="delta",
)
def enough_sigma(x: float, sigma: float, eps: float, delta: float) -> float:
    return gaussian(x, sigma)


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="0 < e <= 1 and 0 < d < 1 and s > 0 and 2 * log(1.25 / d) / e**2 < s**2",
    epsilon="e",
    delta="d",
)
def enough_variance(x: float, s: float, e: float, d: float) -> float:
    return x + gaussian(0.0, s)


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="c > 0 and 0 < eps <= 1 and 0 < delta < 1 and c**2 > 2 * log(1.25 / delta) and eps * sigma >= c",
    epsilon="eps",
    delta="delta",
)
def with_a_constant_between(x: float, c: float, sigma: float, eps: float, delta: float) -> float:
    """Dwork & Roth 2014, Theorem A.1."""
    return gaussian(x, sigma)


@mechanism(
    adjacent={"x": change_one_distance()},
    requires="b > 0 and z >= 4 and e1 > 0",
    epsilon="1 + e1",
    delta="0.00001",
)
def multiplier_of_the_clip(x: list[float], b: float, z: float, e1: float) -> tuple[float, float]:
    """Noise is given as a multiple of what the sum is clipped to, and is at least 4 of it."""
    n = 0.0
    s = 0.0
    for v in x:
        s += min(max(v, 0), b)
        n += 1 if v > b else 0
    return laplace(n, 1 / e1), gaussian(s, z * b)


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="one >= 6 and two >= 8",
    epsilon="1",
    delta="0.00001",
)
def two_least_sigmas(x: float, one: float, two: float) -> tuple[float, float]:
    """Together as one draw with sigma 4.8."""
    return gaussian(x, one), gaussian(x, two)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="sigma >= 3", epsilon="1", delta="0.00001")
def sigma_of_three(x: float, sigma: float) -> float:
    """With 3 it is 1.2711 at the least."""
    return gaussian(x, sigma)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="0 < sigma <= 4", epsilon="1", delta="0.00001")
def at_most_instead_of_at_least(x: float, sigma: float) -> float:
    return gaussian(x, sigma)


@mechanism(
    adjacent={"x": absolute_distance(1)}, requires="sigma > 0 and -4 <= sigma", epsilon="1", delta="0.00001"
)
def square_of_a_negative_bound(x: float, sigma: float) -> float:
    return gaussian(x, sigma)


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="a > 0 and s > 0 and s >= 4 * (2 - a)",
    epsilon="1",
    delta="0.00001",
)
def bound_without_a_sign(x: float, a: float, s: float) -> float:
    """With a = 1 the bound is 4, with a = 2 nothing."""
    return gaussian(x, s)
