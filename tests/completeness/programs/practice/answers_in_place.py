"""Above threshold that writes its answers into a list of falses, as it is left by a return or by its test."""

import numpy as np

from synth.lang import linf_distance, mechanism


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="eps")
def left_by_a_return(q: list[float], t: float, c: int, eps: float) -> list[bool]:
    res = [False] * len(q)
    noisy_t = t + np.random.laplace(0, 2 / eps)
    count = 0
    for i in range(len(q)):
        if q[i] + np.random.laplace(0, 4 * c / eps) >= noisy_t:
            res[i] = True
            count += 1
            if count == c:
                return res
    return res


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="eps")
def left_by_its_test(q: list[float], t: float, c: int, eps: float) -> list[int]:
    res = [0] * len(q)
    noisy_t = t + np.random.laplace(0, 2 / eps)
    count = 0
    i = 0
    while i < len(q) and count < c:
        if q[i] + np.random.laplace(0, 4 * c / eps) >= noisy_t:
            res[i] = 1
            count += 1
        i += 1
    return res
