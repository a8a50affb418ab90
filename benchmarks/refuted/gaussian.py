"""Claims with a delta that are too small: Gaussian noise, Laplace noise, rare outputs."""

from math import log, sqrt

from synth.lang import *


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="eps > 0 and delta > 0 and delta < 1",
    epsilon="eps",
    delta="delta",
)
def gaussian_half(x: int, eps: float, delta: float) -> int:
    """Half the noise of the usual bound."""
    return gaussian(x, sigma=sqrt(2 * log(1.25 / delta)) / (2 * eps))


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="eps > 0 and delta > 0 and delta < 1",
    epsilon="eps",
    delta="delta",
)
def gaussian_usual_any_eps(x: float, eps: float, delta: float) -> float:
    """The usual bound holds for eps < 1 only (Balle & Wang 2018, section 2)."""
    return gaussian(x, sigma=sqrt(2 * log(1.25 / delta)) / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="1", delta="1/100000")
def gaussian_slightly_too_small(x: float) -> float:
    """The least sigma for (1, 1e-5) is 3.7303... (Balle & Wang 2018, theorem 8)."""
    return gaussian(x, sigma=3.72)


@mechanism(adjacent={"q": linf_distance(1)}, requires="sigma >= 1", epsilon="1/sigma", delta="1/(100*sigma)")
def gaussian_vector(q: list[int], sigma: float) -> list[int]:
    """One sigma for each entry, where all entries may move."""
    out = []
    for x in q:
        out.append(gaussian(x, sigma))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps/2", delta="0.1")
def laplace_small_delta(x: float, eps: float) -> float:
    """Laplace noise for eps, with a delta that does not make up for claiming half of it."""
    return laplace(x, scale=1 / eps)


@mechanism(
    adjacent={"count": absolute_distance(1)},
    requires="eps > 0 and delta > 0 and delta < 1",
    epsilon="eps",
    delta="delta",
)
def histogram_low_threshold(count: int, eps: float, delta: float) -> int:
    """A histogram's key is released if its noisy count is high enough; log(1/(2*delta))/eps would be."""
    if count <= 0:
        return 0
    noisy = laplace(count, scale=1 / eps)
    if noisy >= 1 + log(1 / (8 * delta)) / eps:
        return noisy
    return 0


@mechanism(
    adjacent={"count": absolute_distance(1)},
    requires="eps > 0 and delta > 0 and delta < 1",
    epsilon="eps",
    delta="delta",
)
def histogram_low_threshold_real(count: float, eps: float, delta: float) -> float:
    """The same on reals; what is not released is told as 0."""
    if count <= 0:
        return 0.0
    noisy = laplace(count, scale=1 / eps)
    return noisy if noisy >= 1 + log(1 / (4 * delta)) / eps else 0.0


@mechanism(adjacent={"bit": discrete_distance()}, requires="eps > 0", epsilon="eps", delta="1/200")
def response_with_a_leak(bit: bool, eps: float) -> bool:
    """One time in a hundred the bit itself is told."""
    if bernoulli(0.01):
        return bit
    return randomized_response(bit, eps)


@mechanism(adjacent={"counts": linf_distance(1)}, requires="eps > 0", epsilon="eps", delta="exp(-9*eps)")
def stable_mode_low(counts: list[int], eps: float) -> int:
    """Propose, test, release with a threshold too low: a lead of 2 can be lost, and passes too often."""
    best = 0
    second = 0
    winner = 0
    for i in range(len(counts)):
        if counts[i] > best:
            second = best
            best = counts[i]
            winner = i
        elif counts[i] > second:
            second = counts[i]
    lead = laplace(best - second, scale=2 / eps)
    if lead > 8:
        return winner
    return -1
