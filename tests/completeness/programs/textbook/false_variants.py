"""Mechanisms of textbooks with one mistake each: what shows it is far out, long, or a set of outputs."""

from synth.lang import *


@mechanism(adjacent={"ages": add_remove_distance()}, requires="eps > 0", epsilon="eps")
def mean_by_private_length(ages: list[float], eps: float) -> float:
    """The noise is divided by the number of records, too: far out it tells one record from two."""
    total = 0.0
    n = 0
    for a in ages:
        total += min(max(a, 0), 100)
        n += 1
    return laplace(total, 200 / eps) / max(n, 1)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c >= 1", epsilon="eps")
def sparse_vector_one_more(q: list[float], t: float, c: int, eps: float) -> list[bool]:
    """It ends behind the answer after the c-th one above."""
    rho = laplace(0.0, 2 / eps)
    out = []
    count = 0
    for v in q:
        if laplace(v, 4 * c / eps) >= t + rho:
            out.append(True)
            count += 1
            if count > c:
                break
        else:
            out.append(False)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="2*eps")
def sparse_vector_without_end(q: list[float], t: float, eps: float) -> list[bool]:
    """All queries are compared with one noisy threshold: no multiple of eps is enough."""
    rho = laplace(t, 2 / eps)
    return [laplace(v, 4 / eps) >= rho for v in q]


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="3*eps")
def count_above_without_end(q: list[int], t: int, eps: float) -> int:
    """How many are above one noisy threshold."""
    rho = laplace(t, 2 / eps)
    count = 0
    for v in q:
        if laplace(v, 4 / eps) >= rho:
            count += 1
    return count


@mechanism(adjacent={"data": change_one_distance()}, requires="eps > 0 and k >= 2", epsilon="eps")
def median_with_sensitivity_one(data: list[int], k: int, eps: float) -> int:
    """The score moves by 2 where an entry moves from one side to the other."""
    return exponential_mechanism(
        k, lambda r: -abs(sum(1 for v in data if v < r) - sum(1 for v in data if v > r)), eps, 1
    )


@mechanism(adjacent={"x": absolute_distance("D")}, requires="eps > 0 and D > 0 and c > 0", epsilon="eps")
def multiple_without_its_factor(x: float, c: float, D: float, eps: float) -> float:
    """The noise is calibrated to x, and c*x is released."""
    return laplace(c * x, D / eps)


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and -1 <= x <= 1", epsilon="eps")
def one_bit_normalized_too_little(x: float, eps: float) -> bool:
    return bernoulli(x * (exp(eps) - 1) / (2 * exp(eps) + 1) + 1 / 2)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and x >= 0", epsilon="eps")
def exponential_coin(x: float, eps: float) -> bool:
    """The other outcome is impossible where x is 0."""
    return bernoulli(exp(-eps * x))


@mechanism(adjacent={"x": absolute_distance(2)}, requires="eps > 0", epsilon="eps")
def logistic_of_far_neighbours(x: float, eps: float) -> bool:
    return bernoulli(1 / (1 + exp(-eps * x)))
