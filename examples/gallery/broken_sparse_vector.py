"""A wrong sparse vector, as it was once published: the queries get no noise, and nothing limits the answers.

Lyu, Su & Li 2017, Algorithm 5.
"""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def broken_sparse_vector(q: list[int], t: int, eps: float) -> list[bool]:
    threshold = laplace(t, scale=2 / eps)
    out = []
    for i in range(len(q)):
        out.append(q[i] >= threshold)
    return out
