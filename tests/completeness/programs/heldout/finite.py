"""Draws of finitely many values, written in many ways."""

from synth.lang import *
import math


@mechanism(adjacent={"bits": l1_distance(2)}, requires="eps > 0", epsilon="eps")
def rappor_vec(bits: list[bool], eps: float) -> list[bool]:
    released = []
    p = 1 / (1 + math.exp(eps / 2))
    for b in bits:
        flip = bernoulli(p)
        released.append(b != flip)
    return released


@mechanism(adjacent={"bits": change_one_distance(1)}, requires="eps > 0", epsilon="eps")
def each_person(bits: list[bool], eps: float) -> list[bool]:
    out = []
    i = 0
    while i < len(bits):
        out.append(randomized_response(bits[i], eps))
        i += 1
    return out


@mechanism(adjacent={"bits": change_one_distance(1)}, requires="eps > 0", epsilon="eps")
def count_yes(bits: list[bool], eps: float) -> int:
    total = 0
    for b in bits:
        if randomized_response(b, eps):
            total += 1
    return total


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 1", epsilon="eps")
def em_list(q: list[int], eps: float) -> int:
    return exponential_mechanism(len(q), lambda i: q[i], epsilon=eps, sensitivity=1)


@mechanism(adjacent={"q": linf_distance(1, monotone=True)}, requires="eps > 0 and len(q) >= 1", epsilon="eps")
def em_monotone(q: list[int], eps: float) -> int:
    n = len(q)
    return choice(n, lambda r: eps * q[r])


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0 and len(q) >= 1", epsilon="eps")
def em_one(q: list[int], eps: float) -> int:
    return choice(len(q), lambda r: q[r] * eps)


@mechanism(
    adjacent={"q": linf_distance("s")},
    requires="eps > 0 and s > 0 and len(q) >= 1 and k >= 0",
    epsilon="k*eps",
)
def em_many(q: list[float], s: float, k: int, eps: float) -> list[int]:
    found = []
    for _ in range(k):
        r = choice(len(q), lambda i: eps * q[i] / (2 * s))
        found.append(r)
    return found


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n >= 1", epsilon="eps")
def em_median(q: Callable[[int], int], n: int, half: int, eps: float) -> int:
    return exponential_mechanism(n, lambda r: -abs(q(r) - half), eps, 1)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 1", epsilon="eps")
def em_near(x: int, n: int, eps: float) -> int:
    return choice(n, lambda r: -eps / 2 * abs(x - r))


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and k >= 2", epsilon="eps")
def krr_while(x: int, k: int, eps: float) -> int:
    v = max(0, min(x, k - 1))
    lie = uniform_int(1, k)
    honest = bernoulli(1 - k / (k - 1 + math.exp(eps)))
    result = v
    if not honest:
        result = lie - 1
    return result


@mechanism(adjacent={"b": discrete_distance()}, requires="0 < p and p < 1/2", epsilon="log((1-p)/p)")
def flip_p(b: bool, p: float) -> bool:
    if bernoulli(p):
        return not b
    else:
        return b


@mechanism(adjacent={"b": discrete_distance()}, requires="0 < p and p < 1/2")
def flip_p_infer(b: bool, p: float) -> bool:
    return b != bernoulli(p)


@mechanism(adjacent={"b": discrete_distance()}, epsilon="log(3)")
def two_coins(b: bool) -> bool:
    """Warner: heads, tell the truth; tails, a second coin."""
    if bernoulli(0.5):
        return b
    return bernoulli(1 / 2)


@mechanism(adjacent={"b": discrete_distance()}, epsilon=1.1)
def two_coins_num(b: bool) -> int:
    first = uniform_int(0, 1)
    second = uniform_int(0, 1)
    if first == 1:
        return 1 if b else 0
    return second


@mechanism(adjacent={"bit": discrete_distance()}, requires="eps > 0", epsilon="2*eps")
def twice(bit: bool, eps: float) -> tuple[bool, bool]:
    return randomized_response(bit, eps), randomized_response(bit, eps)


@mechanism(adjacent={"bit": discrete_distance()}, requires="eps > 0 and n >= 0", epsilon="n*eps")
def n_times(bit: bool, n: int, eps: float) -> list[bool]:
    answers = []
    for i in range(n):
        a = randomized_response(bit, eps)
        answers.append(a)
    return answers


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def rr_and_laplace(q: list[int], eps: float) -> list[int]:
    out = []
    if len(q) > 0:
        out.append(laplace(q[0], 2 / eps))
        if randomized_response(q[0] > 5, eps / 2):
            out.append(1)
    return out


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and k >= 2", epsilon="eps")
def krr_in_list(x: int, k: int, eps: float) -> list[int]:
    out = []
    v = x % k
    if bernoulli(k / (k - 1 + math.exp(eps))):
        out.append(uniform_int(0, k - 1))
    else:
        out.append(v)
    return out


