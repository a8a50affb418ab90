"""The exponential mechanism by hand: a roulette wheel that one uniform draw spins; a third are wrong."""

import bisect
import itertools
import math
import random

import numpy as np

from synth.lang import absolute_distance, change_one_distance, linf_distance, mechanism


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def for_enumerate(scores: list[float], eps: float) -> int:
    weights = [math.exp(eps * s / 2) for s in scores]
    total = sum(weights)
    u = random.random() * total
    acc = 0.0
    for i, w in enumerate(weights):
        acc += w
        if u <= acc:
            return i
    return len(weights) - 1


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def uniform_range(scores: list[float], eps: float) -> int:
    w = []
    for i in range(len(scores)):
        w.append(math.exp(scores[i] * eps / 2))
    pick = random.uniform(0, sum(w))
    current = 0
    for i in range(len(w)):
        current += w[i]
        if current > pick:
            return i
    return len(scores) - 1


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def normalised_list(scores: list[int], eps: float) -> int:
    weights = [math.exp(eps * s / 2.0) for s in scores]
    total = sum(weights)
    probs = [w / total for w in weights]
    r = random.random()
    cumulative = 0.0
    for i in range(len(probs)):
        cumulative += probs[i]
        if r < cumulative:
            return i
    return len(probs) - 1


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def normalised_array(scores: list[float], eps: float) -> int:
    w = np.exp(eps * np.array(scores) / 2)
    p = w / w.sum()
    u = np.random.random()
    s = 0
    for i, x in enumerate(p):
        s += x
        if u <= s:
            return i
    return len(scores) - 1


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def max_subtracted(scores: list[float], eps: float) -> int:
    top = max(scores)
    weights = [math.exp(eps * (s - top) / 2) for s in scores]
    threshold = random.random() * sum(weights)
    chosen = len(weights) - 1
    running = 0.0
    for i, w in enumerate(weights):
        running += w
        if running >= threshold:
            chosen = i
            break
    return chosen


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def subtracting(scores: list[float], eps: float) -> int:
    weights = [math.exp(eps * s / 2) for s in scores]
    r = random.uniform(0, sum(weights))
    for i, w in enumerate(weights):
        r -= w
        if r <= 0:
            return i
    return len(scores) - 1


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def while_index(scores: list[float], eps: float) -> int:
    weights = [math.exp(eps * s / 2) for s in scores]
    u = random.random() * sum(weights)
    i = 0
    acc = weights[0]
    while i < len(weights) - 1 and acc < u:
        i += 1
        acc += weights[i]
    return i


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def while_true(scores: list[float], eps: float) -> int:
    weights = [math.exp(eps * s / 2) for s in scores]
    u = random.random() * sum(weights)
    i = 0
    acc = 0.0
    while i < len(weights):
        acc = acc + weights[i]
        if u < acc:
            break
        i = i + 1
    return min(i, len(weights) - 1)


def pick(weights):
    u = random.random() * sum(weights)
    upto = 0
    for i, w in enumerate(weights):
        if upto + w >= u:
            return i
        upto += w
    return len(weights) - 1


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def helper(scores: list[float], eps: float) -> int:
    return pick([math.exp(eps * s / 2) for s in scores])


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def cumsum_searchsorted(scores: list[float], eps: float) -> int:
    w = np.exp(eps * np.array(scores) / 2)
    c = np.cumsum(w)
    return int(np.searchsorted(c, np.random.rand() * c[-1]))


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def candidates_zip(x: int, eps: float) -> int:
    candidates = [0, 5, 10, 15]
    weights = [math.exp(-eps * abs(x - c) / 2) for c in candidates]
    total = sum(weights)
    u = random.random() * total
    acc = 0
    for c, w in zip(candidates, weights):
        acc += w
        if u <= acc:
            return c
    return candidates[-1]


