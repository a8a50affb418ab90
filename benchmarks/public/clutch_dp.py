"""The programs that Clutch-DP proves private in Rocq: integer Laplace noise."""

from math import exp, log

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def above_threshold(q: list[int], t: int, eps: float) -> list[bool]:
    """Answers queries until the first one above the threshold."""
    threshold = laplace(t, 2 / eps)
    out = []
    for x in q:
        found = threshold <= laplace(x, 4 / eps)
        out.append(found)
        if found:
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="n*eps")
def sparse_vector(q: list[int], t: int, n: int, eps: float) -> list[bool]:
    """Answers queries until n are above; each of them starts above_threshold anew."""
    threshold = laplace(t, 2 / eps)
    left = n
    out = []
    for x in q:
        if left > 0:
            found = threshold <= laplace(x, 4 / eps)
            out.append(found)
            if found:
                left -= 1
                if left > 0:
                    threshold = laplace(t, 2 / eps)
    return out


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0", epsilon="3*eps")
def auto_avg(bounds: list[int], x: list[int], eps: float) -> tuple[int, int]:
    """The mean of what is clipped to a bound, which above_threshold finds; the quotient is post-processing."""
    threshold = laplace(0, 2 / eps)
    bound = 0
    for b in bounds:
        if bound == 0 and b > 0:
            lost = 0
            for v in x:
                lost += min(max(0, v), b) - min(max(0, v), b + 1)
            if threshold <= laplace(lost, 4 / eps):
                bound = b
    if bound == 0:
        return 0, laplace(len(x), 1 / eps)
    total = 0
    for v in x:
        total += min(max(0, v), bound)
    return laplace(total, bound / eps), laplace(len(x), 1 / eps)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def report_noisy_max(q: Callable[[int], int], n: int, eps: float) -> int:
    """The index of the largest noisy answer."""
    winner = 0
    best = 0
    for i in range(n):
        noisy = laplace(q(i), 2 / eps)
        if i == 0 or noisy > best:
            winner = i
            best = noisy
    return winner


@mechanism(
    adjacent={"count": linf_distance(1)},
    requires="coarse > 0 and precise > 0 and budget >= 0",
    epsilon="budget",
)
def privacy_filter(
    count: Callable[[int], int], n: int, t: int, coarse: float, precise: float, budget: float
) -> list[int | None]:
    """A noisy count for each predicate, and a better one where it is large, as long as the budget lasts."""
    left = budget
    out = []
    for i in range(n):
        if left < coarse:
            out.append(None)
        else:
            left -= coarse
            noisy = laplace(count(i), 1 / coarse)
            out.append(noisy)
            if t < noisy and left >= precise:
                left -= precise
                out.append(laplace(count(i), 1 / precise))
            else:
                out.append(None)
    return out


@mechanism(adjacent={"x": add_remove_distance()}, epsilon="2")
def adaptive_count(x: list[int]) -> list[int]:
    """Two coarse counts, and precise ones where they are large and the budget of 20 tenths lasts."""
    left = 20
    counts = []
    young = 0
    for v in x:
        if v < 30:
            young += 1
    coarse = laplace(young, 10 / 2)
    left -= 2
    counts.append(coarse)
    if coarse > 5:
        counts.append(laplace(young, 10 / 10))
        left -= 10
    younger = 0
    for v in x:
        if v < 32:
            younger += 1
    coarse = laplace(younger, 10 / 2)
    left -= 2
    counts.append(coarse)
    if coarse > 5 and left >= 10:
        counts.append(laplace(younger, 10 / 10))
        left -= 10
    return counts


@mechanism(adjacent={"count": linf_distance(1)}, requires="eps > 0", epsilon="len(asked)*eps")
def exact_cache(count: Callable[[int], int], asked: list[int], eps: float) -> list[int]:
    """Answers queries with noise; one that was asked before gets its answer of then."""
    keys = []
    values = []
    out = []
    for q in asked:
        known = False
        value = 0
        for j in range(len(keys)):
            if keys[j] == q:
                known = True
                value = values[j]
        if not known:
            value = laplace(count(q), 1 / eps)
            keys.append(q)
            values.append(value)
        out.append(value)
    return out


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0", epsilon="eps")
def subsampling(x: list[int], eps: float) -> int:
    """A count of records that were each kept with probability 1/2, with less noise than 1 / eps."""
    kept = 0
    for _ in x:
        if bernoulli(1 / 2):
            kept += 1
    return laplace(kept, 1 / log(2 * exp(eps) - 1))
