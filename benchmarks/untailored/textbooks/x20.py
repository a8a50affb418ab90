import math
import random

import numpy as np


def stump(rows: list[tuple[float, int]], splits: list[float], eps1: float, eps2: float):
    """Decision stump: the split by the exponential mechanism, the labels of both leaves by noisy majorities."""
    scores = []
    for t in splits:
        good = 0
        for x, y in rows:
            if (x > t) == (y == 1):
                good += 1
        scores.append(good)
    best = max(scores)
    t = random.choices(splits, weights=[math.exp(eps1 * (s - best)) for s in scores])[0]
    low = 0
    high = 0
    for x, y in rows:
        vote = 1 if y == 1 else -1
        if x > t:
            high += vote
        else:
            low += vote
    return t, np.random.laplace(low, 1 / eps2) > 0, np.random.laplace(high, 1 / eps2) > 0
