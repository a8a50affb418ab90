"""The programs of ShadowDP (Wang et al. 2019) that CheckDP has otherwise or not at all; LightDP's are among them."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def sparse_vector(q: list[float], t: float, eps: float) -> list[int]:
    """Says of each query whether it is above the threshold, until one is."""
    threshold = t + laplace(0.0, 2 / eps)
    out = []
    count = 0
    i = 0
    while count < 1 and i < len(q):
        noise = laplace(0.0, 4 * 1 / eps)
        if q[i] + noise >= threshold:
            out.append(1)
            count = count + 1
        else:
            out.append(0)
        i = i + 1
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def num_sparse_vector(q: list[float], t: float, eps: float) -> list[float]:
    """The first query above the threshold, with fresh noise."""
    threshold = t + laplace(0.0, 3 / eps)
    out = []
    count = 0
    i = 0
    while count < 1 and i < len(q):
        noise = laplace(0.0, 6 * 1 / eps)
        if q[i] + noise >= threshold:
            out.append(q[i] + laplace(0.0, 3 * 1 / eps))
            count = count + 1
        else:
            out.append(0.0)
        i = i + 1
    return out


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0", epsilon="eps")
def prefix_sum(q: list[float], t: float, eps: float) -> list[float]:
    """Running sums of noisy entries, up to time t."""
    out = []
    following = 0.0
    i = 0
    while i <= t and i < len(q):
        following = following + q[i] + laplace(0.0, 1 / eps)
        out.append(following)
        i = i + 1
    return out


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0 and m > 0", epsilon="2*eps")
def smart_sum(q: list[float], t: float, m: int, eps: float) -> list[float]:
    """Running sums by blocks of length m, up to time t; a block's noisy sum is added to what came before."""
    out = []
    following = 0.0
    total = 0.0
    i = 0
    while i <= t and i < len(q):
        if (i + 1) % m == 0:
            following = following + total + q[i] + laplace(0.0, 1 / eps)
            total = 0.0
            out.append(following)
        else:
            following = following + q[i] + laplace(0.0, 1 / eps)
            total = total + q[i]
            out.append(following)
        i = i + 1
    return out
