import numpy as np


def median_by_scan(ages, low, high, eps):
    """AboveThreshold on the ranks of low, low + 1, ...: the first one that reaches half of the records."""
    bar = len(ages) / 2 + np.random.laplace(0, 2 / eps)
    for guess in range(low, high):
        rank = 0
        for a in ages:
            if a <= guess:
                rank += 1
        if rank + np.random.laplace(0, 4 / eps) >= bar:
            return guess
    return high
