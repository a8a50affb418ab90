"""Between noisy thresholds, written in other ways; what lies between them is mapped onto less."""

from math import log

from synth.lang import *


@mechanism(
    adjacent={"q": linf_distance(1)},
    requires="0 < eps and eps <= 1 and 0 < delta and delta < 1"
    " and hi - lo >= (12 / eps) * (log(10 / eps) + log(1 / delta) + 1)",
    epsilon="eps",
    delta="delta",
)
def between_first(q: list[float], lo: float, hi: float, eps: float, delta: float) -> list[int]:
    noise = laplace(0.0, scale=2 / eps)
    bottom = lo - noise
    top = hi + noise
    out = []
    i = 0
    while i < len(q):
        answer = laplace(q[i], scale=6 / eps)
        if answer >= bottom and answer <= top:
            out.append(0)
            return out
        if answer > top:
            out.append(1)
        else:
            out.append(-1)
        i += 1
    return out


@mechanism(
    adjacent={"q": linf_distance(1)},
    requires="0 < eps and eps < 1 and 0 < delta and delta < 1"
    " and t_u - t_l >= 12 * (log(10 / eps) + log(1 / delta) + 1) / eps",
    epsilon="eps",
    delta="delta",
)
def swapped(q: list[float], t_l: float, t_u: float, eps: float, delta: float) -> list[int]:
    mu = laplace(0.0, 2 / eps)
    out = []
    for a in q:
        nu = laplace(0.0, 6 / eps)
        if t_u - mu < a + nu:
            out.append(1)
        elif t_l + mu > a + nu:
            out.append(-1)
        else:
            out.append(0)
            break
    return out


@mechanism(
    adjacent={"q": linf_distance("d")},
    requires="0 < d and 0 < eps and eps <= 1 and 0 < delta and delta < 1"
    " and hi - lo >= (12 * d / eps) * (log(10 / eps) + log(1 / delta) + 1)",
    epsilon="eps",
    delta="delta",
)
def sensitivity(q: list[float], lo: float, hi: float, d: float, eps: float, delta: float) -> list[int]:
    mu = laplace(0.0, 2 * d / eps)
    low = lo + mu
    high = hi - mu
    out = []
    for x in q:
        c = laplace(x, 6 * d / eps)
        if c < low:
            out.append(-1)
        elif c > high:
            out.append(1)
        else:
            out.append(0)
            break
    return out


@mechanism(
    adjacent={"q": linf_distance(1)},
    requires="0 < eps and eps <= 1 and 0 < delta and delta < 1"
    " and hi - lo >= (12 / eps) * (log(10 / eps) + log(1 / delta) + 1)",
    epsilon="eps",
    delta="delta",
)
def two_noises(q: list[float], lo: float, hi: float, eps: float, delta: float) -> list[int]:
    low = laplace(lo, 4 / eps)
    high = laplace(hi, 4 / eps)
    out = []
    for x in q:
        c = laplace(x, 6 / eps)
        if c < low:
            out.append(-1)
        elif c > high:
            out.append(1)
        else:
            out.append(0)
            break
    return out


@mechanism(
    adjacent={"q": linf_distance(1)},
    requires="0 < eps and eps <= 1 and 0 < delta and delta < 1 and k >= 1"
    " and hi - lo >= (12 * k / eps) * (log(10 / eps) + log(1 / delta) + 1)",
    epsilon="eps",
    delta="delta",
)
def several(q: list[float], k: int, lo: float, hi: float, eps: float, delta: float) -> list[int]:
    """Up to k answers between."""
    mu = laplace(0.0, 2 / eps)
    low = lo + mu
    high = hi - mu
    out = []
    count = 0
    for x in q:
        c = laplace(x, 6 * k / eps)
        if c < low:
            out.append(-1)
        elif c > high:
            out.append(1)
        else:
            out.append(0)
            count += 1
            if count == k:
                break
    return out


@mechanism(
    adjacent={"q": linf_distance(1)},
    requires="0 < eps and eps <= 1 and 0 < delta and delta < 1"
    " and w >= (6 / eps) * (log(10 / eps) + log(1 / delta) + 1)",
    epsilon="eps",
    delta="delta",
)
def by_distance(q: list[float], mid: float, w: float, eps: float, delta: float) -> list[int]:
    """Near the middle, or not: the distance is compared with a noisy one."""
    width = w - laplace(0.0, 2 / eps)
    out = []
    for x in q:
        c = laplace(x, 6 / eps)
        if abs(c - mid) <= width:
            out.append(1)
            break
        out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, epsilon="1/2", delta="1/100000")
def numbers(q: list[float]) -> list[int]:
    mu = laplace(0.0, 4)
    out = []
    for x in q:
        c = laplace(x, 12)
        if c < 100 + mu:
            out.append(0)
        elif c > 300 - mu:
            out.append(2)
        else:
            out.append(1)
            break
    return out


@mechanism(
    adjacent={"q": linf_distance(1)},
    requires="0 < eps and eps <= 1 and 0 < delta and delta < 1"
    " and hi - lo >= (12 / eps) * (log(10 / eps) + log(1 / delta) + 1)",
    epsilon="eps",
    delta="delta",
)
def mixed(q: list[float], lo: float, hi: float, eps: float, delta: float) -> list[int]:
    mu = laplace(0, 2 / eps)
    out = []
    for x in q:
        c = x + laplace(0, 6 / eps)
        if c < lo + mu:
            out.append(-1)
        elif c > hi - mu:
            out.append(1)
        else:
            out.append(0)
            break
    return out


@mechanism(
    adjacent={"q": linf_distance(1)},
    requires="0 < eps and eps <= 1 and 0 < delta and delta < 1"
    " and hi - lo >= (12 / eps) * (log(10 / eps) + log(1 / delta) + 1)",
    epsilon="eps",
    delta="delta",
)
def index_of_first(q: list[float], lo: float, hi: float, eps: float, delta: float) -> int | None:
    """Only where: sparse vector for an interval."""
    mu = laplace(0.0, 2 / eps)
    for i in range(len(q)):
        c = laplace(q[i], 6 / eps)
        if lo + mu <= c <= hi - mu:
            return i
    return None
