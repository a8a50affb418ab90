"""Vectors released coordinate by coordinate, or all at once."""

from synth.lang import *


@mechanism(adjacent={"x": l1_distance("Delta")}, requires="eps > 0 and Delta > 0")
def laplace_vector(x: list[int], Delta: int, eps: float) -> list[int]:
    """Each coordinate with noise; the differences of all coordinates add up to Delta at most."""
    out = []
    for value in x:
        out.append(laplace(value, scale=Delta / eps))
    return out


@mechanism(adjacent={"x": l1_distance("Delta")}, requires="eps > 0 and Delta > 0")
def laplace_vector_real(x: list[float], Delta: float, eps: float) -> list[float]:
    """Each real coordinate with noise."""
    out = []
    for value in x:
        out.append(laplace(value, scale=Delta / eps))
    return out


@mechanism(adjacent={"x": l1_distance("Delta")}, requires="eps > 0 and Delta > 0")
def vector_noise(x: list[int], Delta: int, eps: float) -> list[int]:
    """All coordinates with noise at once."""
    return laplace(x, scale=Delta / eps)


@mechanism(adjacent={"x": l1_distance("Delta")}, requires="eps > 0 and Delta > 0")
def vector_noise_real(x: list[float], Delta: float, eps: float) -> list[float]:
    """All real coordinates with noise at once."""
    return laplace(x, scale=Delta / eps)


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0")
def noisy_and_sum(q: list[int], eps: float) -> tuple[list[int], int]:
    """A list of counts that was built, with noise, and the sum of the noisy counts."""
    counts = []
    for x in q:
        counts.append(2 * x)
    noisy = laplace(counts, scale=2 / eps)
    total = 0
    for y in noisy:
        total += y
    return noisy, total
