"""Mechanisms of OpenDP's proof documents, from their pseudocode."""

from math import exp, log

from synth.lang import *


@mechanism(adjacent={"truth": discrete_distance()}, requires="1/2 <= p and p < 1", epsilon="log(p / (1 - p))")
def randomized_response_bool(truth: bool, p: float) -> bool:
    """The truth with probability p."""
    sample = not bernoulli(p)
    return truth ^ sample


@mechanism(
    adjacent={"truth": discrete_distance()},
    requires="n >= 2 and 1 / n <= p and p < 1",
    epsilon="log(p * (n - 1) / (1 - p))",
)
def response_of_categories(truth: int, n: int, p: float) -> int:
    """One of n categories: the truth with probability p, if it is one of them, else another one."""
    member = 0 <= truth and truth < n
    if member:
        sample = uniform_int(0, n - 2)
        if sample >= truth:
            sample += 1
    else:
        sample = uniform_int(0, n - 1)
    honest = bernoulli(p)
    return truth if honest and member else sample


@mechanism(
    adjacent={"bits": l1_distance("2*m")},
    requires="m >= 0 and 0 < f and f < 1",
    epsilon="2*m*log((2 - f) / f)",
)
def randomized_response_bitvec(bits: list[bool], m: int, f: float) -> list[bool]:
    """Each bit is flipped with probability f/2; two vectors with at most m ones differ in 2*m bits."""
    return [x ^ bernoulli(f / 2) for x in bits]


@mechanism(adjacent={"x": l1_distance("d")}, requires="scale > 0 and d >= 0", epsilon="d/scale")
def laplace_vector(x: list[float], d: float, scale: float) -> list[float]:
    """make_laplace on a vector."""
    return [laplace(v, scale) for v in x]


@mechanism(adjacent={"x": l1_distance("d")}, requires="scale > 0 and d >= 0", epsilon="d/scale")
def geometric_vector(x: list[int], d: int, scale: float) -> list[int]:
    """make_geometric on a vector."""
    return [laplace(v, scale) for v in x]


@mechanism(
    adjacent={"x": absolute_distance("d")},
    requires="scale > 0 and d >= 0 and low <= high",
    epsilon="d/scale",
)
def bounded_geometric(x: int, low: int, high: int, d: int, scale: float) -> int:
    """make_geometric with bounds: the value and what is returned are clamped."""
    return min(max(laplace(min(max(x, low), high), scale), low), high)


@mechanism(
    adjacent={"x": linf_distance("d")},
    requires="scale > 0 and d >= 0 and len(x) == 3",
    epsilon="2*d/scale",
)
def permute_and_flip(x: list[float], d: float, scale: float) -> int:
    """Candidates in random order, each taken with probability exp((score - best) / scale); here of three."""
    best = max(x[0], x[1], x[2])
    first = uniform_int(0, 2)
    if bernoulli(exp((x[first] - best) / scale)):
        return first
    other = uniform_int(0, 1)
    second = other if other < first else other + 1
    if bernoulli(exp((x[second] - best) / scale)):
        return second
    return 3 - first - second


@mechanism(adjacent={"x": linf_distance("d")}, requires="scale > 0 and d >= 0 and n > 0", epsilon="2*d/scale")
def noisy_top_1(x: Callable[[int], float], n: int, d: float, scale: float) -> int:
    """noisy_top_k with replacement and k = 1: by weights exp(score / scale)."""
    return choice(n, lambda r: x(r) / scale)


@mechanism(
    adjacent={"x": linf_distance("d")},
    requires="scale > 0 and d >= 0 and n >= k and k >= 0",
    epsilon="2*k*d/scale",
)
def noisy_top_k(x: Callable[[int], float], n: int, k: int, d: float, scale: float) -> list[int]:
    """k times the best of noisy scores, among all candidates that were not yet taken."""
    out = []
    for _ in range(k):
        winner = -1
        best = 0.0
        for i in range(n):
            taken = False
            for j in out:
                if j == i:
                    taken = True
            if not taken:
                noisy = exponential(x(i), scale)
                if winner == -1 or noisy > best:
                    winner = i
                    best = noisy
        out.append(winner)
    return out


@mechanism(
    adjacent={"q": change_one_distance(1)},
    requires="eps > 0 and 0 < delta and delta < 1",
    epsilon="eps",
    delta="delta",
)
def laplace_threshold(q: list[int], eps: float, delta: float) -> list[int]:
    """Noisy counts of keys above a threshold; keys with count 0 are not there."""
    out = []
    for v in q:
        noisy = laplace(max(v, 0), 1 / eps)
        out.append(noisy if v > 0 and noisy > 1 + log(1 / delta) / eps else 0)
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="a > 0 and b > 0 and c > 0", epsilon="a + b + c")
def sequential_composition(x: int, a: float, b: float, c: float) -> tuple[int, int, int]:
    """make_composition of three measurements."""
    return laplace(x, 1 / a), laplace(x, 1 / b), laplace(x, 1 / c)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="budget >= 0", epsilon="budget")
def fully_adaptive_composition(x: int, asked: list[float], budget: float) -> list[int | None]:
    """make_privacy_filter: asks with an eps each are answered as long as the budget lasts."""
    spent = 0.0
    out = []
    for e in asked:
        if e > 0 and spent + e <= budget:
            spent += e
            out.append(laplace(x, 1 / e))
        else:
            out.append(None)
    return out


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0 and n > 0", epsilon="eps")
def quantile(x: list[float], candidate: Callable[[int], float], n: int, eps: float) -> int:
    """The median among candidates: score_candidates with alpha = 1/2, and the exponential mechanism."""
    scores = []
    for i in range(n):
        below = 0
        above = 0
        for v in x:
            if v < candidate(i):
                below += 1
            elif v > candidate(i):
                above += 1
        scores.append(abs(below - above))
    return choice(n, lambda r: -eps * scores[r] / 2)
