"""Answers divided by as much as they may move: then two inputs are at most 1 apart, and noise is as for counts.

Above threshold: the bar goes up by 1 for eps/2, and the answer above it by 1, so by at most 2 against its centre, for
eps/2. Noisy max: the winner goes up by 1, so by at most 2 against its centre, for eps. One answer: it keeps its value for
eps, and so does the bar for nothing.
"""

import numpy as np

from synth.lang import *


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0 and B > 0", epsilon="eps")
def first_heavy_sum(x: list[float], cuts: list[float], t: float, B: float, eps: float) -> int:
    """Above threshold over sums of clipped records, which all move the same way: 3*eps/4.

    Where run 2's are larger, the bar goes up by 1 for eps/2, and the answer above it for eps/4 at most; where they are
    smaller, only the answer above the bar keeps its value, for eps/4.
    """
    bar = laplace(t, 2 / eps)
    i = 0
    for c in cuts:
        total = 0.0
        for v in x:
            if v <= c:
                total += min(max(v, 0.0), B)
        if laplace(total / B, 4 / eps) >= bar:
            return i
        i += 1
    return -1


@mechanism(adjacent={"q": linf_distance("d")}, requires="eps > 0 and d > 0", epsilon="eps")
def first_above_in_units(q: list[float], t: float, d: float, eps: float) -> int:
    """A while loop, the noise apart from the answer, and another name for what it is divided by."""
    i = 0
    found = -1
    limit = t / d + laplace(0.0, 2 / eps)
    while i < len(q) and found < 0:
        share = q[i] / d
        if share + laplace(0.0, 4 / eps) > limit:
            found = i
        i += 1
    return found


@mechanism(adjacent={"q": linf_distance("B")}, requires="eps > 0 and B > 0", epsilon="eps")
def largest_in_units(q: list[float], B: float, eps: float) -> int:
    """Noisy max in one pass."""
    best, top = -1, 0.0
    for i in range(len(q)):
        y = laplace(q[i] / B, 2 / eps)
        if best < 0 or y > top:
            best, top = i, y
    return best


@mechanism(adjacent={"q": linf_distance("B")}, requires="eps > 0 and B > 0 and len(q) >= 1", epsilon="eps")
def largest_by_numpy(q: list[float], B: float, eps: float) -> int:
    """The same as arrays have it."""
    return int(np.argmax(np.array(q) / B + np.random.laplace(0, 2 / eps, size=len(q))))


@mechanism(adjacent={"x": absolute_distance("B")}, requires="eps > 0 and B > 0", epsilon="eps")
def above_a_noisy_bar(x: float, t: float, B: float, eps: float) -> bool:
    """One answer, beside a bar that nobody needs to hide."""
    bar = laplace(t, 1 / eps)
    return laplace(x / B, 1 / eps) > bar
