"""Gaussian noise: one release, by the classical calibration and by the tight one."""

from math import log, sqrt

from synth.lang import *


@mechanism(
    adjacent={"x": absolute_distance("Delta")},
    requires="0 < eps and eps <= 1 and 0 < delta and delta < 1 and Delta > 0",
    epsilon="eps",
    delta="delta",
)
def gaussian_release(x: float, Delta: float, eps: float, delta: float) -> float:
    """The classical calibration, for all parameters."""
    return gaussian(x, Delta * sqrt(2 * log(1.25 / delta)) / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=0.00001)
def gaussian_tight(x: float) -> float:
    """The analytic calibration: the least sigma for this claim is 3.73063..."""
    return gaussian(x, 3.7307)


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=0.00001)
def gaussian_discrete(x: int) -> int:
    """On the integers."""
    return gaussian(x, 5)


@mechanism(
    adjacent={"q": change_one_distance(1)},
    requires="0 < eps and eps <= 1 and 0 < delta and delta < 1",
    epsilon="eps",
    delta="delta",
)
def gaussian_vector(q: list[float], eps: float, delta: float) -> list[float]:
    """Noise on each entry, of which one differs."""
    out = []
    for x in q:
        out.append(gaussian(x, sqrt(2 * log(1.25 / delta)) / eps))
    return out
