"""The mechanisms of StatDP (Ding et al. 2018): lists of reals, returned as there, in part by a statistic."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def noisy_max_v1a(q: list[float], eps: float) -> int:
    """The index of the largest answer after Laplace noise."""
    winner = 0
    best = 0.0
    for i in range(len(q)):
        noisy = q[i] + laplace(0.0, 2 / eps)
        if i == 0 or noisy > best:
            winner = i
            best = noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def noisy_max_v1b(q: list[float], eps: float) -> float:
    """The largest answer after Laplace noise."""
    best = 0.0
    for i in range(len(q)):
        noisy = q[i] + laplace(0.0, 2 / eps)
        if i == 0 or noisy > best:
            best = noisy
    return best


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def noisy_max_v2a(q: list[float], eps: float) -> int:
    """The index of the largest answer after exponential noise."""
    winner = 0
    best = 0.0
    for i in range(len(q)):
        noisy = q[i] + exponential(0.0, 2 / eps)
        if i == 0 or noisy > best:
            winner = i
            best = noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def noisy_max_v2b(q: list[float], eps: float) -> float:
    """The largest answer after exponential noise."""
    best = 0.0
    for i in range(len(q)):
        noisy = q[i] + exponential(0.0, 2 / eps)
        if i == 0 or noisy > best:
            best = noisy
    return best


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps")
def histogram(q: list[float], eps: float) -> float:
    """Noise on each cell; the first is released."""
    noisy = [x + laplace(0.0, 1 / eps) for x in q]
    return noisy[0]


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps")
def histogram_eps(q: list[float], eps: float) -> float:
    """The scale is eps in the place of 1 / eps."""
    noisy = [x + laplace(0.0, eps) for x in q]
    return noisy[0]


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def svt(q: list[float], n: int, t: float, eps: float) -> int:
    """How many queries were below the threshold before n were above."""
    threshold = t + laplace(0.0, 2 / eps)
    below = 0
    above = 0
    for x in q:
        if x + laplace(0.0, 4 * n / eps) >= threshold:
            above += 1
            if above >= n:
                break
        else:
            below += 1
    return below


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def isvt1(q: list[float], n: int, t: float, eps: float) -> int:
    """No noise on the queries; how many answers differ from yes for the first half and no for the rest."""
    threshold = t + laplace(0.0, 2 / eps)
    distance = 0
    for i in range(len(q)):
        if (q[i] >= threshold) != (i < len(q) // 2):
            distance += 1
    return distance


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def isvt2(q: list[float], n: int, t: float, eps: float) -> int:
    """Noise that doesn't grow with n, and no limit on the answers above."""
    threshold = t + laplace(0.0, 2 / eps)
    distance = 0
    for i in range(len(q)):
        if (q[i] + laplace(0.0, 2 / eps) >= threshold) != (i < len(q) // 2):
            distance += 1
    return distance


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def isvt3(q: list[float], n: int, t: float, eps: float) -> int:
    """Noise on the queries that doesn't grow with n; answers that are not given count as different."""
    threshold = t + laplace(0.0, 4 / eps)
    agreed = 0
    above = 0
    for i in range(len(q)):
        if q[i] + laplace(0.0, 4 / (3 * eps)) > threshold:
            if i < len(q) // 2:
                agreed += 1
            above += 1
            if above >= n:
                break
        elif i >= len(q) // 2:
            agreed += 1
    return len(q) - agreed


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0 and len(q) > 0", epsilon="eps")
def isvt4(q: list[float], n: int, t: float, eps: float) -> tuple[int, float | None]:
    """How many queries were below, and the last answer: a noisy query, or None for no."""
    threshold = t + laplace(0.0, 2 / eps)
    below = 0
    above = 0
    last = None
    for x in q:
        noisy = x + laplace(0.0, 2 * n / eps)
        if noisy > threshold:
            last = noisy
            above += 1
            if above >= n:
                break
        else:
            last = None
            below += 1
    return below, last
