"""Counts in a list, noise around them in another, and reports of a hash: as textbooks write them."""

from collections.abc import Callable

from synth.lang import *


@mechanism(adjacent={"labels": change_one_distance()}, requires="eps > 0 and classes >= 1", epsilon="eps")
def votes_in_a_list(labels: list[int], classes: int, eps: float) -> int:
    """PATE (Papernot et al. 2017): all counts, noise for each, the place of the largest."""
    counts = [sum(1 for v in labels if v == c) for c in range(classes)]
    noisy = [laplace(c, 2 / eps) for c in counts]
    return noisy.index(max(noisy))


@mechanism(
    adjacent={"counts": linf_distance(1, monotone=True)}, requires="eps > 0 and len(counts) >= 1", epsilon="eps"
)
def largest_of_counts(counts: list[int], eps: float) -> int:
    """Dwork & Roth 2014, 3.3: counts move one way, so half of the noise will do."""
    noisy = [c + laplace(0, 1 / eps) for c in counts]
    winner = 0
    for j in range(len(counts)):
        if noisy[j] > noisy[winner]:
            winner = j
    return winner


@mechanism(adjacent={"q": linf_distance("D")}, requires="eps > 0 and D > 0 and len(q) >= 1", epsilon="eps")
def largest_of_real_noise(q: list[float], D: float, eps: float) -> int:
    noisy = [v + laplace(0.0, 2 * D / eps) for v in q]
    best = 0
    for i in range(len(noisy)):
        best = i if noisy[i] > noisy[best] else best
    return best


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1", epsilon="eps")
def largest_of_clipped(scores: list[int], eps: float) -> int:
    clipped = [min(max(v, 0), 100) for v in scores]
    noisy = [v + laplace(0, 2 / eps) for v in clipped]
    best = 0
    for i in range(len(noisy)):
        if noisy[i] > noisy[best]:
            best = i
    return best


@mechanism(
    adjacent={"d": discrete_distance()}, requires="eps > 0 and k >= 1 and m >= 1", epsilon="eps"
)
def count_mean_sketch(
    d: int, h: Callable[[int, int], int], k: int, m: int, eps: float
) -> tuple[int, list[int]]:
    """Apple 2017: one of k hash functions, a vector of signs, each of them flipped."""
    j = uniform_int(0, k - 1)
    out = []
    for i in range(m):
        v = 1 if h(j, d) == i else -1
        b = 1 if bernoulli(exp(eps / 2) / (1 + exp(eps / 2))) else -1
        out.append(v * b)
    return j, out


@mechanism(
    adjacent={"d": discrete_distance()}, requires="eps > 0 and k >= 1 and m >= 2", epsilon="eps"
)
def sketch_of_full_budget(
    d: int, h: Callable[[int, int], int], k: int, m: int, eps: float
) -> tuple[int, list[int]]:
    """Two of the signs differ, and each takes all of the budget: 2*eps."""
    j = uniform_int(0, k - 1)
    out = []
    for i in range(m):
        v = 1 if h(j, d) == i else -1
        b = 1 if bernoulli(exp(eps) / (1 + exp(eps))) else -1
        out.append(v * b)
    return j, out


@mechanism(
    adjacent={"v": discrete_distance()}, requires="eps > 0 and g >= 3 and n >= 1", epsilon="eps"
)
def local_hashing_with_itself(
    v: int, h: Callable[[int, int], int], g: int, n: int, eps: float
) -> tuple[int, int]:
    """The other value is one of all g, and the chance of the truth is that of two values."""
    seed = uniform_int(0, n - 1)
    x = h(seed, v) % g
    if bernoulli(exp(eps) / (exp(eps) + 1)):
        return seed, x
    return seed, uniform_int(0, g - 1)


@mechanism(adjacent={"rows": change_one_distance()}, requires="eps > 0 and C > 0", epsilon="eps")
def gradient_of_a_replaced_record(
    rows: list[tuple[float, float]], C: float, w: float, eps: float
) -> float:
    """The noise is for one record more or less: a record that is replaced moves the sum by 2*C."""
    g = 0.0
    for x, y in rows:
        g += max(-C, min(C, 2 * x * (w * x - y)))
    return g + laplace(0.0, C / eps)
