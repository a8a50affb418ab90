"""Sparse vector: up to c queries above a limit."""

import numpy as np

from synth.lang import laplace, linf_distance, mechanism


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c >= 1")
def with_a_loop(q: list[int], t: int, c: int, eps: float) -> list[bool]:
    out = []
    count = 0
    bar = laplace(t, 2 / eps)
    i = 0
    while i < len(q) and count < c:
        if laplace(q[i], 4 * c / eps) >= bar:
            out.append(True)
            count += 1
        else:
            out.append(False)
        i += 1
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c >= 1")
def with_numpy(q: list[float], t: float, c: int, eps: float) -> list[bool]:
    out, count = [], 0
    bar = t + np.random.laplace(scale=2 / eps)
    for value in q:
        if value + np.random.laplace(scale=4 * c / eps) >= bar:
            out.append(True)
            count += 1
            if count >= c:
                break
        else:
            out.append(False)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c >= 1")
def with_indices(q: list[float], t: float, c: int, eps: float) -> list[int]:
    found = []
    bar = t + np.random.laplace(scale=2 / eps)
    for i, value in enumerate(q):
        if len(found) == c:
            return found
        if value + np.random.laplace(scale=4 * c / eps) >= bar:
            found.append(i)
    return found


class SparseVector:
    def __init__(self, t: float, c: int, eps: float):
        self.bar = t + np.random.laplace(scale=2 / eps)
        self.scale = 4 * c / eps
        self.left = c

    def test(self, value: float) -> bool:
        above = value + np.random.laplace(scale=self.scale) >= self.bar
        if above:
            self.left -= 1
        return above


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c >= 1")
def with_a_class(q: list[float], t: float, c: int, eps: float) -> list[bool]:
    vector = SparseVector(t, c, eps)
    out = []
    for value in q:
        if vector.left == 0:
            break
        out.append(vector.test(value))
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c >= 1")
def with_labels(q: list[float], t: float, c: int, eps: float) -> list[str]:
    out = []
    bar = t + np.random.laplace(scale=2 / eps)
    left = c
    for value in q:
        if left == 0:
            out.append("unanswered")
            continue
        if value + np.random.laplace(scale=4 * c / eps) >= bar:
            left -= 1
            out.append("above")
        else:
            out.append("below")
    return out