class Selector:
    def __init__(self, eps: float):
        self.eps = eps

    def select(self, scores):
        weights = [math.exp(self.eps * s / 2) for s in scores]
        return self._spin(weights)

    def _spin(self, weights):
        target = random.random() * sum(weights)
        acc = 0
        for i in range(len(weights)):
            acc += weights[i]
            if acc >= target:
                return i
        return len(weights) - 1


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def method(scores: list[float], eps: float) -> int:
    return Selector(eps).select(scores)


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1 and k >= 0")
def rounds(scores: list[float], k: int, eps: float) -> list[int]:
    out = []
    for _ in range(k):
        weights = [math.exp(eps * s / 2) for s in scores]
        u = random.random() * sum(weights)
        acc = 0.0
        best = len(scores) - 1
        for i, w in enumerate(weights):
            acc += w
            if u <= acc:
                best = i
                break
        out.append(best)
    return out


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def expected_none(scores: list[float], eps: float) -> int | None:
    weights = [math.exp(eps * s / 2) for s in scores]
    total = sum(weights)
    r = random.random()
    acc = 0.0
    for i, w in enumerate(weights):
        acc += w / total
        if r < acc:
            return i


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def bisected(scores: list[float], eps: float) -> int:
    cum = []
    total = 0.0
    for s in scores:
        total += math.exp(eps * s / 2)
        cum.append(total)
    return bisect.bisect(cum, random.random() * total)


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def bisected_left(scores: list[float], eps: float) -> int:
    cum = []
    total = 0.0
    for s in scores:
        total += math.exp(eps * s / 2)
        cum.append(total)
    u = random.uniform(0, cum[-1])
    return min(bisect.bisect_left(cum, u), len(scores) - 1)


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def first_true(scores: list[float], eps: float) -> int:
    w = np.exp(eps * np.array(scores) / 2)
    cdf = np.cumsum(w / np.sum(w))
    return int(np.argmax(np.random.random() < cdf))


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def sums_by_the_last(scores: list[float], eps: float) -> int:
    w = np.exp(eps * np.array(scores) / 2)
    cdf = np.cumsum(w)
    cdf = cdf / cdf[-1]
    return int(np.searchsorted(cdf, np.random.random()))


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def sums_below(scores: list[float], eps: float) -> int:
    w = np.exp(eps * np.array(scores) / 2)
    return int((np.cumsum(w) < np.random.rand() * w.sum()).sum())


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def until_nothing_is_left(scores: list[float], eps: float) -> int:
    weights = [math.exp(eps * s / 2) for s in scores]
    total = sum(weights)
    u = random.random() * total
    i = -1
    while u > 0:
        i += 1
        u -= weights[i]
    return i


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1", epsilon="eps")
def no_half(scores: list[float], eps: float) -> int:
    weights = [math.exp(eps * s) for s in scores]
    u = random.random() * sum(weights)
    acc = 0.0
    for i, w in enumerate(weights):
        acc += w
        if u <= acc:
            return i
    return len(weights) - 1


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1", epsilon="eps")
def returns_acc(scores: list[float], eps: float) -> float:
    weights = [math.exp(eps * s / 2) for s in scores]
    u = random.random() * sum(weights)
    acc = 0.0
    for i, w in enumerate(weights):
        acc += w
        if u <= acc:
            return acc
    return acc


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1", epsilon="eps")
def sensitivity_two(scores: list[float], eps: float) -> int:
    w = np.exp(eps * 2 * np.array(scores) / 2)
    p = w / w.sum()
    u = np.random.random()
    s = 0
    for i, x in enumerate(p):
        s += x
        if u <= s:
            return i
    return len(scores) - 1


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def top_is_argmax(x: int, eps: float) -> int:
    candidates = [0, 5, 10, 15]
    weights = [math.exp(-eps * abs(x - c)) for c in candidates]
    total = sum(weights)
    u = random.random() * total
    acc = 0
    for c, w in zip(candidates, weights):
        acc += w
        if u <= acc:
            return c
    return candidates[-1]


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1", epsilon="eps")
def twice(scores: list[float], eps: float) -> tuple[int, int]:
    weights = [math.exp(eps * s / 2) for s in scores]
    total = sum(weights)
    u = random.random() * total
    v = random.random() * total
    a = len(scores) - 1
    b = len(scores) - 1
    acc = 0.0
    for i, w in enumerate(weights):
        acc += w
        if u <= acc:
            a = i
            break
    acc = 0.0
    for i, w in enumerate(weights):
        acc += w
        if v <= acc:
            b = i
            break
    return a, b


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1", epsilon="eps")
def unscaled(scores: list[float], eps: float) -> int:
    weights = [math.exp(2 * eps * s) for s in scores]
    r = random.uniform(0, sum(weights))
    for i, w in enumerate(weights):
        r -= w
        if r <= 0:
            return i
    return len(scores) - 1


@mechanism(adjacent={"data": change_one_distance()}, requires="eps > 0")
def mode_of_three(data: list[int], eps: float) -> int:
    weights = []
    for c in range(3):
        score = sum(1 for v in data if v == c)
        weights.append(math.exp(eps * score / 2))
    u = random.random() * sum(weights)
    acc = 0.0
    for c in range(3):
        acc += weights[c]
        if u <= acc:
            return c
    return 2


@mechanism(adjacent={"data": change_one_distance()}, requires="eps > 0 and k >= 1")
def mode_by_choices(data: list[int], k: int, eps: float) -> int:
    weights = []
    for c in range(k):
        score = sum(1 for v in data if v == c)
        weights.append(math.exp(eps * score / 2))
    return random.choices(range(k), weights=weights)[0]


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def accumulated(scores: list[float], eps: float) -> int:
    cum_weights = list(itertools.accumulate([math.exp(eps * s / 2) for s in scores]))
    return bisect.bisect(cum_weights, random.random() * cum_weights[-1])


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def left_of_one(scores: list[float], eps: float) -> int:
    weights = [math.exp(eps * s / 2) for s in scores]
    threshold = (1.0 - random.random()) * sum(weights)
    for i, total in enumerate(itertools.accumulate(weights)):
        if total >= threshold:
            return i
    return len(scores) - 1


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1")
def from_the_last(scores: list[int], eps: float) -> int:
    weights = [math.exp(eps * s / 2) for s in scores]
    r = random.uniform(0, sum(weights))
    for i in reversed(range(len(weights))):
        r -= weights[i]
        if r <= 0:
            return i
    return 0


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1", epsilon="eps")
def from_the_last_unscaled(scores: list[float], eps: float) -> int:
    """The exponent is twice as large as it may be."""
    weights = [math.exp(eps * s) for s in scores]
    total = sum(weights)
    u = 1 - random.random()
    acc = 0.0
    for i in range(len(weights) - 1, -1, -1):
        acc += weights[i] / total
        if u < acc:
            return i
    return 0
