"""Sequences of mechanisms of which each has its own ε and δ; three of the sums are wrong."""

from math import log, sqrt

from synth.lang import absolute_distance, change_one_distance, gaussian, laplace, mechanism


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="0 < e1 <= 1 and 0 < e2 <= 1 and 0 < d1 < 1 and 0 < d2 < 1",
    epsilon="e1 + e2",
    delta="d1 + d2",
)
def two_answers(x: float, e1: float, e2: float, d1: float, d2: float) -> tuple[float, float]:
    return gaussian(x, sqrt(2 * log(1.25 / d1)) / e1), gaussian(x, sqrt(2 * log(1.25 / d2)) / e2)


@mechanism(
    adjacent={"count": absolute_distance(2)},
    requires="0 < e1 <= 1 and 0 < e2 <= 1 and 0 < d1 < 1 and 0 < d2 < 1",
    epsilon="e2 + e1",
    delta="d1 + d2",
)
def counts_of_two_days(count: int, e1: float, e2: float, d1: float, d2: float) -> list[int]:
    """On the integers; the distance is a factor."""
    second = 2 * sqrt(2 * log(2 / d2)) / e2
    return [count + gaussian(0, 2 * sqrt(2 * log(2 / d1)) / e1), gaussian(count, second)]


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="0 < e1 <= 1 and 0 < e2 <= 1 and e3 > 0 and 0 < d1 < 1 and 0 < d2 < 1",
    epsilon="e1 + e2 + e3",
    delta="d1 + d2",
)
def each_chosen_by_the_last(
    x: float, e1: float, e2: float, e3: float, d1: float, d2: float
) -> tuple[float, float, float]:
    a = gaussian(x, sqrt(2 * log(1.25 / d1)) / e1)
    b = laplace(x - a, 1 / e3)
    if a > b:
        c = gaussian(x - b, sqrt(2 * log(1.25 / d2)) / e2)
    else:
        c = gaussian(x + b, sqrt(2 * log(1.25 / d2)) / e2)
    return a, b, c


@mechanism(
    adjacent={"x": change_one_distance()},
    requires="0 < eps <= 1 and 0 < delta < 1 and k >= 1 and top > 0 and 0 < e <= 1 and 0 < d < 1",
    epsilon="k * eps + e",
    delta="k * delta + d",
)
def rounds_and_a_last_one(
    x: list[float], top: float, k: int, eps: float, delta: float, e: float, d: float
) -> list[float]:
    """Basic composition, of clipped sums."""
    s = 0.0
    for v in x:
        s += max(0, min(v, top))
    out = []
    for _ in range(k):
        out.append(gaussian(s, top * sqrt(2 * log(1.25 / delta)) / eps))
    out.append(gaussian(s, sqrt(2 * log(1.25 / d)) * top / e))
    return out


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="0 < eps <= 1 and 0 < delta < 1 and k >= 1",
    epsilon="eps",
    delta="delta",
)
def shares_of_k(x: float, k: int, eps: float, delta: float) -> list[float]:
    return [gaussian(x, sqrt(2 * log(1.25 / (delta / k))) / (eps / k)) for _ in range(k)]


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="0 < e1 <= 1 and 0 < e2 <= 1 and 0 < d1 < 1 and 0 < d2 < 1",
    epsilon="e1 + e2",
    delta="d1",
)
def one_delta_is_left_out(x: float, e1: float, e2: float, d1: float, d2: float) -> tuple[float, float]:
    return gaussian(x, sqrt(2 * log(1.25 / d1)) / e1), gaussian(x, sqrt(2 * log(1.25 / d2)) / e2)


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="0 < e1 <= 1 and 0 < e2 <= 1 and 0 < d1 < 1 and 0 < d2 < 1",
    epsilon="e1",
    delta="d1 + d2",
)
def one_epsilon_is_left_out(x: int, e1: float, e2: float, d1: float, d2: float) -> tuple[int, int]:
    a = gaussian(x, sqrt(2 * log(2 / d1)) / e1)
    return a, gaussian(x, sqrt(2 * log(2 / d2)) / e2)


@mechanism(
    adjacent={"x": absolute_distance(3)},
    requires="0 < e1 <= 1 and 0 < e2 <= 1 and 0 < d1 < 1 and 0 < d2 < 1",
    epsilon="e1 + e2",
    delta="d1 + d2",
)
def calibrated_to_less(x: float, e1: float, e2: float, d1: float, d2: float) -> tuple[float, float]:
    """The distance is 3, not 1."""
    return gaussian(x, sqrt(2 * log(1.25 / d1)) / e1), gaussian(x, sqrt(2 * log(1.25 / d2)) / e2)
