"""Between two noisy thresholds (Bun, Steinke & Ullman 2017, Algorithm 1): free as long as answers lie outside."""

from math import log

from synth.lang import *


@mechanism(
    adjacent={"q": linf_distance("1 / n")},
    requires="0 < eps and eps <= 1 and 0 < delta and delta < 1 and 0 < n"
    " and upper - lower >= (12 / (eps * n)) * (log(10 / eps) + log(1 / delta) + 1)",
    epsilon="eps",
    delta="delta",
)
def between_thresholds(
    q: list[float], lower: float, upper: float, n: int, eps: float, delta: float
) -> list[int]:
    """Averages over n people are below, above or between the thresholds; it stops at the first between."""
    mu = laplace(0.0, 2 / (eps * n))
    low = lower + mu
    high = upper - mu
    out = []
    for x in q:
        c = x + laplace(0.0, 6 / (eps * n))
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
    " and upper - lower >= (12 / eps) * (log(10 / eps) + log(1 / delta) + 1)",
    epsilon="eps",
    delta="delta",
)
def between_thresholds_discrete(q: list[int], lower: int, upper: int, eps: float, delta: float) -> list[int]:
    """Counts."""
    mu = laplace(0, 2 / eps)
    low = lower + mu
    high = upper - mu
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
