"""The exponential mechanism: an index with probability proportional to exp(eps * score / 2)."""

import math
import random

import numpy as np

from synth.lang import exponential_mechanism, linf_distance, mechanism


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0 and len(score) >= 1")
def with_the_language(score: list[float], eps: float) -> int:
    return exponential_mechanism(len(score), lambda r: score[r], epsilon=eps, sensitivity=1)


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0 and len(score) >= 1")
def with_numpy(score: list[float], eps: float) -> int:
    weights = np.exp(eps * np.array(score) / 2)
    return np.random.choice(len(score), p=weights / weights.sum())


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0 and len(score) >= 1")
def with_lists(score: list[float], eps: float) -> int:
    weights = [math.exp(eps * s / 2) for s in score]
    return random.choices(range(len(score)), weights=weights)[0]


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0 and len(score) >= 1")
def with_gumbel_noise(score: list[float], eps: float) -> int:
    noise = np.random.gumbel(scale=2 / eps, size=len(score))
    return int(np.argmax(np.array(score) + noise))


class Chooser:
    def __init__(self, eps: float, sensitivity: float):
        self.factor = eps / (2 * sensitivity)

    def choose(self, scores):
        weights = [math.exp(self.factor * s) for s in scores]
        total = sum(weights)
        return np.random.choice(len(scores), p=[w / total for w in weights])


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0 and len(score) >= 1")
def with_a_class(score: list[float], eps: float) -> int:
    return Chooser(eps, 1.0).choose(score)
