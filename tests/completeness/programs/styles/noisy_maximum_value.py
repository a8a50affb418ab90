"""The largest of the noisy entries, as a value: each draw is paid for only once."""

import numpy as np

from synth.lang import l1_distance, laplace, mechanism


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0 and len(q) >= 1")
def with_a_loop(q: list[float], eps: float) -> float:
    best = laplace(q[0], 1 / eps)
    for i in range(1, len(q)):
        best = max(best, laplace(q[i], 1 / eps))
    return best


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0 and len(q) >= 1")
def with_numpy(q: list[float], eps: float) -> float:
    return np.max(np.array(q) + np.random.laplace(scale=1 / eps, size=len(q)))


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0 and len(q) >= 1")
def with_a_generator(q: list[float], eps: float) -> float:
    return max(value + np.random.laplace(scale=1 / eps) for value in q)


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0 and len(q) >= 1")
def with_a_sorted_list(q: list[float], eps: float) -> float:
    noisy = [np.random.laplace(value, 1 / eps) for value in q]
    noisy.sort()
    return noisy[-1]


class Maximum:
    def __init__(self):
        self.value = None

    def update(self, value: float) -> None:
        if self.value is None or value > self.value:
            self.value = value


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0 and len(q) >= 1")
def with_a_class(q: list[float], eps: float) -> float:
    maximum = Maximum()
    for value in q:
        maximum.update(value + np.random.laplace(0, 1 / eps))
    return maximum.value
