"""Scales that a loop carries along and multiplies; some grow too late, too slowly or not always."""

import numpy as np

from synth.lang import absolute_distance, change_one_distance, laplace, linf_distance, mechanism


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="2*eps")
def doubled_scales(x: float, n: int, eps: float) -> list[float]:
    out = []
    s = 1 / eps
    for _ in range(n):
        out.append(laplace(x, s))
        s = 2 * s
    return out


@mechanism(adjacent={"q": linf_distance("D")}, requires="eps > 0 and D > 0", epsilon="3*eps")
def scales_by_half_more(q: list[float], D: float, bar: float, eps: float) -> int:
    scale = D / eps
    i = 0
    while i < len(q):
        if np.random.laplace(q[i], scale) > bar:
            return i
        scale *= 1.5
        i += 1
    return -1


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def doubled_first(x: float, n: int, eps: float) -> list[float]:
    out = []
    s = 1 / eps
    for _ in range(n):
        s = 2 * s
        out.append(laplace(x, s))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def doubled_behind(x: float, n: int, eps: float) -> list[float]:
    out = []
    s = 1 / eps
    for _ in range(n):
        out.append(laplace(x, 2 * s))
        s = s / 0.5
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="2*eps")
def twice_a_round(x: float, n: int, eps: float) -> list[float]:
    out = []
    s = 4 / eps
    while n > 0:
        out.append(laplace(x, s))
        out.append(laplace(x, s/3))
        s = s + s
        n -= 1
    return out


@mechanism(adjacent={"x": change_one_distance(1)}, requires="eps > 0", epsilon="2*eps")
def sum_that_fades(x: list[float], eps: float) -> list[float]:
    out = []
    m = 0.0
    s = 1 / eps
    for v in x:
        m = m / 2 + v
        out.append(laplace(m, s))
        s = 2 * s
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 2", epsilon="eps")
def first_too_small(x: float, n: int, eps: float) -> list[float]:
    out = []
    s = 1 / eps
    for _ in range(n):
        out.append(laplace(x, s))
        s = 2 * s
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 2", epsilon="2*eps")
def grows_too_slowly(x: float, n: int, eps: float) -> list[float]:
    out = []
    s = 1 / eps
    for _ in range(n):
        out.append(laplace(x, s))
        s = 1.9 * s
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 2", epsilon="2*eps")
def grows_sometimes(x: float, n: int, m: int, eps: float) -> list[float]:
    out = []
    s = 1 / eps
    for i in range(n):
        out.append(laplace(x, s))
        if i < m:
            s = 2 * s
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 2", epsilon="2*eps")
def falls(x: float, n: int, eps: float) -> list[float]:
    out = []
    s = 1 / eps
    for _ in range(n):
        out.append(laplace(x, s))
        s = s / 2
    return out
