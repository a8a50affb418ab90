"""One number with Gaussian noise, with the classical calibration."""

import math
import random
from dataclasses import dataclass

import numpy as np

from synth.lang import absolute_distance, gaussian, mechanism


@mechanism(
    adjacent={"x": absolute_distance("width")},
    requires="0 < eps and eps <= 1 and 0 < delta and delta < 1 and width > 0",
    epsilon="eps",
    delta="delta",
)
def with_the_language(x: float, width: float, eps: float, delta: float) -> float:
    return gaussian(x, width * math.sqrt(2 * math.log(1.25 / delta)) / eps)


@mechanism(
    adjacent={"x": absolute_distance("width")},
    requires="0 < eps and eps <= 1 and 0 < delta and delta < 1 and width > 0",
    epsilon="eps",
    delta="delta",
)
def with_numpy(x: float, width: float, eps: float, delta: float) -> float:
    sigma = np.sqrt(2 * np.log(1.25 / delta)) * width / eps
    return x + np.random.normal(0.0, sigma)


@mechanism(
    adjacent={"x": absolute_distance("width")},
    requires="width > 0",
    epsilon="eps",
    delta="delta",
)
def with_random(x: float, width: float, eps: float, delta: float) -> float:
    if not 0 < eps <= 1:
        raise ValueError("eps")
    if not 0 < delta < 1:
        raise ValueError("delta")
    return random.gauss(x, width * math.sqrt(2 * math.log(1.25 / delta)) / eps)


@dataclass
class GaussianMechanism:
    eps: float
    delta: float
    sensitivity: float

    def __post_init__(self):
        self.sigma = math.sqrt(2 * math.log(1.25 / self.delta)) * self.sensitivity / self.eps

    def randomise(self, value: float) -> float:
        return value + self.sigma * np.random.standard_normal()


@mechanism(
    adjacent={"x": absolute_distance("width")},
    requires="0 < eps and eps <= 1 and 0 < delta and delta < 1 and width > 0",
    epsilon="eps",
    delta="delta",
)
def with_a_class(x: float, width: float, eps: float, delta: float) -> float:
    return GaussianMechanism(eps, delta, sensitivity=width).randomise(x)


@mechanism(
    adjacent={"x": absolute_distance("width")},
    requires="0 < eps and eps <= 1 and 0 < delta and delta < 1 and width > 0",
    epsilon="eps",
    delta="delta",
)
def with_a_dict(x: float, width: float, eps: float, delta: float) -> float:
    parameters = {"loc": x, "scale": width * np.sqrt(2 * np.log(1.25 / delta)) / eps}
    return np.random.normal(**parameters)
