"""Randomized response on one bit: the truth with probability 3/4."""

import random
import secrets
from enum import Enum

import numpy as np

from synth.lang import *


@mechanism(adjacent={"truth": discrete_distance()})
def with_coins(truth: bool) -> bool:
    if bernoulli(0.5):
        return truth
    return bernoulli(0.5)


@mechanism(adjacent={"truth": discrete_distance()})
def with_random(truth: bool) -> bool:
    if random.random() < 0.5:
        return truth
    return random.random() < 0.5


@mechanism(adjacent={"truth": discrete_distance()})
def with_numpy(truth: bool) -> bool:
    first, second = np.random.randint(0, 2, size=2)
    return truth if first == 1 else bool(second)


class Answer(Enum):
    YES = "yes"
    NO = "no"


@mechanism(adjacent={"truth": discrete_distance()})
def with_an_enum(truth: bool) -> Answer:
    answer = Answer.YES if truth else Answer.NO
    if secrets.randbelow(2) == 0:
        return answer
    return secrets.choice([Answer.YES, Answer.NO])


class Coin:
    def __init__(self, p: float):
        self.p = p

    def toss(self) -> bool:
        return np.random.uniform() < self.p


@mechanism(adjacent={"truth": discrete_distance()})
def with_a_class(truth: bool) -> int:
    coin = Coin(p=0.25)
    return int(truth) ^ int(coin.toss())


@mechanism(adjacent={"truth": discrete_distance()})
def with_labels(truth: bool) -> str:
    flip = random.choices([True, False], weights=[1, 3])[0]
    if truth != flip:
        return "yes"
    return "no"
