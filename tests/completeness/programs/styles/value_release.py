"""One number with Laplace noise."""

import random
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
from scipy import stats

from synth.lang import absolute_distance, mechanism

rng = np.random.default_rng()


@mechanism(adjacent={"salary": absolute_distance("width")}, requires="eps > 0 and width > 0")
def with_numpy(salary: float, width: float, eps: float) -> float:
    return salary + np.random.laplace(0.0, width / eps)


@mechanism(adjacent={"salary": absolute_distance("width")}, requires="eps > 0 and width > 0")
def with_a_generator(salary: float, width: float, eps: float) -> float:
    return rng.laplace(loc=salary, scale=width / eps)


@dataclass
class Noise:
    scale: float

    def add(self, value: float) -> float:
        return value + stats.laplace.rvs(scale=self.scale)


@mechanism(adjacent={"salary": absolute_distance("width")}, requires="width > 0")
def with_a_class(salary: float, width: float, eps: float) -> float:
    if eps <= 0:
        raise ValueError("eps must be positive")
    noise = Noise(scale=width / eps)
    return noise.add(salary)


@mechanism(adjacent={"salary": absolute_distance("width")}, requires="eps > 0 and width > 0")
def with_a_dict(salary: float, width: float, eps: float) -> dict[str, float]:
    settings = {"scale": width / eps}
    sign = 1 if random.random() < 0.5 else -1
    return {"salary": salary + sign * random.expovariate(1 / settings["scale"])}


Reply = namedtuple("Reply", ["value", "scale"])


@mechanism(adjacent={"salary": absolute_distance("width")}, requires="eps > 0 and width > 0")
def with_an_early_return(salary: float, width: float, eps: float) -> Reply:
    scale = width / eps
    if scale > 1000:
        return Reply(None, scale)
    noisy = np.random.laplace(salary, scale)
    return Reply(noisy, scale)
