"""Selections, each with one mistake."""

import random

import numpy as np

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps")
def argmax_numpy_half(q: list[float], eps: float) -> int:
    """Scale 1/eps where 2/eps is needed."""
    scores = np.array(q) + np.random.laplace(0, 1 / eps, size=len(q))
    return int(np.argmax(scores))


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps/2")
def argmax_gumbel(q: list[float], eps: float) -> int:
    """Gumbel noise of 2/eps gives eps, not eps/2."""
    return int(np.argmax(np.array(q) + np.random.gumbel(scale=2 / eps, size=len(q))))


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0 and n >= 1", epsilon="eps")
def exponential_no_half(score: Callable[[int], int], n: int, eps: float) -> int:
    """exp(eps * score) without the factor 2."""
    return choice(n, lambda r: eps * score(r))


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) == 4", epsilon="eps")
def weights_numpy(q: list[float], eps: float) -> int:
    """The exponential mechanism spelled in numpy, without the 2."""
    w = np.exp(eps * np.array(q))
    p = w / w.sum()
    return np.random.choice(len(p), p=p)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 1", epsilon="eps")
def max_value_only(q: list[float], eps: float) -> float:
    """The largest of the noisy answers."""
    return max(laplace(v, 2 / eps) for v in q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 1", epsilon="eps")
def exact_max_index_noisy_value(q: list[int], eps: float) -> int:
    """The first index of the true maximum, with noise on the value."""
    best = 0
    for i in range(len(q)):
        if q[i] > q[best]:
            best = i
    if laplace(q[best], 1 / eps) > 0:
        return best
    return -1


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps")
def one_sided_max(q: list[int], eps: float) -> int:
    """Exponential noise of 1/eps."""
    best = 0
    top = exponential(q[0], 1 / eps)
    for i in range(1, len(q)):
        y = exponential(q[i], 1 / eps)
        if y > top:
            best, top = i, y
    return best


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) == 3", epsilon="eps")
def permute_and_flip_wrong(q: list[int], eps: float) -> int:
    """Retry until a coin accepts: acceptance exp(eps * (q - max)) without the 2."""
    top = max(q)
    while True:
        i = uniform_int(0, 2)
        if bernoulli(exp(eps * (q[i] - top))):
            return i
