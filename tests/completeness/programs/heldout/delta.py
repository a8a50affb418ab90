"""Claims with a delta: Gaussian noise in several shapes, and tails of Laplace noise given up."""

from synth.lang import *
from math import log, sqrt

@mechanism(adjacent={"count": absolute_distance(1)}, requires="eps > 0 and 0 < delta and delta < 1/2", epsilon="eps", delta="delta")
def stable_count(count: int, eps: float, delta: float) -> int:
    noisy = laplace(count, 1 / eps)
    if count > 0 and noisy > 1 + log(1 / delta) / eps:
        return noisy
    return 0

@mechanism(adjacent={"count": absolute_distance(1)}, requires="eps > 0 and 0 < delta and delta < 1/2", epsilon="eps", delta="delta")
def stable_real(count: float, eps: float, delta: float) -> float:
    noisy = laplace(count, 1 / eps)
    threshold = 1 + log(1 / (2 * delta)) / eps
    if count <= 0 or noisy <= threshold:
        return 0.0
    return noisy

@mechanism(adjacent={"counts": change_one_distance(1)}, requires="eps > 0 and 0 < delta and delta < 1/2 and len(counts) >= 1", epsilon="eps", delta="delta")
def stable_histogram(counts: list[int], eps: float, delta: float) -> list[int]:
    out = []
    for c in counts:
        v = 0
        noisy = laplace(c, 1 / eps)
        if c > 0 and noisy >= 1 + log(len(counts) / delta) / eps:
            v = noisy
        out.append(v)
    return out

@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and 0 < delta and delta < 1/2", epsilon="eps", delta="delta")
def clamped(x: int, eps: float, delta: float) -> int:
    t = 1 + log(2 / delta) / eps
    y = laplace(x, 1 / eps)
    if abs(y - x) > t:
        return 0
    return y


@mechanism(adjacent={"q": linf_distance(1)}, requires="0 < eps and eps <= 1 and 0 < delta and delta < 1 and len(q) >= 1", epsilon="eps", delta="delta")
def many(q: list[float], eps: float, delta: float) -> list[float]:
    n = len(q)
    out = []
    for x in q:
        out.append(gaussian(x, n * sqrt(2 * log(1.25 * n / delta)) / eps))
    return out



@mechanism(adjacent={"x": absolute_distance(1), "y": absolute_distance(1)}, epsilon=2, delta=1e-5)
def mixed(x: float, y: float) -> tuple[float, float]:
    a = laplace(x, 1)
    b = gaussian(y, 3.75)
    return a, b



@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=1e-5)
def post(x: float) -> bool:
    return gaussian(x, 3.75) > 2.5


@mechanism(adjacent={"q": change_one_distance(1)}, epsilon=1, delta=1e-5)
def one_of_many(q: list[float]) -> list[float]:
    out = []
    for x in q:
        out.append(gaussian(x, 3.75))
    return out


@mechanism(adjacent={"counts": linf_distance(1)}, requires="eps > 0", epsilon="eps", delta="exp(-9 * eps)")
def stable_mode(counts: list[int], eps: float) -> int:
    """Propose, test, release (Dwork & Lei 2009): the index of the largest count, if the lead is noisily large."""
    best = 0
    second = 0
    winner = 0
    for i in range(len(counts)):
        if counts[i] > best:
            second = best
            best = counts[i]
            winner = i
        elif counts[i] > second:
            second = counts[i]
    lead = laplace(best - second, 2 / eps)
    if lead > 20:
        return winner
    return -1


@mechanism(adjacent={"x": absolute_distance(1)}, requires="n >= 1", epsilon="0", delta="1/(2*n + 1)")
def uniform_noise(x: int, n: int) -> int:
    return x + uniform_int(-n, n)


@mechanism(
    adjacent={"x": absolute_distance("d")},
    requires="n >= 1 and 0 <= d and d <= n",
    epsilon="0",
    delta="d/(2*n + 1)",
)
def uniform_noise_for_a_distance(x: int, n: int, d: int) -> int:
    return x + uniform_int(-n, n)

@mechanism(adjacent={"counts": change_one_distance(1)}, requires="eps > 0 and 0 < delta and delta < 1/2", epsilon="eps", delta="delta")
def thresholded_histogram(counts: list[int], eps: float, delta: float) -> list[int]:
    out = []
    for i in range(len(counts)):
        c = max(counts[i], 0)
        noisy = laplace(c, 1 / eps)
        if c > 0 and noisy > 1 + log(1 / delta) / eps:
            out.append(noisy)
        else:
            out.append(0)
    return out
