"""Optimized unary encoding, moving averages, stable histograms: what is small or rare is paid for as it is."""

from math import exp, log

from synth.lang import (
    add_remove_distance,
    bernoulli,
    change_one_distance,
    discrete_distance,
    laplace,
    mechanism,
)


@mechanism(adjacent={"v": discrete_distance()}, requires="eps > 0 and k >= 2 and 0 <= v < k", epsilon="eps")
def optimized_unary_encoding(v: int, k: int, eps: float) -> list[bool]:
    """Wang et al. 2017: a set bit tells log((1 + e^eps)/2), one that is not set the rest of eps."""
    out = []
    for i in range(k):
        p = 1 / 2 if i == v else 1 / (exp(eps) + 1)
        out.append(bernoulli(p))
    return out


@mechanism(adjacent={"v": discrete_distance()}, requires="eps > 0 and k >= 2 and 0 <= v < k")
def unary_encoding_without_a_claim(v: int, k: int, eps: float) -> list[int]:
    report = []
    for i in range(k):
        if i == v:
            bit = 1 if bernoulli(0.5) else 0
        else:
            bit = 1 if bernoulli(1 / (1 + exp(eps))) else 0
        report.append(bit)
    return report


@mechanism(adjacent={"v": discrete_distance()}, requires="eps > 0 and k >= 2 and 0 <= v < k", epsilon="eps")
def three_quarters_for_the_truth(v: int, k: int, eps: float) -> list[bool]:
    out = []
    for i in range(k):
        out.append(bernoulli(3 / 4 if i == v else 1 / (exp(eps) + 1)))
    return out


@mechanism(adjacent={"x": change_one_distance(1)}, requires="eps > 0")
def exponential_moving_average(x: list[float], eps: float) -> list[float]:
    """An entry counts 1/2, then 1/4, and so on: once in all."""
    m = 0.0
    out = []
    for v in x:
        m = m / 2 + v / 2
        out.append(laplace(m, 1 / eps))
    return out


@mechanism(adjacent={"x": change_one_distance("D")}, requires="eps > 0 and D > 0", epsilon="eps")
def decayed_sums(x: list[float], D: float, eps: float) -> list[float]:
    level = 0.0
    out = []
    for v in x:
        level = 0.75 * level + v
        out.append(level + laplace(0.0, 4 * D / eps))
    return out


@mechanism(adjacent={"x": change_one_distance(1)}, requires="eps > 0", epsilon="eps")
def average_with_twice_the_weight(x: list[float], eps: float) -> list[float]:
    """What is new counts 1/2, and three quarters of it stay: twice in all."""
    m = 0.0
    out = []
    for i in range(len(x)):
        m = m * 3 / 4 + x[i] / 2
        out.append(laplace(m, 1 / eps))
    return out


@mechanism(
    adjacent={"x": add_remove_distance()},
    requires="eps > 0 and 0 < delta < 1",
    epsilon="eps",
    delta="delta",
)
def stable_histogram(x: list[int], k: int, eps: float, delta: float) -> list[int]:
    """Only the cell of one record may come up or vanish."""
    out = []
    for b in range(k):
        c = 0
        for v in x:
            if v == b:
                c += 1
        y = laplace(c, 1 / eps)
        out.append(y if c > 0 and y > 1 + log(1 / delta) / eps else 0)
    return out


@mechanism(
    adjacent={"x": change_one_distance()},
    requires="eps > 0 and 0 < delta < 1",
    epsilon="eps",
    delta="delta",
)
def stable_histogram_of_replaced_records(x: list[int], k: int, eps: float, delta: float) -> list[float]:
    """Vadhan 2017, Theorem 3.5: a record leaves one cell and joins one."""
    out = []
    for b in range(k):
        c = sum(1 for v in x if v == b)
        y = c + laplace(0.0, 2 / eps)
        if c > 0 and y > 1 + 2 * log(2 / delta) / eps:
            out.append(y)
        else:
            out.append(0.0)
    return out


@mechanism(
    adjacent={"x": change_one_distance()},
    requires="eps > 0 and 0 < delta < 1",
    epsilon="eps",
    delta="delta",
)
def histogram_with_a_low_bar(x: list[int], k: int, eps: float, delta: float) -> list[float]:
    """The bar must lie above 1 by the noise, not above 0 by half of it."""
    out = []
    for b in range(k):
        c = sum(1 for v in x if v == b)
        y = c + laplace(0.0, 2 / eps)
        if c > 0 and y > log(2 / delta) / eps:
            out.append(y)
        else:
            out.append(0.0)
    return out


@mechanism(
    adjacent={"q": change_one_distance(1)},
    requires="eps > 0 and 0 < delta < 1",
    epsilon="eps",
    delta="delta",
)
def counts_above_a_bar(q: list[int], eps: float, delta: float) -> list[int]:
    """Noise for counts that aren't 0 only, and a bar that noise alone passes with a chance of delta."""
    out = []
    for v in q:
        if v > 0:
            y = laplace(v, 1 / eps)
            if y > 1 + log(1 / delta) / eps:
                out.append(y)
            else:
                out.append(0)
        else:
            out.append(0)
    return out


@mechanism(
    adjacent={"q": change_one_distance(1)},
    requires="eps > 0 and 0 < delta < 1",
    epsilon="eps",
    delta="delta",
)
def counts_above_half_the_bar(q: list[int], eps: float, delta: float) -> list[int]:
    out = []
    for v in q:
        if v > 0:
            y = laplace(v, 1 / eps)
            if y > log(1 / delta) / (2 * eps):
                out.append(y)
            else:
                out.append(0)
        else:
            out.append(0)
    return out


@mechanism(adjacent={"x": change_one_distance(1)}, requires="eps > 0", epsilon="eps")
def decayed_sums_in_a_while(x: list[float], eps: float) -> list[float]:
    told = []
    old = 0.0
    i = 0
    while i < len(x):
        old = x[i] + old / 2
        told.append(laplace(old, 2 / eps))
        i = i + 1
    return told


@mechanism(
    adjacent={"x": add_remove_distance()},
    requires="eps > 0 and 0 < delta < 1",
    epsilon="eps",
    delta="delta",
)
def heavy_hitters(x: list[int], k: int, eps: float, delta: float) -> list[int]:
    """Which elements have a noisily large count, of those that some record has."""
    found = []
    for e in range(k):
        count = 0
        for v in x:
            if v == e:
                count += 1
        if count >= 1:
            noisy = count + laplace(0.0, 1 / eps)
            if noisy >= 1 + log(1 / delta) / eps:
                found.append(e)
    return found


@mechanism(
    adjacent={"x": add_remove_distance()},
    requires="eps > 0 and 0 < delta < 1",
    epsilon="eps",
    delta="delta",
)
def size_of_a_group(x: list[int], eps: float, delta: float) -> int:
    """The noisy size is returned inside of a private branch, and 0 behind it."""
    size = len(x)
    if size > 0:
        noisy = laplace(size, 1 / eps)
        if noisy > 1 + log(1 / delta) / eps:
            return noisy
    return 0


@mechanism(
    adjacent={"x": add_remove_distance()},
    requires="eps > 0 and 0 < delta < 1",
    epsilon="eps",
    delta="delta",
)
def size_of_a_group_with_a_low_bar(x: list[int], eps: float, delta: float) -> int:
    """The noise of one record passes the bar with half of exp(eps)*delta, nearly."""
    size = len(x)
    if size > 0:
        noisy = laplace(float(size), 1 / eps)
        if noisy > log(1 / delta) / eps:
            return 1
    return 0
