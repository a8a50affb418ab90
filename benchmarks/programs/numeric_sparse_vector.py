"""Sparse vector that answers the queries above the threshold with fresh noisy values."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def numeric_svt(q: list[int], t: int, c: int, eps: float) -> list[int | None]:
    """For each query None, or a fresh noisy value; stops after c values.

    Albarghouthi & Hsu 2018: a third of the budget each for threshold, comparisons and values.
    """
    threshold = laplace(t, scale=3 / eps)
    count = 0
    out: list[int | None] = []
    for i in range(len(q)):
        answer = laplace(q[i], scale=6 * c / eps)
        if answer >= threshold:
            out.append(laplace(q[i], scale=3 * c / eps))
            count += 1
            if count == c:
                break
        else:
            out.append(None)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def numeric_svt_real(q: list[float], t: float, c: int, eps: float) -> list[float | None]:
    """For each real query None, or a fresh noisy value; stops after c values."""
    threshold = laplace(t, scale=3 / eps)
    count = 0
    out: list[float | None] = []
    for i in range(len(q)):
        answer = laplace(q[i], scale=6 * c / eps)
        if answer >= threshold:
            out.append(laplace(q[i], scale=3 * c / eps))
            count += 1
            if count == c:
                break
        else:
            out.append(None)
    return out
