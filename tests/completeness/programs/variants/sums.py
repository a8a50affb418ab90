"""Sums over streams, written in other ways."""

from synth.lang import *


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0")
def partial_sum_while(q: list[int], b: int, eps: float) -> int:
    """By index, with added noise."""
    s = 0
    i = 0
    while i < len(q):
        s = q[i] + s
        i = i + 1
    return s + laplace(0, b / eps)


def total_of(q):
    """The sum of all entries."""
    total = 0
    for x in q:
        total += x
    return total


@mechanism(adjacent={"stream": change_one_distance("b")}, requires="eps > 0 and b > 0")
def partial_sum_helper(stream: list[int], b: int, eps: float) -> int:
    """A helper adds up."""
    return laplace(total_of(stream), b / eps)


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0")
def partial_sum_noise_first(q: list[float], b: float, eps: float) -> float:
    """The noise is drawn before the entries are read."""
    noise = laplace(0.0, b / eps)
    total = 0.0
    for x in q:
        total += x
    return total + noise


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0")
def partial_sum_start_at_noise(q: list[int], b: int, eps: float) -> int:
    """The noise is what the sum starts from."""
    total = laplace(0, b / eps)
    for x in q:
        total += x
    return total


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0")
def prefix_sum_two_passes(q: list[int], b: int, eps: float) -> list[int]:
    """Noise on all entries first, running sums after that."""
    noisy = []
    for x in q:
        noisy.append(laplace(x, b / eps))
    out = []
    total = 0
    for y in noisy:
        total += y
        out.append(total)
    return out


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0")
def prefix_sum_last_output(q: list[float], b: float, eps: float) -> list[float]:
    """Each running sum is made from the one before, by index and with named noise."""
    out = []
    previous = 0.0
    for i in range(len(q)):
        noise = laplace(0.0, b / eps)
        current = previous + q[i] + noise
        out.append(current)
        previous = current
    return out


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0")
def running_sum_added_noise(q: list[int], eps: float) -> list[int]:
    """Noise is added to each exact running sum."""
    out = []
    s = 0
    for i in range(len(q)):
        s = s + q[i]
        out.append(s + laplace(0, 1 / eps))
    return out


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0 and m > 0")
def smart_sum_counter(q: list[int], m: int, b: int, eps: float) -> list[int]:
    """A counter within the block in place of the remainder."""
    out = []
    before = 0
    running = 0
    block = 0
    k = 0
    for x in q:
        block += x
        k += 1
        if k == m:
            before = before + laplace(block, b / eps)
            running = before
            block = 0
            k = 0
        else:
            running = running + laplace(x, b / eps)
        out.append(running)
    return out


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0 and m > 0")
def smart_sum_negated_test(q: list[float], m: int, b: float, eps: float) -> list[float]:
    """Branches swapped, added noise, the noisy sum kept before the exact one."""
    scale = b / eps
    running = 0.0
    before = 0.0
    block = 0.0
    out = []
    for i, x in enumerate(q):
        if i % m != m - 1:
            running = running + (x + laplace(0.0, scale))
            block = block + x
        else:
            before = before + (block + x) + laplace(0.0, scale)
            running = before
            block = 0.0
        out.append(running)
    return out


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0 and m > 0")
def smart_sum_nested(q: list[int], m: int, b: int, eps: float) -> list[int]:
    """Nested loops: the blocks outside, their entries inside."""
    out = []
    before = 0
    i = 0
    while i < len(q):
        running = before
        block = 0
        k = 0
        while k < m and i < len(q):
            block += q[i]
            running += laplace(q[i], b / eps)
            out.append(running)
            k += 1
            i += 1
        before += laplace(block, b / eps)
    return out
