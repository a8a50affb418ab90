"""Loops whose counter is raised in several places, before each ``continue``: they count their rounds all the same."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 1", epsilon="eps")
def noisy_max_with_continue(q: list[int], eps: float) -> int:
    best, top = 0, 0
    i = 0
    while i < len(q):
        noisy = q[i] + laplace(0, 2 / eps)
        if i > 0 and noisy <= top:
            i += 1
            continue
        best, top = i, noisy
        i += 1
    return best


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1", epsilon="eps")
def noisy_max_with_an_early_return(scores: list[float], eps: float) -> int:
    winner, most, place = -1, 0.0, 0
    end = len(scores)
    while True:
        if place >= end:
            return winner
        seen = laplace(scores[place], 2 / eps)
        if winner >= 0 and seen <= most:
            place = place + 1
            continue
        most = seen
        winner = place
        place = place + 1


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c >= 1", epsilon="eps")
def sparse_vector_with_continue(q: list[float], t: float, c: int, eps: float) -> list[bool]:
    """Below the threshold the counter is raised before something else is done."""
    bar = laplace(t, 2 / eps)
    out = []
    n = 0
    i = 0
    while i < len(q):
        if q[i] + laplace(0.0, 4 * c / eps) < bar:
            i += 1
            out.append(False)
            continue
        out.append(True)
        n += 1
        if n == c:
            break
        i += 1
    return out


@mechanism(adjacent={"pay": add_remove_distance()}, requires="eps > 0 and b > 0", epsilon="eps")
def clipped_sum_that_skips(pay: list[float], b: float, eps: float) -> float:
    """Of records that come and go."""
    s = 0.0
    i = 0
    while i < len(pay):
        v = pay[i]
        if v < 0:
            i += 1
            continue
        if v > b:
            s += b
            i += 1
            continue
        s += v
        i += 1
    return laplace(s, b / eps)


@mechanism(adjacent={"ages": add_remove_distance()}, requires="eps > 0", epsilon="eps")
def count_that_skips(ages: list[int], eps: float) -> int:
    n = 0
    k = 0
    while k < len(ages):
        if ages[k] < 18:
            k += 1
            continue
        n += 1
        k += 1
    return n + laplace(0, 1 / eps)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 1", epsilon="eps")
def noisy_max_that_skips_a_query(q: list[int], eps: float) -> int:
    """False: where the counter is raised twice in one round, queries are left out; of those that are not, the
    noise is too small for the claim."""
    best, top = 0, 0
    i = 0
    while i < len(q):
        noisy = q[i] + laplace(0, 1 / eps)
        if i > 0 and noisy <= top:
            i += 2
            continue
        best, top = i, noisy
        i += 1
    return best
