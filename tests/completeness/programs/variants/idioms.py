"""Idioms of Python that mean the same: draws in conditions, steps, asserts, defaults, composition."""

import math

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_draw_in_while(q: list[int], t: int, eps: float) -> int:
    """The draw is part of the loop's condition."""
    threshold = laplace(t, scale=2 / eps)
    i = 0
    while i < len(q) and laplace(q[i], scale=4 / eps) < threshold:
        i += 1
    return i


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_draw_behind_and(q: list[int], t: int, eps: float) -> int:
    """The draw stands behind an `and`, and is only made while nothing was found."""
    threshold = laplace(t, scale=2 / eps)
    result = -1
    for i, x in enumerate(q):
        if result == -1 and laplace(x, scale=4 / eps) >= threshold:
            result = i
    return result


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_range_backwards(q: list[int], t: int, eps: float) -> int:
    """A range with step -1."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(len(q) - 1, -1, -1):
        if laplace(q[i], scale=4 / eps) >= threshold:
            return i
    return -1


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_range_step(q: list[int], t: int, eps: float) -> int:
    """Only every second query is asked."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(0, len(q), 2):
        if laplace(q[i], scale=4 / eps) >= threshold:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def max_assert(q: list[int], eps: float) -> int:
    """An assert on a public fact in place of a precondition."""
    assert len(q) > 0, "no candidates"
    best = laplace(q[0], scale=2 / eps)
    winner = 0
    for i in range(1, len(q)):
        noisy = laplace(q[i], scale=2 / eps)
        if noisy > best:
            best, winner = noisy, i
    return winner


def add_noise(value, epsilon, sensitivity=1):
    """Laplace noise for a sensitivity, 1 by default."""
    return laplace(value, scale=sensitivity / epsilon)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_default_argument(q: list[int], t: int, eps: float) -> int:
    """A helper with a default and with keyword arguments."""
    half = eps / 2
    threshold = add_noise(t, half)
    for i in range(len(q)):
        if add_noise(value=q[i], epsilon=half, sensitivity=2) >= threshold:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def first_above(q: list[int], t: int, eps: float) -> int:
    """Above threshold, called by the next one too."""
    threshold = add_noise(t, eps / 2)
    for i in range(len(q)):
        if add_noise(q[i], eps / 2, 2) >= threshold:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def fresh_by_composition(q: list[int], t: int, eps: float) -> tuple[int, int | None]:
    """A mechanism that calls another one, then releases the value."""
    i = first_above(q, t, eps)
    if i == len(q):
        return i, None
    return i, add_noise(q[i], eps)


def larger(a, b):
    """The pair (index, value) with the larger value; the first one when equal."""
    i, x = a
    j, y = b
    if y > x:
        return j, y
    return i, x


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0")
def max_pairs(q: list[int], eps: float) -> int:
    """A helper on pairs folds the list."""
    best = (0, laplace(q[0], scale=2 / eps))
    for i in range(1, len(q)):
        best = larger(best, (i, laplace(q[i], scale=2 / eps)))
    return best[0]


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def max_minus_infinity(q: list[int], eps: float) -> int:
    """The least value yet is a very small public number, and a flag says that it is none."""
    winner = -1
    best = -1000000000
    for i in range(len(q)):
        noisy = laplace(q[i], scale=2 / eps)
        if winner == -1 or noisy > best:
            winner = i
            best = noisy
    return winner


@mechanism(adjacent={"x": l1_distance("Delta")}, requires="eps > 0 and Delta > 0")
def vector_rounded(x: list[float], Delta: float, eps: float) -> list[int]:
    """Post-processing of each real coordinate with functions of math."""
    out = []
    for value in x:
        y = laplace(value, Delta / eps)
        if 0 <= y < 1:
            out.append(0)
        elif y >= 1:
            out.append(math.floor(math.sqrt(y)) + round(math.log(y)))
        else:
            out.append(math.ceil(y) - int(y / 2))
    return out
