"""Report noisy max: the index of the largest noisy score."""

import numpy as np

from synth.lang import laplace, linf_distance, mechanism


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 1")
def with_a_loop(q: list[float], eps: float) -> int:
    best, index = None, 0
    for i in range(len(q)):
        noisy = laplace(q[i], 2 / eps)
        if best is None or noisy > best:
            best, index = noisy, i
    return index


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 1")
def with_numpy(q: list[float], eps: float) -> int:
    noisy = np.array(q) + np.random.laplace(scale=2 / eps, size=len(q))
    return int(np.argmax(noisy))


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 1")
def with_lists(q: list[float], eps: float) -> int:
    noisy = [x + np.random.laplace(scale=2 / eps) for x in q]
    return noisy.index(max(noisy))


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 1")
def with_infinity(q: list[float], eps: float) -> int:
    best = -np.inf
    winner = 0
    for i, score in enumerate(q):
        candidate = score + np.random.laplace(0, 2 / eps)
        if candidate > best:
            best = candidate
            winner = i
    return winner


class Contest:
    def __init__(self, eps: float):
        self.scale = 2 / eps
        self.best = None
        self.winner = 0

    def enter(self, i: int, score: float) -> None:
        noisy = score + np.random.laplace(scale=self.scale)
        if self.best is None or noisy > self.best:
            self.best = noisy
            self.winner = i


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 1")
def with_a_class(q: list[float], eps: float) -> int:
    contest = Contest(eps)
    for i, score in enumerate(q):
        contest.enter(i, score)
    return contest.winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 1")
def with_an_early_return(q: list[float], eps: float) -> int:
    if len(q) == 1:
        return 0
    return np.argmax([np.random.laplace(x, 2 / eps) for x in q])
