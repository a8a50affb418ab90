"""Budgets that fall with what a loop counts, so that their sum is bounded however long it runs; some are wrong."""

import math
from math import log

import numpy as np

from synth.lang import absolute_distance, laplace, linf_distance, mechanism


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def halved_budgets(x: float, n: int, eps: float) -> list[float]:
    """eps/2, eps/4, …: what is left is never spent."""
    return [laplace(x, 2 ** (k + 1) / eps) for k in range(n)]


@mechanism(adjacent={"q": linf_distance("D")}, requires="eps > 0 and D > 0", epsilon="eps")
def share_of_each_round(q: list[float], D: float, eps: float) -> list[float]:
    out = []
    i = 0
    while i < len(q):
        share = eps / math.pow(2, i + 1)
        out.append(q[i] + laplace(0.0, D / share))
        i += 1
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and 0 < r < 1", epsilon="eps")
def any_ratio(x: float, n: int, r: float, eps: float) -> list[float]:
    """The geometric series (1 - r) * (1 + r + r**2 + …) is 1."""
    out = []
    for k in range(n):
        out.append(laplace(x, 1 / (eps * (1 - r) * r**k)))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def a_tenth_of_what_is_left(x: float, n: int, bar: float, eps: float) -> int:
    """It stops at the first answer above the bar."""
    for k in range(n):
        if np.random.laplace(x, 10 / (eps * 0.9**k)) > bar:
            return k
    return -1


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def telescope(x: float, n: int, eps: float) -> list[float]:
    """1/(1*2) + 1/(2*3) + … is less than 1."""
    return [laplace(x, k * (k + 1) / eps) for k in range(1, n + 1)]


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 1", epsilon="eps")
def harmonic_shares(x: float, n: int, eps: float) -> list[float]:
    out = []
    for k in range(1, n + 1):
        share = eps / (k * (1 + log(n)))
        out.append(np.random.laplace(x, 1 / share))
    return out


@mechanism(
    adjacent={"q": linf_distance("D")},
    requires="eps > 0 and D > 0 and len(q) >= 1",
    epsilon="eps*(1 + log(len(q)))",
)
def harmonic_scales(q: list[float], D: float, eps: float) -> list[float]:
    out = []
    i = 0
    while i < len(q):
        out.append(q[i] + laplace(0.0, D * (i + 1) / eps))
        i += 1
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 2", epsilon="eps")
def first_takes_all(x: float, n: int, eps: float) -> list[float]:
    return [laplace(x, 2**k / eps) for k in range(n)]


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and 0 < r < 1", epsilon="eps")
def share_of_another_ratio(x: float, n: int, r: float, eps: float) -> list[float]:
    """r * (1 + r + r**2 + …) is r/(1 - r)."""
    return [laplace(x, 1 / (eps * r * r**k)) for k in range(n)]


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 2", epsilon="eps")
def powers_that_fall(x: float, n: int, eps: float) -> list[float]:
    return [laplace(x, 2 ** (1 - k) / eps) for k in range(n)]


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 2", epsilon="eps")
def harmonic_shares_of_a_logarithm(x: float, n: int, eps: float) -> list[float]:
    """1 + 1/2 + … + 1/n is more than log(n)."""
    return [laplace(x, (k + 1) * log(n) / eps) for k in range(n)]
