"""Gaussian noise on vectors, calibrated to their l2 or l1 distance; three of them are wrong."""

from math import log, sqrt

from synth.lang import gaussian, l1_distance, l2_distance, mechanism


@mechanism(
    adjacent={"q": l2_distance("c")},
    requires="c > 0 and 0 < eps <= 1 and 0 < delta < 1",
    epsilon="eps",
    delta="delta",
)
def gaussian_mechanism(q: list[float], c: float, eps: float, delta: float) -> list[float]:
    """Dwork & Roth 2014, Theorem 3.22."""
    sigma = c * sqrt(2 * log(1.25 / delta)) / eps
    out = []
    for v in q:
        out.append(gaussian(v, sigma))
    return out


@mechanism(
    adjacent={"q": l1_distance(1)},
    requires="0 < eps <= 1 and 0 < delta < 1",
    epsilon="eps",
    delta="delta",
)
def gaussian_for_the_sum_of_distances(q: list[float], eps: float, delta: float) -> list[float]:
    """The squares of numbers sum up to at most the square of their sum."""
    return [v + gaussian(0.0, sqrt(2 * log(1.25 / delta)) / eps) for v in q]


@mechanism(adjacent={"gradient": l2_distance("clip")}, requires="clip > 0 and z >= 4", epsilon="1", delta="0.00001")
def clipped_gradient(gradient: list[float], clip: float, z: float) -> list[float]:
    """Noise is a multiple of the norm that gradients are clipped to (DP-SGD)."""
    noisy = []
    for i in range(len(gradient)):
        noisy.append(gradient[i] + gaussian(0.0, z * clip))
    return noisy


@mechanism(adjacent={"q": l2_distance(1)}, epsilon="1", delta="0.00001")
def vector_twice(q: list[float]) -> list[float]:
    """Two answers for each entry: together as one with sigma 2.83."""
    out = []
    for v in q:
        out.append(gaussian(v, 4))
        out.append(gaussian(v, 4))
    return out


@mechanism(adjacent={"q": l2_distance(1)}, epsilon="1", delta="0.00001")
def half_the_sigma(q: list[float]) -> list[float]:
    return [gaussian(v, 2) for v in q]


@mechanism(adjacent={"q": l2_distance(2)}, epsilon="1", delta="0.00001")
def sigma_for_a_distance_of_one(q: list[float]) -> list[float]:
    out = []
    for v in q:
        out.append(v + gaussian(0.0, 3.8))
    return out
