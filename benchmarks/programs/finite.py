"""Draws of finitely many values: randomized response, RAPPOR, the exponential mechanism."""

from math import exp

from synth.lang import *


@mechanism(adjacent={"bit": discrete_distance()}, requires="eps > 0", epsilon="eps")
def response(bit: bool, eps: float) -> bool:
    """The bit, or its negation with probability 1/(1 + e^eps)."""
    return randomized_response(bit, eps)


@mechanism(
    adjacent={"secret": discrete_distance()},
    requires="eps > 0 and k >= 2",
    epsilon="eps",
)
def k_rr(secret: int, k: int, eps: float) -> int:
    """One of k values: a uniform one with probability k/(k - 1 + e^eps), else the true one."""
    p = k / (k - 1 + exp(eps))
    if bernoulli(p):
        return uniform_int(0, k - 1)
    return secret % k


@mechanism(
    adjacent={"value": discrete_distance()},
    requires="eps > 0 and k >= 1",
    epsilon="eps",
)
def rappor(value: int, k: int, eps: float) -> list[bool]:
    """The one-hot vector of the value, each bit flipped with probability 1/(1 + e^(eps/2))."""
    out = []
    for i in range(k):
        bit = value == i
        if bernoulli(1 / (1 + exp(eps / 2))):
            bit = not bit
        out.append(bit)
    return out


@mechanism(
    adjacent={"score": linf_distance("Delta")},
    requires="eps > 0 and Delta > 0 and n >= 1",
    epsilon="eps",
)
def best_candidate(score: Callable[[int], float], n: int, Delta: float, eps: float) -> int:
    """The exponential mechanism for scores of sensitivity Delta."""
    return exponential_mechanism(n, score, eps, Delta)


@mechanism(
    adjacent={"cost": linf_distance("Delta")},
    requires="eps > 0 and Delta > 0 and swaps >= 1 and T >= 0",
    epsilon="2*eps*Delta*(T + 1)",
)
def k_median(
    cost: Callable[[int], float],
    swap: Callable[[int, int], int],
    start: int,
    swaps: int,
    T: int,
    Delta: float,
    eps: float,
) -> int:
    """T swaps by weights exp(-eps * cost), then one of the solutions seen, by the same weights."""
    current = start
    solutions = [start]
    for _ in range(T):
        chosen = choice(swaps, lambda r: -eps * cost(swap(current, r)))
        current = swap(current, chosen)
        solutions.append(current)
    best = choice(len(solutions), lambda j: -eps * cost(solutions[j]))
    return solutions[best]
