"""Report noisy max: which candidate has the largest score; only the index is told."""

from synth.lang import *


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) > 0", epsilon="eps")
def noisy_max(scores: list[int], eps: float) -> int:
    best = 0
    largest = 0
    for i in range(len(scores)):
        noisy = laplace(scores[i], scale=2 / eps)
        if i == 0 or noisy > largest:
            best = i
            largest = noisy
    return best
