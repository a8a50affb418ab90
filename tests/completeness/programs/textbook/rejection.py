"""Mechanisms that draw again until what they drew is good enough."""

from synth.lang import (
    absolute_distance,
    bernoulli,
    change_one_distance,
    l1_distance,
    laplace,
    linf_distance,
    mechanism,
    uniform_int,
)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and lo < hi", epsilon="eps")
def bounded_laplace(x: float, lo: float, hi: float, eps: float) -> float:
    while True:
        y = laplace(x, 2 / eps)
        if lo <= y <= hi:
            return y


@mechanism(adjacent={"count": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def even_count(count: int, eps: float) -> int:
    noisy = laplace(count, 2 / eps)
    while noisy % 2 == 1:
        noisy = laplace(count, 2 / eps)
    return noisy


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and lo < hi", epsilon="eps")
def until_a_flag_says_so(x: float, lo: float, hi: float, eps: float) -> float:
    good = False
    answer = 0.0
    while not good:
        answer = laplace(x, 2 / eps)
        good = lo <= answer and answer <= hi
    return answer


@mechanism(
    adjacent={"q": linf_distance(1)}, requires="eps > 0 and 0 < gamma and gamma < 1 and len(q) >= 1", epsilon="eps"
)
def random_stopping(q: list[float], least: float, gamma: float, eps: float) -> tuple[int, float]:
    """Liu & Talwar 2019: private selection from private candidates."""
    while True:
        candidate = uniform_int(0, len(q) - 1)
        score = laplace(q[candidate], 2 / eps)
        if score > least:
            break
        if bernoulli(gamma):
            return -1, 0.0
    return candidate, score


@mechanism(adjacent={"data": change_one_distance()}, requires="eps > 0 and b > 0", epsilon="eps")
def sum_that_is_not_negative(data: list[float], b: float, eps: float) -> float:
    total = 0.0
    for v in data:
        total += min(max(v, 0), b)
    noisy = laplace(total, 2 * b / eps)
    while noisy < 0:
        noisy = laplace(total, 2 * b / eps)
    return noisy


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and lo < hi", epsilon="eps")
def two_in_a_row(x: float, lo: float, hi: float, eps: float) -> tuple[float, float]:
    while True:
        y = laplace(x, 4 / eps)
        if lo <= y <= hi:
            break
    while True:
        z = laplace(x, 4 / eps)
        if lo <= z <= hi:
            break
    return y, z


@mechanism(adjacent={"x": l1_distance(1)}, requires="eps > 0 and len(x) >= 1", epsilon="eps")
def noisy_vector_with_a_first_entry_above_zero(x: list[float], eps: float) -> list[float]:
    while True:
        y = [laplace(v, 2 / eps) for v in x]
        if y[0] >= 0:
            return y


@mechanism(
    adjacent={"data": change_one_distance()}, requires="eps > 0 and 0 < gamma < 1 and len(cuts) >= 1", epsilon="eps"
)
def cut_with_many_above(data: list[float], cuts: list[float], least: float, gamma: float, eps: float) -> int:
    while True:
        i = uniform_int(0, len(cuts) - 1)
        count = 0
        for v in data:
            if v > cuts[i]:
                count += 1
        if laplace(count, 2 / eps) > least:
            return i
        if bernoulli(gamma):
            return -1
