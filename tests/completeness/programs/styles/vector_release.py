"""Each entry of a vector with noise of its own; the vector moves by 1 in the l1 norm."""

import numpy as np

from synth.lang import l1_distance, laplace, mechanism


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0")
def with_a_loop(q: list[float], eps: float) -> list[float]:
    noisy = []
    for value in q:
        noisy.append(laplace(value, 1 / eps))
    return noisy


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0")
def with_a_comprehension(q: list[float], eps: float) -> list[float]:
    return [value + np.random.laplace(scale=1 / eps) for value in q]


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0")
def with_numpy(q: list[float], eps: float) -> "np.ndarray":
    return np.asarray(q) + np.random.laplace(0.0, 1 / eps, size=len(q))


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0")
def with_item_assignment(q: list[float], eps: float) -> "np.ndarray":
    noisy = np.zeros(len(q))
    for i in range(len(q)):
        noisy[i] = np.random.laplace(q[i], 1 / eps)
    return noisy


class Release:
    def __init__(self, eps: float):
        self.scale = 1 / eps

    def __call__(self, value: float) -> float:
        return np.random.laplace(value, self.scale)


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0")
def with_a_class(q: list[float], eps: float) -> list[float]:
    release = Release(eps)
    return [release(value) for value in q]


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0")
def with_an_early_return(q: list[float], eps: float) -> list[float]:
    if len(q) == 0:
        return []
    noisy = []
    for i, value in enumerate(q):
        noisy += [value + np.random.laplace(0, 1 / eps)]
    return noisy
