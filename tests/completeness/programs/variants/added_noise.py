"""Noise that is drawn around 0 and added later, to integers and to reals."""

from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def real_noise_for_an_integer(x: int, eps: float) -> float:
    """The sum is a real; the noise makes up for a difference of integers."""
    noise = laplace(0.0, 1 / eps)
    return x + noise


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def used_twice(x: int, eps: float) -> tuple[float, bool]:
    """The noisy value is returned, and so is a test of it."""
    noise = laplace(0.0, 1 / eps)
    return x + noise, x + noise > 10


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def first_above_with_real_noise(q: list[int], t: int, eps: float) -> int:
    """Above threshold, with both draws around 0."""
    bar = laplace(0.0, 2 / eps)
    for i in range(len(q)):
        noise = laplace(0.0, 4 / eps)
        if q[i] + noise >= t + bar:
            return i
    return -1


@mechanism(adjacent={"x": absolute_distance("w")}, requires="eps > 0 and w > 0")
def scaled_later(x: float, w: float, eps: float) -> float:
    """Standard noise, which a local variable scales."""
    scale = w / eps
    noise = laplace(0.0, 1.0)
    return x + scale * noise


@mechanism(adjacent={"x": absolute_distance("w")}, requires="eps > 0 and w > 0")
def scaled_by_two_factors(x: int, w: int, eps: float) -> float:
    """A product and a quotient."""
    return x + laplace(0.0, 1.0) * w / eps


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def scaled_in_a_loop(q: list[float], t: float, eps: float) -> int:
    """Above threshold with standard noise."""
    bar = t + laplace(0.0, 1.0) * (2 / eps)
    for i in range(len(q)):
        noise = laplace(0.0, 1.0)
        if q[i] + 4 * noise / eps >= bar:
            return i
    return -1
