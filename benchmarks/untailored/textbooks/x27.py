import math

import numpy as np


def ptr_mean(values, u, b, eps, delta):
    """Propose-test-release: the mean of values in 0..u, if it is far from any data where a record moves it by b."""
    n = 0
    total = 0.0
    for v in values:
        n += 1
        total += min(max(v, 0.0), u)
    distance = 0
    while n - distance > 0 and u / (n - distance) < b:
        distance += 1
    if distance + np.random.laplace(0, 1 / eps) < math.log(1 / (2 * delta)) / eps:
        return None
    return total / max(n, 1) + np.random.laplace(0, b / eps)
