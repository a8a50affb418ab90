"""Sparse vector: the answers "below" are free, the first c answers "above" are paid for."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c >= 1", epsilon="eps")
def sparse_vector(q: list[int], t: int, c: int, eps: float) -> list[bool]:
    threshold = laplace(t, scale=2 / eps)
    out = []
    count = 0
    for i in range(len(q)):
        if count < c:
            if laplace(q[i], scale=4 * c / eps) >= threshold:
                out.append(True)
                count += 1
            else:
                out.append(False)
    return out
