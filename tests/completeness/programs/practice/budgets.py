"""Gaussian noise, thresholds that cost a delta, and how budgets are split, or spent twice."""

import math

import numpy as np

from synth.lang import absolute_distance, add_remove_distance, change_one_distance, linf_distance, mechanism


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="0 < epsilon and epsilon < 1 and 0 < delta and delta < 1",
    epsilon="epsilon",
    delta="delta",
)
def gaussian_mechanism(x: float, epsilon: float, delta: float) -> float:
    sensitivity = 1
    sigma = np.sqrt(2 * np.log(1.25 / delta)) * sensitivity / epsilon
    return x + np.random.normal(loc=0, scale=sigma)


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="0 < epsilon and epsilon < 1 and 0 < delta and delta < 1",
    epsilon="epsilon",
    delta="delta",
)
def gaussian_with_the_variance(x: float, epsilon: float, delta: float) -> float:
    """What numpy wants is the standard deviation, so the variance is the wrong number where it is below 1."""
    variance = 2 * math.log(1.25 / delta) / epsilon**2
    return x + np.random.normal(0, variance / 4)


@mechanism(
    adjacent={"values": change_one_distance()},
    requires="0 < eps and eps <= 1 and 0 < delta and delta < 1 and len(values) > 0 and bound > 0",
    epsilon="eps",
    delta="delta",
)
def gaussian_mean(values: list[float], bound: float, eps: float, delta: float) -> float:
    n = len(values)
    total = 0.0
    for v in values:
        if v > bound:
            total += bound
        elif v < -bound:
            total -= bound
        else:
            total += v
    sensitivity = 2 * bound / n
    return total / n + np.random.normal(0, sensitivity * math.sqrt(2 * math.log(1.25 / delta)) / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="1", delta="0.00001")
def analytic_gaussian(x: float) -> float:
    """3.7307 is the least sigma for (1, 1e-5)."""
    return x + np.random.normal(0.0, 3.7307)


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="1", delta="0.00001")
def gaussian_with_too_little(x: float) -> float:
    """3.73 is just too little."""
    return x + np.random.normal(0.0, 3.73)


@mechanism(
    adjacent={"count": absolute_distance(1)},
    requires="eps > 0 and 0 < delta and delta < 1",
    epsilon="eps",
    delta="delta",
)
def partition_selection(count: int, eps: float, delta: float) -> float | None:
    """A group of one person is shown with a chance of at most delta."""
    if count <= 0:
        return None
    noisy = count + np.random.laplace(0, 1 / eps)
    threshold = 1 + math.log(1 / (2 * delta)) / eps
    return noisy if noisy >= threshold else None


@mechanism(
    adjacent={"count": absolute_distance(1)},
    requires="eps > 0 and 0 < delta and delta < 1",
    epsilon="eps",
    delta="delta",
)
def partition_selection_without_one(count: int, eps: float, delta: float) -> float | None:
    """The threshold forgets that the count of one person is 1: exp(eps)*delta is least."""
    if count <= 0:
        return None
    noisy = count + np.random.laplace(0, 1 / eps)
    threshold = math.log(1 / (2 * delta)) / eps
    if noisy < threshold:
        return None
    return noisy


@mechanism(
    adjacent={"distance": absolute_distance(1), "x": absolute_distance("bound")},
    requires="eps > 0 and 0 < delta and delta < 1 and bound > 0",
    epsilon="2*eps",
    delta="delta",
)
def test_and_release(distance: float, x: float, bound: float, eps: float, delta: float) -> float | None:
    noisy_distance = distance + np.random.laplace(0, 1 / eps)
    if noisy_distance <= math.log(1 / (2 * delta)) / eps:
        return None
    return x + np.random.laplace(0, bound / eps)


@mechanism(adjacent={"xs": add_remove_distance()}, requires="epsilon > 0 and 0 < share and share < 1")
def two_stages(xs: list[float], share: float, epsilon: float) -> tuple[float, float]:
    """A part of the budget finds the limit, what is left pays for the sum up to it."""
    eps1 = share * epsilon
    eps2 = epsilon - eps1
    n = len(xs) + np.random.laplace(0, 1 / eps1)
    total = sum(max(0.0, min(x, 10.0)) for x in xs) + np.random.laplace(0, 10 / eps2)
    return n, total


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def average_of_two(x: float, eps: float) -> float:
    """Two releases, each with half of the budget, are averaged."""
    first = x + np.random.laplace(0, 2 / eps)
    second = x + np.random.laplace(0, 2 / eps)
    return (first + second) / 2


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and rounds >= 1")
def each_round_the_whole_budget(x: float, rounds: int, eps: float) -> list[float]:
    """The budget is not divided by the rounds: rounds*eps."""
    out = []
    for _ in range(rounds):
        out.append(x + np.random.laplace(0, 1 / eps))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and rounds >= 1")
def each_round_its_share(x: float, rounds: int, eps: float) -> list[float]:
    share = eps / rounds
    return [x + np.random.laplace(0, 1 / share) for _ in range(rounds)]


@mechanism(adjacent={"a": absolute_distance(1), "b": absolute_distance(1)}, requires="eps > 0")
def noise_used_twice(a: float, b: float, eps: float) -> tuple[float, float]:
    """One draw for two numbers: their difference is released as it is."""
    noise = np.random.laplace(0, 2 / eps)
    return a + noise, b + noise


class Accountant:
    def __init__(self, budget: float):
        self.budget = budget
        self.spent = 0.0

    def spend(self, epsilon: float) -> None:
        if self.spent + epsilon > self.budget:
            raise ValueError("the budget is spent")
        self.spent += epsilon


class Session:
    def __init__(self, epsilon: float):
        self.accountant = Accountant(epsilon)

    def count(self, n: int, epsilon: float) -> float:
        self.accountant.spend(epsilon)
        return n + np.random.laplace(0, 1 / epsilon)


@mechanism(adjacent={"n": absolute_distance(1), "m": absolute_distance(1)}, requires="epsilon > 0")
def session(n: int, m: int, epsilon: float) -> tuple[float, float]:
    s = Session(epsilon)
    first = s.count(n, epsilon / 2)
    second = s.count(m, epsilon / 2)
    return first, second


@mechanism(adjacent={"xs": linf_distance(1)}, requires="eps > 0 and len(xs) >= 1")
def released_twice(xs: list[float], eps: float) -> tuple[float, float]:
    """The sum and the mean of all entries from one budget: it is spent twice."""
    n = len(xs)
    total = sum(xs)
    return total + np.random.laplace(0, n / eps), total / n + np.random.laplace(0, 1 / eps)
