"""Local mechanisms: randomized response, k-ary response, unary encodings, RAPPOR; half of them are wrong."""


import random

import numpy as np

from synth.lang import change_one_distance, discrete_distance, exp, log, mechanism  # noqa: F401


@mechanism(adjacent={"truth": discrete_distance()})
def two_coins(truth: bool) -> bool:
    """Heads: the truth; tails: a second coin. The truth has 3/4, the lie 1/4: log(3)."""
    if random.random() < 0.5:
        return truth
    return random.random() < 0.5


@mechanism(adjacent={"truth": discrete_distance()}, requires="epsilon >= 0")
def warner(truth: bool, epsilon: float) -> bool:
    p = exp(epsilon) / (1 + exp(epsilon))
    if np.random.random() <= p:
        return truth
    else:
        return not truth


@mechanism(adjacent={"truth": discrete_distance()})
def warner_by_randint(truth: bool) -> bool:
    """A die: the lie at 1, so log(5)."""
    if random.randint(1, 6) == 1:
        return not truth
    return truth


@mechanism(adjacent={"value": discrete_distance()}, requires="0 <= value < k and k >= 2 and epsilon > 0")
def k_ary(value: int, k: int, epsilon: float) -> int:
    p = exp(epsilon) / (exp(epsilon) + k - 1)
    if random.random() < p:
        return value
    other = random.randrange(k - 1)
    if other >= value:
        other += 1
    return other


@mechanism(adjacent={"value": discrete_distance()}, requires="0 <= value < k and k >= 2 and epsilon > 0")
def k_ary_with_itself(value: int, k: int, epsilon: float) -> int:
    """The other value may be the true one: log(1 + k*exp(epsilon)/(k - 1)) is least."""
    p = exp(epsilon) / (exp(epsilon) + k - 1)
    if random.random() < p:
        return value
    return random.randint(0, k - 1)


@mechanism(adjacent={"value": discrete_distance()}, requires="0 <= value < 4 and epsilon > 0")
def unary_encoding(value: int, epsilon: float) -> list[int]:
    """Two bits differ, each is flipped with 1/(1 + exp(epsilon/2))."""
    p = exp(epsilon / 2) / (1 + exp(epsilon / 2))
    report = []
    for i in range(4):
        bit = 1 if i == value else 0
        if random.random() < p:
            report.append(bit)
        else:
            report.append(1 - bit)
    return report


@mechanism(adjacent={"value": discrete_distance()}, requires="0 <= value < 4 and epsilon > 0")
def unary_encoding_of_full_budget(value: int, epsilon: float) -> list[int]:
    """Two bits differ, and each of them gets the whole budget: 2*epsilon."""
    p = exp(epsilon) / (1 + exp(epsilon))
    report = []
    for i in range(4):
        bit = 1 if i == value else 0
        report.append(bit if random.random() < p else 1 - bit)
    return report


@mechanism(adjacent={"value": discrete_distance()}, requires="0 <= value < k and k >= 2 and epsilon > 0")
def optimal_unary_encoding(value: int, k: int, epsilon: float) -> list[int]:
    """The 1 is kept with 1/2, a 0 becomes 1 with 1/(1 + exp(epsilon))."""
    q = 1 / (exp(epsilon) + 1)
    vector = []
    for i in range(k):
        if i == value:
            vector.append(1 if random.random() < 0.5 else 0)
        else:
            vector.append(1 if random.random() < q else 0)
    return vector


@mechanism(adjacent={"bits": change_one_distance()}, requires="0 < f and f < 1")
def permanent_response(bits: list[bool], f: float) -> list[bool]:
    """RAPPOR's permanent response: each bit is 1 with f/2, 0 with f/2, itself with 1 - f."""
    report = []
    for b in bits:
        u = random.random()
        if u < f / 2:
            report.append(True)
        elif u < f:
            report.append(False)
        else:
            report.append(b)
    return report


@mechanism(adjacent={"x": discrete_distance()}, requires="-1 <= x <= 1 and epsilon > 0")
def laplace_of_a_bounded_value(x: float, epsilon: float) -> float:
    """Values from -1 to 1 differ by up to 2, but the noise is for 1: 2*epsilon."""
    return x + np.random.laplace(0, 1 / epsilon)


@mechanism(adjacent={"x": discrete_distance()}, requires="epsilon > 0")
def laplace_of_a_clipped_value(x: float, epsilon: float) -> float:
    clipped = max(-1.0, min(1.0, x))
    return clipped + np.random.laplace(0, 2 / epsilon)


@mechanism(adjacent={"answers": change_one_distance()})
def survey(answers: list[bool]) -> float:
    """Each person answers with two coins; the estimate is post-processing."""
    reported = 0
    for answer in answers:
        if random.random() < 0.5:
            if answer:
                reported += 1
        elif random.random() < 0.5:
            reported += 1
    return 2 * reported - len(answers) / 2


@mechanism(adjacent={"truth": discrete_distance()})
def coin_used_twice(truth: bool) -> bool:
    """One coin decides whether to tell the truth, and what else to say: True is always the truth."""
    coin = random.random() < 0.5
    if coin:
        return truth
    return coin


@mechanism(adjacent={"values": change_one_distance()}, requires="epsilon > 0 and len(values) > 0")
def one_bit_means(values: list[float], epsilon: float) -> float:
    """Each answers with one of two numbers, so that the mean is right: the value is clipped under its own name."""
    k = (exp(epsilon) + 1) / (exp(epsilon) - 1)
    answers = []
    for value in values:
        value = max(-1.0, min(1.0, value))
        chance = 0.5 + value / (2 * k)
        answers.append(k if random.random() < chance else -k)
    return sum(answers) / len(answers)


@mechanism(adjacent={"values": change_one_distance()}, requires="epsilon > 0 and len(values) > 0")
def one_bit_means_of_half(values: list[float], epsilon: float) -> float:
    """The chance is that of 2*epsilon."""
    k = (exp(2 * epsilon) + 1) / (exp(2 * epsilon) - 1)
    answers = []
    for value in values:
        value = max(-1.0, min(1.0, value))
        chance = 0.5 + value / (2 * k)
        answers.append(k if random.random() < chance else -k)
    return sum(answers) / len(answers)
