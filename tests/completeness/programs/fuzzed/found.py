"""True mechanisms that random programs came down to: what the proofs of those miss, in a few lines each."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def noise_and_a_coin(q: list[int], t: int, eps: float) -> list[int]:
    """Each entry pays eps for its noise, and eps for its coin."""
    out = []
    for x in q:
        out.append(laplace(x, 1 / eps))
        out.append(randomized_response(x > t, eps))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def coin_not_looked_at(x: int, t: int, eps: float) -> int:
    """The output is always 0."""
    coin = randomized_response(x > t, eps)
    return 0


@mechanism(adjacent={"x": absolute_distance(1)})
def coin_in_a_private_branch(x: int) -> bool:
    """Only the second coin is looked at, and its chances are the same for all x."""
    coin = bernoulli(0.5) if x > 0 else True
    return bernoulli(0.5)


@mechanism(adjacent={"a": discrete_distance()})
def coin_written_in_a_loop(a: bool) -> bool:
    """True with probability 3/4 if a holds, else 1/4; what the loop does is not looked at."""
    coin = bernoulli(0.5)
    said = a if coin else bernoulli(0.5)
    for i in range(3):
        coin = not coin
    return said


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def released_if_a_later_coin_says_so(q: list[int], eps: float) -> int:
    """One entry's noise is released; the others are not looked at."""
    for x in q:
        noisy = laplace(x, 1 / eps)
        if bernoulli(0.5):
            return noisy
    return 0


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0")
def first_if_on(q: list[int], on: bool, eps: float) -> int:
    """The first entry's noise, or nothing."""
    for x in q:
        noisy = laplace(x, 1 / eps)
        if on:
            return noisy
    return 0


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def noise_and_a_coin_in_one_answer(x: float, t: float, eps: float) -> bool:
    """eps for the noise and eps for the coin would do."""
    above = laplace(x, 1 / eps) > 0
    coin = randomized_response(x > t, eps)
    return above and not coin


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0")
def last_of_many(q: list[int], on: bool, eps: float) -> int:
    """Only the last entry's noise is left."""
    kept = 0
    for x in q:
        noisy = laplace(x, 1 / eps)
        if on:
            kept = noisy
    return kept


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def return_in_a_private_branch(x: int, eps: float) -> int:
    """Whether the noisy x is above 4, on both ways."""
    noisy = laplace(x, 1 / eps)
    if x <= 0:
        return 1 if noisy > 4 else 0
    return 1 if noisy > 4 else 0


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0 and len(q) > 0")
def first_entry_twice(q: list[int], t: int, eps: float) -> int:
    """The first draw is not looked at, so each entry is read once."""
    noisy = laplace(q[0], 1 / eps)
    count = 0
    for x in q:
        if laplace(x, 1 / eps) >= t:
            count += 1
    return count


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def half_of_it_below_it(x: float, eps: float) -> bool:
    """The noise moves as x does, by 1, of which the centre does 1/2 anyway."""
    return x > laplace(x / 2, 1 / eps)


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0")
def halves_of_integers(q: list[int], eps: float) -> list[int]:
    """The same in a list: one entry pays eps/2."""
    out = []
    for x in q:
        if x > laplace(x / 2, 1 / eps):
            out.append(1)
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def branch_for_negative_limits(x: int, t: int, eps: float) -> int:
    """Two draws with the same outcome in both runs; the second one is made for t < 0 only."""
    noisy = laplace(x, 1 / eps)
    if noisy >= t and noisy < 0:
        return laplace(x, 1 / eps)
    return 0


@mechanism(adjacent={"a": discrete_distance()})
def chance_with_exp(a: bool) -> bool:
    """True with probability 1/4 if a holds, else e/(1 + e)."""
    return bernoulli(0.25 if a else exp(1) / (1 + exp(1)))


@mechanism(adjacent={"q": linf_distance(1, monotone=True)}, requires="eps > 0")
def three_draws_of_integers(q: list[int], t: int, eps: float) -> list[int]:
    """Each entry pays eps/2 and eps, and eps again where it is below t."""
    out = []
    for x in q:
        if laplace(x, 2 / eps) >= t:
            out.append(1)
        else:
            out.append(laplace(x, 1 / eps))
        out.append(laplace(x, 1 / eps))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="1", delta="0.1")
def tail_of_integers(x: int) -> int:
    """At x = 1 the noise is at least 2 with probability exp(-2)/(1 + exp(-1)) < 0.099."""
    noisy = laplace(x, 1)
    return noisy if x > 0 and noisy >= 3 else 0


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="1/2", delta="0.01")
def gaussian_of_integers(x: int) -> int:
    """Summing up the probabilities gives a delta below 0.0013."""
    return gaussian(x, 4.5)
