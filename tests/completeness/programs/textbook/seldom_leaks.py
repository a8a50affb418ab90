"""Mechanisms that seldom tell a record as it is: what pure privacy forbids, and a δ allows."""

from synth.lang import *


@mechanism(adjacent={"x": change_one_distance()}, requires="0 < delta < 1", epsilon="0", delta="delta")
def name_and_shame(x: list[int], delta: float) -> list[int]:
    """Vadhan 2017: each record is published with a chance of delta."""
    out = []
    for v in x:
        out.append(v if bernoulli(delta) else 0)
    return out


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="eps > 0 and 0 < delta < 1",
    epsilon="eps",
    delta="delta",
)
def leak_or_noise(x: float, eps: float, delta: float) -> float:
    """Kamath's notes: with a chance of delta all is told."""
    if bernoulli(delta):
        return x
    return laplace(x, 1 / eps)


@mechanism(
    adjacent={"x": change_one_distance(1)},
    requires="eps > 0 and 0 < delta < 1",
    epsilon="eps",
    delta="delta",
)
def noise_nearly_always(x: list[int], eps: float, delta: float) -> int:
    """The same the other way round, of a sum."""
    total = sum(x)
    safe = bernoulli(1 - delta)
    return laplace(total, 1 / eps) if safe else total


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="eps > 0 and 0 < p <= 1/4",
    epsilon="2*eps",
    delta="2*p",
)
def two_leaks(x: int, eps: float, p: float) -> tuple[int, int]:
    """Two answers, of which each leaks."""
    first = x if bernoulli(p) else laplace(x, 1 / eps)
    second = x if bernoulli(p) else laplace(x, 1 / eps)
    return first, second


@mechanism(
    adjacent={"x": linf_distance(1)},
    requires="0 < delta < 1",
    epsilon="0",
    delta="delta",
)
def name_and_shame_of_all(x: list[int], delta: float) -> list[int]:
    """False: all records may differ, and each of them leaks."""
    return [v if bernoulli(delta) else 0 for v in x]


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="eps > 0 and 0 < delta < 1/4",
    epsilon="2*eps",
    delta="delta",
)
def two_leaks_for_one(x: int, eps: float, delta: float) -> tuple[int, int]:
    """False: each of two answers leaks with the whole delta."""
    first = x if bernoulli(delta) else laplace(x, 1 / eps)
    second = x if bernoulli(delta) else laplace(x, 1 / eps)
    return first, second
