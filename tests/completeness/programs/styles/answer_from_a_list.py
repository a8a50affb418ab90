"""Randomized response among the answers of a list: the truth with probability e^eps / (e^eps + k - 1)."""

import math
import random

import numpy as np

from synth.lang import discrete_distance, mechanism

ANSWERS = ["yes", "no", "perhaps"]


@mechanism(adjacent={"x": discrete_distance()}, requires='eps > 0 and x in ("yes", "no", "perhaps")')
def with_the_place(x: str, eps: float) -> str:
    answers = list(ANSWERS)
    if x not in answers:
        raise ValueError(f"{x} is no answer")
    place, k = answers.index(x), len(answers)
    if np.random.random() < np.exp(eps) / (np.exp(eps) + k - 1):
        return x
    other = np.random.randint(k - 1)
    return answers[other if other < place else other + 1]


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and 0 <= x < 3")
def with_the_others(x: int, eps: float) -> int:
    values = [0, 1, 2]
    if x not in values:
        raise ValueError("no such answer")
    p = math.e**eps / (math.e**eps + len(values) - 1)
    if random.random() < p:
        return x
    values.remove(x)
    return values[np.random.randint(low=0, high=len(values))]


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and 0 <= x < 4")
def with_a_copy(x: int, eps: float) -> int:
    return Response(eps, [0, 1, 2, 3]).encode(x)


class Response:
    def __init__(self, eps: float, domain: list[int]):
        self.domain = domain
        self.p = np.e**eps / (np.e**eps + len(self.domain) - 1)

    def encode(self, x: int) -> int:
        others = self.domain.copy()
        others.remove(x)
        return x if np.random.binomial(1, self.p) == 1 else random.choice(others)


@mechanism(adjacent={"x": discrete_distance()}, requires='eps > 0 and x in ("yes", "no", "perhaps")')
def with_a_lie(x: str, eps: float) -> str:
    lie = random.choice([v for v in ANSWERS if v != x])
    p = math.exp(eps) / (math.exp(eps) + 2)
    return x if x in ANSWERS and random.random() < p else lie


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and 0 <= x < 3")
def with_a_search(x: int, eps: float) -> int:
    values, place = [0, 1, 2], -1
    for i in range(len(values)):
        if values[i] == x:
            place = i
    other = random.randrange(2)
    if random.random() < math.exp(eps) / (math.exp(eps) + 2):
        return values[place]
    return values[other + 1] if other >= place else values[other]
