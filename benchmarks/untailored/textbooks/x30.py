import numpy as np


def first_high(readings: list[float], limit: float, eps: float):
    """Sparse vector that answers with the noisy value it has compared."""
    bar = limit + np.random.laplace(0, 3 / eps)
    i = 0
    while i < len(readings):
        noisy = readings[i] + np.random.laplace(0, 6 / eps)
        if noisy >= bar:
            return i, noisy
        i += 1
    return -1, 0.0
