"""Several draws of finitely many values decide the output, and its chances don't allow the claim."""

from synth.lang import *
from math import exp, log


@mechanism(adjacent={"b": discrete_distance()}, requires="0 <= d and d <= 1", epsilon=0, delta="d")
def leak_too_often(b: bool, d: float) -> bool:
    """Told if either coin falls: δ = d + d*(1 - d)."""
    return (bernoulli(d) or bernoulli(d)) and b


@mechanism(adjacent={"b": discrete_distance()}, requires="0 <= d and d <= 1", epsilon=5, delta="d * d")
def leak_of_one(b: bool, d: float) -> bool:
    """δ = d for any ε."""
    first = bernoulli(d)
    second = bernoulli(d)
    return first and b


@mechanism(adjacent={"a": discrete_distance()}, requires="eps > 0", epsilon="eps")
def both_responses_at_half(a: bool, eps: float) -> bool:
    """The conjunction of two costs 2*eps."""
    return randomized_response(a, eps) and randomized_response(a, eps)


@mechanism(adjacent={"a": discrete_distance()}, requires="eps > 0", epsilon="1.5*eps")
def majority_at_half(a: bool, eps: float) -> bool:
    """log((3 + e)*e²/(1 + 3*e)) with e = exp(eps) is above 1.5*eps, for eps > 0; at 0 its slope is 1.5."""
    x = randomized_response(a, eps)
    y = randomized_response(a, eps)
    z = randomized_response(a, eps)
    return x and y or y and z or x and z


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) == 2", epsilon="eps")
def both_entries_change(q: list[bool], eps: float) -> tuple[bool, bool]:
    """2*eps."""
    return randomized_response(q[0], eps), randomized_response(q[1], eps)


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0 and len(q) == 2", epsilon="eps")
def one_entry_asked_twice(q: list[bool], eps: float) -> tuple[bool, bool]:
    """2*eps: the last entry is the one at place 1."""
    return randomized_response(q[len(q) - 1], eps), randomized_response(q[1], eps)


@mechanism(adjacent={"x": absolute_distance(2)}, requires="n >= 0", epsilon=0, delta="1 / (n + 1)")
def shifted_by_two(x: int, n: int) -> int:
    """δ = 2/(n + 1), for n >= 1."""
    coin = bernoulli(0.5)
    return min(max(x, 0), 3) + uniform_int(0, n)


@mechanism(adjacent={"x": discrete_distance()}, requires="n >= 0 and m >= 0", epsilon=0, delta=0.5)
def ranges_of_unlike_lengths(x: bool, n: int, m: int) -> int:
    """δ = 1 - (n + 1)/(m + 1), for m >= n."""
    a = uniform_int(0, n)
    b = uniform_int(0, m)
    return a if x else b


@mechanism(adjacent={"x": discrete_distance()}, requires="0 <= p and p <= 1", epsilon="log(3)")
def a_chance_that_may_be_all(x: bool, p: float) -> bool:
    """For p = 1 the secret is told; for p > 0 one output occurs in one run only."""
    return bernoulli(p) and bernoulli(p) and x


@mechanism(adjacent={"x": discrete_distance()}, epsilon="log(3)")
def counted_in_a_while_loop(x: bool) -> int:
    """2*log(3)."""
    i = 0
    n = 0
    while i < 2:
        if bernoulli(0.75 if x else 0.25):
            n += 1
        i += 1
    return n


@mechanism(adjacent={"x": discrete_distance()}, epsilon=0, delta=0.49)
def negative_places(x: bool) -> int:
    """δ = 1: the lists have other entries on either way, and all of them differ."""
    xs = [1, 2]
    if bernoulli(0.5):
        xs = [3, 4]
    coin = bernoulli(0.5)
    return xs[-1] if x else xs[-2]


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and 0 <= d and d <= 1/2", epsilon="eps", delta="d")
def a_part_that_loses_more(x: int, eps: float, d: float) -> tuple[int, int]:
    """The second part needs δ = 2*d."""
    noisy = laplace(x, 1 / eps)
    told = x if bernoulli(2 * d) else 0
    return noisy, told


@mechanism(adjacent={"a": discrete_distance()}, epsilon="log(2)", delta=0.1)
def leave_in_the_second_round(a: bool) -> int:
    """10 with the chance 3/4*3/4 if a, and 1/4*1/4 if not: log(9), and δ = 7/16 at log(2)."""
    for i in range(3):
        if not bernoulli(0.75 if a else 0.25):
            continue
        if i == 1:
            break
        for j in range(2):
            if j == 1 and bernoulli(0.75 if a else 0.25):
                return 10
    return 0
