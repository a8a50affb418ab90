"""Sparse vector and thresholds, each with one mistake."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance("s")}, requires="eps > 0 and s > 0 and k >= 1", epsilon="eps")
def stream_alarm(q: list[float], limit: float, s: float, k: int, eps: float) -> list[tuple[bool, float]]:
    """The value is released with the noise of the comparison."""
    bar = laplace(limit, 2 * s / eps)
    out = []
    left = k
    for v in q:
        if left > 0:
            y = laplace(v, 4 * k * s / eps)
            if y >= bar:
                out.append((True, y))
                left -= 1
            else:
                out.append((False, 0.0))
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c >= 1", epsilon="eps")
def svt_noise_without_count(q: list[float], t: float, c: int, eps: float) -> list[bool]:
    """The answers' noise doesn't grow with c (Lee and Clifton), on reals."""
    bar = t + laplace(0.0, 4 / eps)
    out = []
    found = 0
    for v in q:
        if v + laplace(0.0, 4 / (3 * eps)) >= bar:
            out.append(True)
            found += 1
            if found == c:
                return out
        else:
            out.append(False)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def first_above_unprotected(q: list[float], t: float, eps: float) -> int:
    """No noise on the threshold."""
    for i in range(len(q)):
        if laplace(q[i], 2 / eps) > t:
            return i
    return -1


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and k >= 1", epsilon="eps")
def answers_one_more(q: list[int], t: int, k: int, eps: float) -> list[int]:
    """Off by one: k + 1 indices are told, with noise for k."""
    bar = laplace(t, 2 / eps)
    told = []
    i = 0
    for v in q:
        if laplace(v, 4 * k / eps) >= bar and len(told) <= k:
            told.append(i)
        i += 1
    return told


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def above_exponential(q: list[float], t: float, eps: float) -> int:
    """One-sided noise on the answers, and on the threshold half of what it needs."""
    bar = laplace(t, 1 / eps)
    for i in range(len(q)):
        if exponential(q[i], 2 / eps) >= bar:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def svt_with_gap(q: list[int], t: int, eps: float) -> tuple[int, int]:
    """The first answer above and how far above, with the noise of an answer that is not released."""
    bar = laplace(t, 2 / eps)
    for i in range(len(q)):
        y = laplace(q[i], 2 / eps)
        if y >= bar:
            return i, y - bar
    return -1, 0


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def svt_and_count(q: list[int], t: int, eps: float) -> tuple[int, int]:
    """A noisy count of those before, counted without noise."""
    bar = laplace(t, 2 / eps)
    below = 0
    for i in range(len(q)):
        if q[i] < t:
            below += 1
        if laplace(q[i], 4 / eps) >= bar:
            return i, below
    return len(q), 0


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def both_sides(q: list[float], low: float, high: float, eps: float) -> list[int]:
    """One noisy range for all answers."""
    shift = laplace(0.0, 2 / eps)
    out = []
    for v in q:
        y = laplace(v, 4 / eps)
        if y < low + shift:
            out.append(-1)
        elif y > high + shift:
            out.append(1)
        else:
            out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def bar_noise_reused(q: list[float], t: float, eps: float) -> list[bool]:
    """One draw of noise for threshold and answers, so that it cancels."""
    z = laplace(0.0, 2 / eps)
    return [v + z >= t + z for v in q]