def noisy_bit(b, e):
    return randomized_response(b, e)


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0", epsilon="eps")
def helper(x: bool, eps: float) -> bool:
    return noisy_bit(x, eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def dithered(x: int, eps: float) -> int:
    return laplace(x + uniform_int(0, 3), 1 / eps)


@mechanism(adjacent={"xs": change_one_distance(1)}, requires="eps > 0 and k >= 2", epsilon="eps")
def krr_everybody(xs: list[int], k: int, eps: float) -> list[int]:
    out = []
    for x in xs:
        v = x % k
        if bernoulli(k / (k - 1 + math.exp(eps))):
            v = uniform_int(0, k - 1)
        out.append(v)
    return out


@mechanism(
    adjacent={"score": linf_distance("D")}, requires="eps > 0 and D > 0 and n >= 1 and T >= 1", epsilon="eps"
)
def em_T(score: Callable[[int], float], n: int, T: int, D: float, eps: float) -> list[int]:
    picks = []
    step = eps / T
    for t in range(T):
        picks.append(exponential_mechanism(n, score, step, D))
    return picks


@mechanism(adjacent={"bit": discrete_distance()}, requires="eps > 0", epsilon="eps")
def rr_coin(bit: bool, eps: float) -> bool:
    if bernoulli(1 / (1 + math.exp(eps))):
        return not bit
    return bit


@mechanism(adjacent={"secret": discrete_distance()}, requires="eps > 0 and k >= 2", epsilon="eps")
def k_rr_choice(secret: int, k: int, eps: float) -> int:
    value = min(max(secret, 0), k - 1)
    return choice(k, lambda r: eps if r == value else 0)


@mechanism(adjacent={"secret": discrete_distance()}, requires="eps > 0 and k >= 2", epsilon="eps")
def k_rr_flat(secret: int, k: int, eps: float) -> int:
    truth = bernoulli((math.exp(eps) - 1) / (k - 1 + math.exp(eps)))
    other = uniform_int(0, k - 1)
    mine = min(max(secret, 0), k - 1)
    return mine if truth else other


@mechanism(adjacent={"secret": discrete_distance()}, requires="eps > 0 and k >= 2", epsilon="eps")
def k_rr_others(secret: int, k: int, eps: float) -> int:
    mine = secret % k
    if bernoulli(math.exp(eps) / (k - 1 + math.exp(eps))):
        return mine
    other = uniform_int(0, k - 2)
    if other >= mine:
        other += 1
    return other


@mechanism(adjacent={"bit": discrete_distance()}, epsilon="0")
def pad(bit: bool) -> bool:
    return bit != bernoulli(0.5)


@mechanism(adjacent={"bits": l1_distance(1)}, requires="eps > 0", epsilon="eps")
def local(bits: list[bool], eps: float) -> list[bool]:
    out = []
    for b in bits:
        if randomized_response(b, eps):
            out.append(True)
        else:
            out.append(False)
    return out


@mechanism(adjacent={"bit": discrete_distance()}, epsilon="log(3)")
def coin3(bit: bool) -> bool:
    return bernoulli(0.75 if bit else 0.25)


@mechanism(
    adjacent={"q": change_one_distance(1)},
    requires="len(q) == 3",
    epsilon="log(11/5)",
)
def majority_of_three(q: list[bool]) -> bool:
    """P[majority] is 11/16 and 5/16 where the other two disagree."""
    yes = 0
    for v in q:
        yes += 1 if v == bernoulli(3 / 4) else 0
    return yes > 1


@mechanism(
    adjacent={"answers": change_one_distance(1)},
    requires="n == 4 and 1 + len(answers) == n",
    epsilon="log(11/5)",
)
def majority_by_index(answers: list[bool], n: int) -> bool:
    """The same with sizes that only requires says are numbers."""
    count = 0
    for i in range(len(answers)):
        if bernoulli(1 / 4) != answers[i]:
            count = count + 1
    if count >= n - 2:
        return True
    return False


@mechanism(adjacent={"secret": discrete_distance()}, requires="m >= 1", epsilon="0")
def one_time_pad(secret: int, m: int) -> int:
    """The key is uniform modulo m, so the sum is."""
    key = uniform_int(0, m - 1)
    total = 3 * secret - key
    return total % m


@mechanism(adjacent={"q": change_one_distance()}, requires="n >= 1", epsilon="0")
def shares_of_secrets(q: list[int], n: int) -> list[tuple[int, int]]:
    """Two of three shares of each entry are uniform."""
    out = []
    for i in range(len(q)):
        first = uniform_int(1, n)
        second = uniform_int(0, n - 1)
        out.append((first, (q[i] - first - second) % n))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def cyclic_hour(x: int, eps: float) -> tuple[int, int]:
    """The hour is hidden by its key; only the noisy number costs."""
    shown = laplace(x, 1 / eps)
    return shown, (x + uniform_int(0, 23)) % 24
