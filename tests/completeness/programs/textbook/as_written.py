"""Scores that a lambda counts, an argmax in an expression, multiples of queries: as textbooks write them."""

from synth.lang import *


@mechanism(adjacent={"data": add_remove_distance()}, requires="eps > 0 and k >= 1", epsilon="eps")
def most_common(data: list[int], k: int, eps: float) -> int:
    """Counts are monotone: eps, not eps/2 (Dwork & Roth, 3.4)."""
    return choice(k, lambda r: eps * sum(1 for v in data if v == r))


@mechanism(
    adjacent={"data": add_remove_distance()},
    requires="eps > 0 and k >= 1 and len(approximate) == k",
    epsilon="eps",
)
def round_of_mwem(data: list[int], approximate: list[float], k: int, eps: float) -> tuple[int, float]:
    """The query that is answered worst, then its noisy answer (Hardt, Ligett & McSherry)."""
    worst = exponential_mechanism(
        k, lambda r: abs(sum(1 for v in data if v <= r) - approximate[r]), eps / 2, 1
    )
    return worst, laplace(sum(1 for v in data if v <= worst), 2 / eps)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 1", epsilon="eps")
def argmax_in_an_expression(q: list[int], eps: float) -> int:
    """The largest of a list of noisy answers, by a conditional expression."""
    noisy = [laplace(v, 2 / eps) for v in q]
    best = 0
    for i in range(len(q)):
        best = i if noisy[i] > noisy[best] else best
    return best


@mechanism(adjacent={"x": absolute_distance("D")}, requires="eps > 0 and D > 0 and c > 0", epsilon="eps")
def multiple_of_a_query(x: float, c: float, D: float, eps: float) -> float:
    """The sensitivity of c*x is c*D."""
    return laplace(c * x, c * D / eps)


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0 and b > 0 and n >= 1", epsilon="eps")
def scaled_up_sum(x: list[float], b: float, n: int, eps: float) -> float:
    """A sum over a sample, scaled up."""
    total = 0.0
    for v in x:
        total += min(max(v, 0), b)
    return laplace(total * n, n * b / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def sigmoid_of_noise(x: float, eps: float) -> float:
    """Post-processing that divides by what is positive."""
    return 1 / (1 + exp(-laplace(x, 1 / eps)))


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 0", epsilon="n * eps")
def powers_of_two(x: float, n: int, eps: float) -> list[float]:
    """A power of a public number is a divisor."""
    return [laplace(x, 1 / eps) / 2**k for k in range(n)]
