"""Above threshold: the first query that is above a limit, both with noise."""

from dataclasses import dataclass

import numpy as np

from synth.lang import laplace, linf_distance, mechanism


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def with_a_loop(q: list[int], t: int, eps: float) -> int:
    bar = laplace(t, 2 / eps)
    for i in range(len(q)):
        if laplace(q[i], 4 / eps) >= bar:
            return i
    return -1


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def with_numpy(q: list[float], t: float, eps: float) -> int | None:
    bar = t + np.random.laplace(scale=2 / eps)
    for i, value in enumerate(q):
        if value + np.random.laplace(scale=4 / eps) >= bar:
            return i
    return None


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def with_a_list_of_answers(q: list[float], t: float, eps: float) -> list[bool]:
    answers = []
    bar = t + np.random.laplace(scale=2 / eps)
    for value in q:
        above = value + np.random.laplace(scale=4 / eps) >= bar
        answers.append(above)
        if above:
            break
    return answers


@dataclass
class Threshold:
    value: float
    eps: float

    def __post_init__(self):
        self.noisy = self.value + np.random.laplace(scale=2 / self.eps)

    def exceeded(self, x: float) -> bool:
        return x + np.random.laplace(scale=4 / self.eps) >= self.noisy


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def with_a_class(q: list[float], t: float, eps: float) -> int:
    threshold = Threshold(t, eps)
    for i, value in enumerate(q):
        if threshold.exceeded(value):
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def with_a_while_loop(q: list[float], t: float, eps: float) -> int:
    bar, i = np.random.laplace(t, 2 / eps), 0
    while i < len(q) and q[i] + np.random.laplace(0, 4 / eps) < bar:
        i += 1
    return i


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def with_a_walrus(q: list[float], t: float, eps: float) -> int:
    bar, i = np.random.laplace(t, 2 / eps), -1
    while True:
        if (i := i + 1) == len(q) or np.random.laplace(q[i], 4 / eps) >= bar:
            return i
