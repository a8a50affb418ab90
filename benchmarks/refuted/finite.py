"""Draws with finitely many outcomes, and noise with gaps between its values."""

from math import exp

from synth.lang import *

DIGITS = 4


@mechanism(
    adjacent={"secret": discrete_distance()},
    requires="eps > 0 and k >= 2",
    epsilon="eps",
)
def k_rr_swapped(secret: int, k: int, eps: float) -> int:
    """The k-ary response with its two branches swapped: truthful with the probability of the random one."""
    p = k / (k - 1 + exp(eps))
    if bernoulli(p):
        return secret % k
    return uniform_int(0, k - 1)


@mechanism(adjacent={"bits": l1_distance(2)}, requires="eps > 0", epsilon="eps")
def rappor_whole_budget_per_bit(bits: list[bool], eps: float) -> list[bool]:
    """Each bit is flipped with probability 1/(1 + e^eps); two one-hot vectors differ in two bits."""
    out = []
    for bit in bits:
        out.append(randomized_response(bit, eps))
    return out


@mechanism(adjacent={"bit": discrete_distance()}, requires="eps > 0", epsilon="eps")
def randomized_response_double(bit: bool, eps: float) -> bool:
    """Twice the odds that the claim allows."""
    return randomized_response(bit, 2 * eps)


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0 and n >= 1", epsilon="eps")
def exponential_mechanism_double(score: Callable[[int], int], n: int, eps: float) -> int:
    """Weights exp(eps*score): the sum of the weights moves, too, so only half of eps is allowed."""
    return choice(n, lambda r: eps * score(r))


@mechanism(adjacent={"bit": discrete_distance()}, epsilon="2")
def biased_coin(bit: bool) -> bool:
    """Odds of 9 to 1, more than e^2."""
    return bernoulli(0.9 if bit else 0.1)


@mechanism(adjacent={"x": absolute_distance(2**DIGITS)}, requires="eps > 0", epsilon="eps")
def fixed_point_scaling(x: int, eps: float) -> int:
    """Noise is drawn as an integer and then scaled, so the low digits of the secret stay as they are.

    Gazeau et al. 2013, Example 1.1.  Numbers count units of the last of so many binary digits; by one whole
    may the secret differ.
    """
    return x + 2**DIGITS * laplace(0, scale=1 / eps)
